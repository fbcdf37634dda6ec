import { Group, Stack, Text, TextInput } from "@mantine/core";
import { api } from "../../api/api.ts";
import { Note, Panel } from "../../parts/cards/cards.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { makePasskey } from "../../parts/passkeys/passkeys.ts";
import { ROLES } from "../../parts/passkeys/roles.ts";
import { Codes } from "./codes.tsx";
import { Passkeys } from "./passkeys.tsx";
import type { Person } from "./queries.ts";

export const Own = ({ person }: { person: Person }) => {
  const passkeys = person.passkeys ?? [];
  const codes = person.recoveryCodes ?? 0;
  return (
    <Panel title="Your login">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          You are {person.name}, with the role {person.role}, which {ROLES[person.role]}
        </Text>
        {passkeys.length < 2 && codes === 0 && (
          <Note tone="warn" title="A lost device would lock you out.">
            Add a second passkey, on another device or a security key, or make recovery codes.
          </Note>
        )}
        <Passkeys passkeys={passkeys} />
        <Text size="sm">{codes === 0 ? "You have no recovery code." : `${codes} of 10 recovery codes are left.`}</Text>
        <Group gap="xs">
          <Add />
          <Codes has={codes > 0} />
        </Group>
      </Stack>
    </Panel>
  );
};

/** The server checks first, so no passkey is made in vain. */
const add = async ({ name }: { name: string }) => {
  const { options } = await api.dashboard.passkeys.options();
  const passkey = await makePasskey(options);
  return api.dashboard.passkeys.add({ passkey, ...(name === "" ? {} : { name }) });
};

const Add = () => (
  <FormDialog
    opener="Add a passkey"
    openerProps={{ variant: "default" }}
    shortcut="n"
    title="Add a passkey"
    first={{ name: "" }}
    label="Add"
    run={add}
    done={({ name }) => `${name} is added.`}
  >
    {(form) => (
      <TextInput
        label="Name"
        description="Where it is, such as Key in the safe"
        maxLength={80}
        {...form.getInputProps("name")}
        data-autofocus
      />
    )}
  </FormDialog>
);
