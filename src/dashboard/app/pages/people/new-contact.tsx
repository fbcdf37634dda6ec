import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";

export const NewContact = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "contacts.create" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        New contact
      </Button>
      <Dialog opened={opened} onClose={close} title="New contact">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [email, setEmail] = useState("");
  const [userId, setUserId] = useState("");
  const [firstName, setFirstName] = useState("");
  const navigate = useNavigate();
  const fields = { email: email.trim(), ...(userId && { userId }), ...(firstName && { firstName }) };
  const create = useAct({
    mutationFn: () => team.v1.contacts.create(fields),
    onSuccess: () => {
      toast("The contact is created.");
      onClose();
      void navigate({ to: "/people/$personId", params: { personId: email.trim() } });
    },
  });
  useBusy(create.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {create.error && <Refused error={create.error} onProved={() => create.mutate()} />}
        <TextInput
          label="Address"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput label="User id" value={userId} onChange={(event) => setUserId(event.currentTarget.value)} />
        <TextInput label="First name" value={firstName} onChange={(event) => setFirstName(event.currentTarget.value)} />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "contacts.create", fields }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
