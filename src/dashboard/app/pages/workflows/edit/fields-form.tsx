import { Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import { queries } from "../../../api/queries.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { useEdits } from "../../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../../parts/acts/leave-guard.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import type { ConditionFields } from "../../segments/condition-fields.ts";
import { keyOf, type Shown } from "../use-workflow.ts";
import { isStale, saidOf, useChange } from "./change.ts";
import { draftOf, type FullNode, isSame, type NodeDraft, payloadOf, problemsIn } from "./draft.ts";
import { FilterFields } from "./fields/filter.tsx";
import { ExperimentFields, VariantFields } from "./fields/fork.tsx";
import type { FieldProps } from "./fields/props.ts";
import { TimerFields } from "./fields/timer.tsx";
import { TriggerFields } from "./fields/trigger.tsx";
import { ChangeRefused, Conflict } from "./stale.tsx";

type Props = Shown & { nodeId: string; node: FullNode; fields: ConditionFields; isLocked: boolean };

type Kept = { draft: NodeDraft; base: NodeDraft };

const PATHS: Readonly<Record<string, string>> = {
  key: "payload.contactPropertyQuery.key",
  was: "payload.contactPropertyQuery.was",
  is: "payload.contactPropertyQuery.is",
  segment: "payload.audienceSegmentId",
  rate: "payload.samplingRate",
};

export const FieldsForm = (props: Props) => {
  const { node, fields } = props;
  const stored = draftOf(node, fields.types);
  return stored && <Form {...props} stored={stored} />;
};

const Form = ({ stored, ...props }: Props & { stored: NodeDraft }) => {
  const { node, nodeId, fields, isLocked, ...shown } = props;
  const { team, id, workflow } = shown;
  const { kept, keep, undo, saved } = useEdits<Kept | null>(`workflow node ${id} ${workflow.id} ${nodeId}`, null);
  const draft = kept?.draft ?? stored;
  const isChanged = !isSame(draft, stored);
  const problems = problemsIn(draft, fields.types);
  const isSound = Object.keys(problems).length === 0;
  const payload = payloadOf(draft, fields.types);
  const asked = (expectedRevisionId: string) => ({ workflowId: workflow.id, nodeId, expectedRevisionId, payload });
  const save = useChange(
    shown,
    async (revision) => {
      const answer = await team.v1.workflows.updateNode(asked(revision));
      const now = { ...answer, workflowId: workflow.id };
      // Shows saved values before the refetch.
      queries.setQueryData([...keyOf(id, workflow.id), "node", nodeId, now.workflowRevisionId], now);
      return { now, sent: kept };
    },
    ({ now, sent }) => {
      const base = draftOf(now, fields.types) ?? stored;
      saved(sent, (typed) => typed && { draft: typed.draft, base });
      toast("The step is saved.");
    },
  );
  const isConflict = kept !== null && isChanged && !save.isPending && !isSame(kept.base, stored);
  useLeaveGuard(isChanged);
  useSaveKey();
  const denied = useDenied({ api: "v1", name: "workflows.updateNode" });
  const canSave = isChanged && isSound && !isLocked && !isConflict && !save.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSave && denied === undefined) save.mutate();
  };
  const error = isStale(save.error) ? null : save.error;
  const fieldProps = {
    ...shown,
    fields,
    error,
    problem: (field: string) =>
      (isChanged ? problems[field] : undefined) ?? saidOf(error, PATHS[field] ?? `payload.${field}`),
    onChange: (next: NodeDraft) => {
      if (save.isError) save.reset();
      keep({ draft: next, base: kept?.base ?? stored });
    },
  };
  return (
    <form onSubmit={submit} aria-label="Fields of the step">
      <Fieldset variant="unstyled" p={0} disabled={isLocked}>
        <Stack gap="sm">
          {isConflict && <Conflict onKeep={() => keep({ draft, base: stored })} onTake={undo} />}
          <FieldsOf draft={draft} {...fieldProps} />
          {save.error && <ChangeRefused error={save.error} onAgain={() => save.mutate()} />}
          <Group gap="xs">
            <Button type="submit" size="xs" {...off(denied)} disabled={!canSave} loading={save.isPending} data-save>
              Save
            </Button>
            {isChanged && (
              <>
                <Button size="xs" variant="default" onClick={undo}>
                  Undo the changes
                </Button>
                {isSound && (
                  <CopyAs
                    asked={{ api: "v1", name: "workflows.updateNode", fields: asked(workflow.workflowRevisionId) }}
                  />
                )}
                <Text size="sm">Not saved yet. It stays in this tab.</Text>
              </>
            )}
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
};

const FieldsOf = ({ draft, ...props }: FieldProps<NodeDraft>) => {
  switch (draft.type) {
    case "trigger":
      return <TriggerFields {...props} draft={draft} />;
    case "timer":
      return <TimerFields {...props} draft={draft} />;
    case "filter":
      return <FilterFields {...props} draft={draft} />;
    case "experiment":
      return <ExperimentFields {...props} draft={draft} />;
    case "variant":
      return <VariantFields {...props} draft={draft} />;
  }
};
