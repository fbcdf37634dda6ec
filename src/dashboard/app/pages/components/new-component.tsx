import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { RequestError } from "../../api/client.ts";
import { useButtonKey } from "../../frame/keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";

/** The button and the form for a new component. */
export const NewComponent = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  useButtonKey("n");
  return (
    <>
      <Button size="xs" onClick={open} data-key="n">
        New component
      </Button>
      <Dialog opened={opened} onClose={close} title="New component">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const FIRST = { name: "", lmx: "<Paragraph>Acme, 1 Main Street</Paragraph>" };

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [draft, setDraft, clear] = useDraft(`new component ${team.id}`, FIRST);
  const navigate = useNavigate();
  const fields = { name: draft.name.trim(), lmx: draft.lmx };
  const create = useMutation({
    mutationFn: () => team.v1.components.create(fields),
    onSuccess: ({ id }) => {
      clear();
      toast(`${fields.name} is created.`);
      onClose();
      void navigate({ to: "/components/$componentId", params: { componentId: id } });
    },
  });
  const wrong = create.error instanceof RequestError ? create.error.path : undefined;
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
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          data-autofocus
        />
        <Textarea
          label="LMX"
          description="The page of the component has the editor and a preview"
          required
          autosize
          minRows={3}
          maxRows={12}
          value={draft.lmx}
          onChange={(event) => setDraft({ ...draft, lmx: event.currentTarget.value })}
          error={wrong === "lmx"}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "components.create", fields }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
