import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useButtonKey } from "../../frame/keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";

/** The button and the form for a new theme, which begins with the default look. */
export const NewTheme = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  useButtonKey("n");
  return (
    <>
      <Button size="xs" onClick={open} data-key="n">
        New theme
      </Button>
      <Dialog opened={opened} onClose={close} title="New theme">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [name, setName, clear] = useDraft(`new theme ${team.id}`, "");
  const navigate = useNavigate();
  const fields = { name: name.trim() };
  const create = useMutation({
    mutationFn: () => team.v1.themes.create(fields),
    onSuccess: ({ id }) => {
      clear();
      toast(`${fields.name} is created, with the default look.`);
      onClose();
      void navigate({ to: "/themes/$themeId", params: { themeId: id } });
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
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "themes.create", fields }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
