import { queries } from "../../../api/queries.ts";
import { isSame } from "../../../parts/acts/unsaved-fields.ts";
import type { ConditionFields } from "../../segments/condition-fields.ts";
import { keyOf } from "../use-workflow.ts";
import { changing, saidOf } from "./change.ts";
import { draftOf, type FullNode, type NodeDraft, payloadOf, problemsIn } from "./draft.ts";
import { FilterFields } from "./fields/filter.tsx";
import { ExperimentFields, VariantFields } from "./fields/fork.tsx";
import type { FieldProps } from "./fields/props.ts";
import { TimerFields } from "./fields/timer.tsx";
import { TriggerFields } from "./fields/trigger.tsx";
import type { StepProps } from "./props.ts";
import { StepForm } from "./step-form.tsx";

const PATHS: Readonly<Record<string, string>> = {
  key: "payload.contactPropertyQuery.key",
  was: "payload.contactPropertyQuery.was",
  is: "payload.contactPropertyQuery.is",
  segment: "payload.audienceSegmentId",
  rate: "payload.samplingRate",
};

type Props = StepProps & { node: FullNode; fields: ConditionFields };

export const FieldsForm = ({ node, fields, isLocked, edits, note, nodeId, ...shown }: Props) => {
  const { team, id, workflow } = shown;
  const { types } = fields;
  const stored = draftOf(node, types);
  if (!stored) return null;
  const fieldsOf = (draft: NodeDraft, expectedRevisionId = workflow.workflowRevisionId) => ({
    workflowId: workflow.id,
    nodeId,
    expectedRevisionId,
    payload: payloadOf(draft, types),
  });
  const save = async (draft: NodeDraft): Promise<NodeDraft> => {
    const answer = await changing(shown, (revision) => team.v1.workflows.updateNode(fieldsOf(draft, revision)));
    const now = { ...answer, workflowId: workflow.id };
    queries.setQueryData([...keyOf(id, workflow.id), "node", nodeId, now.workflowRevisionId], now);
    return draftOf(now, types) ?? stored;
  };
  return (
    <StepForm
      label="Fields of the step"
      nodeId={nodeId}
      edits={edits}
      stored={stored}
      isLocked={isLocked}
      isSound={(draft) => Object.keys(problemsIn(draft, types)).length === 0}
      asked={(draft) => ({ api: "v1", name: "workflows.updateNode", fields: fieldsOf(draft) })}
      save={save}
      done="The step is saved."
      note={note}
    >
      {(draft, onChange, error) => {
        const problems = isSame(draft, stored) ? {} : problemsIn(draft, types);
        const problem = (field: string) => problems[field] ?? saidOf(error, PATHS[field] ?? `payload.${field}`);
        return (
          <FieldsOf {...shown} draft={draft} fields={fields} error={error} problem={problem} onChange={onChange} />
        );
      }}
    </StepForm>
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
