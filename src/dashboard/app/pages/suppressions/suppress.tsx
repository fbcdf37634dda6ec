import { Text, TextInput } from "@mantine/core";
import { api } from "../../api/api.ts";
import { address } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";

export const SuppressButton = ({ team }: { team: string }) => {
  const fieldsOf = ({ email }: { email: string }) => ({ team, email: email.trim() });
  return (
    <FormDialog
      opener="Suppress an address"
      shortcut="n"
      title="Suppress an address"
      draft={`suppress ${team}`}
      first={{ email: "" }}
      check={{ email: address }}
      label="Suppress"
      run={(values) => api.email.suppressions.add(fieldsOf(values))}
      done={(_, { email }) => `${email.trim()} is suppressed.`}
      asked={(values) => ({ api: "email", name: "suppressions.add", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <Text size="sm">The address gets no mail at all: no newsletters, no receipts, no sign-in links.</Text>
          <TextInput label="Address" type="email" {...form.getInputProps("email")} data-autofocus />
        </>
      )}
    </FormDialog>
  );
};
