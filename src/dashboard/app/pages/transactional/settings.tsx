import { TextInput } from "@mantine/core";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import type { Team } from "../../team/team.tsx";
import { GroupField } from "./group-field.tsx";
import type { Listed } from "./state.ts";

type Fields = { name: string; transactionalGroupId: string | null };

const changesOf = (email: Listed, { name, transactionalGroupId: group }: Fields) => ({
  ...(name.trim() === email.name ? {} : { name: name.trim() }),
  ...(group === null || group === email.transactionalGroupId ? {} : { transactionalGroupId: group }),
});

export const Settings = ({ team, email }: { team: Team; email: Listed }) => {
  const fieldsOf = (values: Fields) => ({ transactionalId: email.id, ...changesOf(email, values) });
  return (
    <FormDialog<Fields, unknown>
      opener="Name and group"
      openerProps={{ variant: "default", size: "xs" }}
      shortcut="e"
      title={`Name and group of ${email.name}`}
      first={{ name: email.name, transactionalGroupId: email.transactionalGroupId }}
      check={{ name: filled("Write a name") }}
      label="Save"
      isReady={(values) => Object.keys(changesOf(email, values)).length > 0}
      run={(values) => team.v1.transactionalEmails.update(fieldsOf(values))}
      done={(_, { name }) => `${name.trim()} is saved.`}
      asked={(values) => ({ api: "v1", name: "transactionalEmails.update", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <TextInput label="Name" maxLength={100} {...form.getInputProps("name")} data-autofocus />
          <GroupField team={team} {...form.getInputProps("transactionalGroupId")} />
        </>
      )}
    </FormDialog>
  );
};
