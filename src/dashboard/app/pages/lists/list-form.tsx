import { Switch, Textarea, TextInput } from "@mantine/core";
import { api } from "../../api/api.ts";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";

type Given = { id: string; name: string; description: string; visibility: "public" | "private" };

export const ListButton = ({ team, list, children }: { team: string; list?: Given; children: string }) => {
  const first = {
    name: list?.name ?? "",
    description: list?.description ?? "",
    isPublic: list?.visibility === "public",
  };
  const fieldsOf = ({ isPublic, ...fields }: typeof first) => ({
    team,
    ...fields,
    visibility: isPublic ? ("public" as const) : ("private" as const),
  });
  return (
    <FormDialog<typeof first, unknown>
      opener={children}
      openerProps={list && { variant: "default", size: "xs", "aria-label": `Edit ${list.name}` }}
      shortcut={list ? undefined : "n"}
      title={list?.name ?? "New list"}
      draft={list ? undefined : `new list ${team}`}
      first={first}
      check={{ name: filled("Write the name that people see") }}
      label="Save"
      run={(values) =>
        list
          ? api.email.lists.update({ ...fieldsOf(values), listId: list.id })
          : api.email.lists.create(fieldsOf(values))
      }
      done={() => (list ? "The list is changed." : "The list is created.")}
      asked={(values) =>
        list
          ? { api: "email", name: "lists.update", fields: { ...fieldsOf(values), listId: list.id } }
          : { api: "email", name: "lists.create", fields: fieldsOf(values) }
      }
    >
      {(form) => (
        <>
          <TextInput label="Name" maxLength={100} {...form.getInputProps("name")} data-autofocus />
          <Textarea label="Description" maxLength={500} {...form.getInputProps("description")} />
          <Switch
            label="Public: people see it on the page where they choose their mail"
            {...form.getInputProps("isPublic", { type: "checkbox" })}
          />
        </>
      )}
    </FormDialog>
  );
};
