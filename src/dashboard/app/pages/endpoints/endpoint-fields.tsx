import { Checkbox, SimpleGrid, Switch, Text, TextInput } from "@mantine/core";
import { filled } from "../../parts/form/checks.ts";
import type { Form } from "../../parts/form/form-dialog.tsx";
import { type Draft, lacksEvents, TYPES } from "./endpoint-words.ts";

export const CHECKS = { url: filled("Write an https address of yours, such as https://acme.example/hooks") };

/** Fields of a webhook form. */
export const EndpointFields = ({ form }: { form: Form<Draft> }) => {
  const draft = form.getValues();
  return (
    <>
      <TextInput
        label="Address"
        description="An https address of yours that takes POST requests"
        type="url"
        maxLength={2000}
        {...form.getInputProps("url")}
        data-autofocus
      />
      <TextInput label="Description" maxLength={500} {...form.getInputProps("description")} />
      <Switch label="All events, later types too" {...form.getInputProps("isAll", { type: "checkbox" })} />
      {!draft.isAll && (
        <Checkbox.Group
          label="Events"
          value={[...draft.events]}
          onChange={(events) => form.setFieldValue("events", events)}
          error={lacksEvents(draft) && "Choose at least one, or all of them."}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs" mb="xs">
            {TYPES.map((type) => (
              <Checkbox key={type} size="xs" value={type} label={<Text size="sm">{type}</Text>} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </>
  );
};
