import { Alert, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { makePasskey } from "../../parts/passkeys/passkeys.ts";
import { ROLES } from "../../parts/passkeys/roles.ts";
import { Codes } from "./codes.tsx";
import { Passkeys } from "./passkeys.tsx";
import type { Person } from "./queries.ts";

export const Own = ({ person }: { person: Person }) => {
  const passkeys = person.passkeys ?? [];
  const codes = person.recoveryCodes ?? 0;
  return (
    <Stack component="section" gap="xs" align="flex-start" aria-label="Your login">
      <Title order={2} size="h4">
        Your login
      </Title>
      <Text size="sm">
        You are {person.name}, with the role {person.role}, which {ROLES[person.role]}
      </Text>
      {passkeys.length < 2 && codes === 0 && (
        <Alert color="orange" title="A lost device would lock you out">
          Add a second passkey, on another device or a security key, or make recovery codes.
        </Alert>
      )}
      <Passkeys passkeys={passkeys} />
      <Text size="sm">{codes === 0 ? "You have no recovery code." : `${codes} of 10 recovery codes are left.`}</Text>
      <Group gap="xs">
        <Add />
        <Codes has={codes > 0} />
      </Group>
    </Stack>
  );
};

const Add = () => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open} data-key="n">
        Add a passkey
      </Button>
      <Dialog opened={opened} onClose={close} title="Add a passkey">
        <Form onDone={close} />
      </Dialog>
    </>
  );
};

/** The server checks first, so no passkey is made in vain. */
const Form = ({ onDone }: { onDone: () => void }) => {
  const [name, setName] = useState("");
  const add = useAct({
    mutationFn: async () => {
      const { options } = await api.dashboard.passkeys.options();
      const passkey = await makePasskey(options);
      return api.dashboard.passkeys.add({ passkey, ...(name === "" ? {} : { name }) });
    },
    onSuccess: (made) => {
      toast(`${made.name} is added.`);
      onDone();
    },
  });
  useBusy(add.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {add.error && <Refused error={add.error} onProved={() => add.mutate()} />}
        <TextInput
          label="Name"
          description="Where it is, such as Key in the safe"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
