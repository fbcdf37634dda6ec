import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";
import { GroupField } from "./group-field.tsx";
import type { Listed } from "./state.ts";

export const Settings = ({ team, email }: { team: Team; email: Listed }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "transactionalEmails.update" });
  useButtonKey("e");
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()} data-key="e">
        Name and group
      </Button>
      <Dialog opened={opened} onClose={close} title={`Name and group of ${email.name}`}>
        <Form team={team} email={email} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, email, onClose }: { team: Team; email: Listed; onClose: () => void }) => {
  const { id, name: before, transactionalGroupId } = email;
  const [name, setName] = useState(before);
  const [group, setGroup] = useState(transactionalGroupId);
  const changes = {
    ...(name.trim() === before ? {} : { name: name.trim() }),
    ...(group === null || group === transactionalGroupId ? {} : { transactionalGroupId: group }),
  };
  const save = useAct({
    mutationFn: () => team.v1.transactionalEmails.update({ transactionalId: id, ...changes }),
    onSuccess: () => {
      toast(`${name.trim()} is saved.`);
      onClose();
    },
  });
  useBusy(save.isPending);
  const wrong = save.error instanceof RequestError ? save.error.path : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong === "name" ? save.error?.message : undefined}
          data-autofocus
        />
        <GroupField
          team={team}
          value={group}
          onChange={setGroup}
          error={wrong === "transactionalGroupId" ? save.error?.message : undefined}
        />
        <Group justify="space-between">
          <CopyAs
            asked={{ api: "v1", name: "transactionalEmails.update", fields: { transactionalId: id, ...changes } }}
          />
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changes).length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
