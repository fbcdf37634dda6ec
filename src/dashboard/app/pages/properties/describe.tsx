import { Textarea, TextInput } from "@mantine/core";
import { api } from "../../api/api.ts";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";

type Property = { name: string; label: string; description: string };
type Fields = Omit<Property, "name">;

export const DescribeButton = ({ team, property }: { team: string; property: Property }) => {
  const { name, label, description } = property;
  const fieldsOf = (values: Fields) => ({
    team,
    name,
    label: values.label,
    description: values.description.trim() || null,
  });
  return (
    <FormDialog
      opener="Describe"
      openerProps={{ variant: "default", size: "xs", "aria-label": `Describe ${name}` }}
      title={name}
      first={{ label, description }}
      check={{ label: filled("Write the words that pages show") }}
      label="Save"
      run={(values) => api.email.properties.update(fieldsOf(values))}
      done={() => `${name} is changed.`}
      asked={(values) => ({ api: "email", name: "properties.update", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <TextInput label="Label" maxLength={100} {...form.getInputProps("label")} data-autofocus />
          <Textarea
            label="Description"
            description="What it is for, and who sets it"
            maxLength={500}
            {...form.getInputProps("description")}
          />
        </>
      )}
    </FormDialog>
  );
};
