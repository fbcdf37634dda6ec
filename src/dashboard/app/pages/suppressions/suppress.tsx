import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";

export const SuppressButton = ({ team }: { team: string }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "suppressions.add" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        Suppress an address
      </Button>
      <Dialog opened={opened} onClose={close} title="Suppress an address">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: string; onClose: () => void }) => {
  const [email, setEmail] = useState("");
  const add = useAct({
    mutationFn: () => api.email.suppressions.add({ team, email: email.trim() }),
    onSuccess: () => {
      toast(`${email.trim()} is suppressed.`);
      onClose();
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
        <Text size="sm">No mail is sent to it any more: neither transactional nor marketing mail.</Text>
        <TextInput
          label="Address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "suppressions.add", fields: { team, email: email.trim() } }} />
          <Button type="submit" loading={add.isPending}>
            Suppress
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
