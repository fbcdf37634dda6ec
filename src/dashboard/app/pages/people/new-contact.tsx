import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { address } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import type { Team } from "../../team/team.tsx";

const FIRST = { email: "", userId: "", firstName: "" };

const fieldsOf = ({ email, userId, firstName }: typeof FIRST) => ({
  email: email.trim(),
  ...(userId && { userId }),
  ...(firstName && { firstName }),
});

export const NewContact = ({ team }: { team: Team }) => {
  const navigate = useNavigate();
  return (
    <FormDialog
      opener="Add a person"
      openerProps={{ leftSection: <Icon name="add" /> }}
      shortcut="n"
      title="Add a person"
      draft={`new contact ${team.id}`}
      first={FIRST}
      check={{ email: address }}
      label="Add"
      run={(values) => team.v1.contacts.create(fieldsOf(values))}
      done={() => "The person is added."}
      onDone={(_, { email }) => void navigate({ to: "/people/$personId", params: { personId: email.trim() } })}
      asked={(values) => ({ api: "v1", name: "contacts.create", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <TextInput label="Address" type="email" {...form.getInputProps("email")} data-autofocus />
          <TextInput label="User id" description="Optional" {...form.getInputProps("userId")} />
          <TextInput label="First name" description="Optional" {...form.getInputProps("firstName")} />
        </>
      )}
    </FormDialog>
  );
};
