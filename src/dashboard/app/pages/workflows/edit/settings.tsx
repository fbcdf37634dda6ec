import { Button, Fieldset, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { allPages } from "../../../api/all-pages.ts";
import { useButtonKey } from "../../../frame/use-keys.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { useDraft } from "../../../parts/acts/draft.ts";
import { toast } from "../../../parts/acts/toast.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Shown } from "../use-workflow.ts";
import { isStale, saidOf, useChange } from "./change.ts";
import { ChangeRefused } from "./stale.tsx";

const useWorkflowGroups = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["v1", id, "workflow-groups"],
    queryFn: () => allPages((asked) => v1.workflowGroups.list(asked)),
  });

export const Settings = (shown: Shown) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "workflows.update" });
  useButtonKey("e");
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()} data-key="e">
        Name and group
      </Button>
      <Dialog opened={opened} onClose={close} title="Name and group of the workflow">
        <Form {...shown} onClose={close} />
      </Dialog>
    </>
  );
};

type Typed = { name: string; description: string; group: string };

const Form = ({ onClose, ...shown }: Shown & { onClose: () => void }) => {
  const { team, id, workflow } = shown;
  const stored: Typed = {
    name: workflow.name,
    description: workflow.description,
    group: workflow.workflowGroupId,
  };
  const [kept, keep, clear] = useDraft<Partial<Typed>>(`workflow ${id} ${workflow.id}`, {});
  const typed = { ...stored, ...kept };
  const { data: groups = [] } = useWorkflowGroups(team);
  const changes = {
    ...(typed.name.trim() === stored.name ? {} : { name: typed.name.trim() }),
    ...(typed.description === stored.description ? {} : { description: typed.description }),
    ...(typed.group === stored.group ? {} : { workflowGroupId: typed.group }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const asked = (expectedRevisionId: string) => ({ workflowId: workflow.id, expectedRevisionId, ...changes });
  const save = useChange(
    shown,
    (revision) => team.v1.workflows.update(asked(revision)),
    () => {
      keep({});
      clear();
      toast("The workflow is saved.");
      onClose();
    },
  );
  const error = isStale(save.error) ? null : save.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate();
  };
  const choices = groups.map((group) => ({ value: group.id, label: group.name }));
  const isKnown = choices.some(({ value }) => value === typed.group);
  return (
    <form onSubmit={submit}>
      <Fieldset variant="unstyled" p={0} disabled={save.isPending}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            required
            maxLength={255}
            value={typed.name}
            error={saidOf(error, "name")}
            onChange={({ currentTarget }) => keep({ ...kept, name: currentTarget.value })}
            data-autofocus
          />
          <Textarea
            label="Description"
            autosize
            maxLength={1_000}
            value={typed.description}
            error={saidOf(error, "description")}
            onChange={({ currentTarget }) => keep({ ...kept, description: currentTarget.value })}
          />
          <Select
            label="Group"
            data={isKnown ? choices : [...choices, { value: typed.group, label: "Unsorted" }]}
            value={typed.group}
            error={saidOf(error, "workflowGroupId")}
            onChange={(group) => group && keep({ ...kept, group })}
            allowDeselect={false}
            searchable
          />
          {save.error && <ChangeRefused error={save.error} onAgain={() => save.mutate()} />}
          <Group justify="space-between">
            <CopyAs asked={{ api: "v1", name: "workflows.update", fields: asked(workflow.workflowRevisionId) }} />
            <Button type="submit" disabled={!isChanged || typed.name.trim() === ""} loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
};
