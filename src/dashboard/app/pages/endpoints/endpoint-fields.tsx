import { Checkbox, SimpleGrid, Switch, Text, TextInput } from "@mantine/core";
import { type Draft, lacksEvents, TYPES } from "./endpoint-words.ts";

type Props = { draft: Draft; wrong: string | undefined; onChange: (draft: Draft) => void };

/** Fields of a webhook form. `wrong`: the refused field. */
export const EndpointFields = ({ draft, wrong, onChange }: Props) => (
  <>
    <TextInput
      label="Address"
      description="An https address of yours that takes POST requests"
      type="url"
      required
      maxLength={2000}
      value={draft.url}
      error={wrong === "url"}
      onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      data-autofocus
    />
    <TextInput
      label="Description"
      maxLength={500}
      value={draft.description}
      error={wrong === "description"}
      onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
    />
    <Switch
      label="All events, later types too"
      checked={draft.isAll}
      onChange={(event) => onChange({ ...draft, isAll: event.currentTarget.checked })}
    />
    {!draft.isAll && (
      <Checkbox.Group
        label="Events"
        value={[...draft.events]}
        onChange={(events) => onChange({ ...draft, events })}
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
