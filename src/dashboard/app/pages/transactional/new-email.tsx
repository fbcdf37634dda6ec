import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useButtonKey } from "../../frame/keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";
import { GroupField } from "./group-field.tsx";

/** The button and the form for a new transactional email. */
export const NewEmail = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  useButtonKey("n");
  return (
    <>
      <Button size="xs" onClick={open} data-key="n">
        New transactional email
      </Button>
      <Dialog opened={opened} onClose={close} title="New transactional email">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [name, setName, clear] = useDraft(`new transactional email ${team.id}`, "");
  const [group, setGroup] = useState<string | null>(null);
  const navigate = useNavigate();
  const fields = { name: name.trim(), ...(group === null ? {} : { transactionalGroupId: group }) };
  const create = useMutation({
    mutationFn: () => team.v1.transactionalEmails.create(fields),
    onSuccess: ({ id }) => {
      clear();
      toast(`${fields.name} is created, with an empty draft.`);
      onClose();
      void navigate({ to: "/transactional/$transactionalEmailId", params: { transactionalEmailId: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {create.error && <Refused error={create.error} onProved={() => create.mutate()} />}
        <TextInput
          label="Name"
          description="Of its page and its lists. Its recipients do not see it"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <GroupField team={team} value={group} onChange={setGroup} />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "transactionalEmails.create", fields }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
