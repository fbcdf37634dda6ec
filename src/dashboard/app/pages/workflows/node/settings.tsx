import { Stack } from "@mantine/core";
import { useRef } from "react";
import { Note } from "../../../parts/cards/cards.tsx";
import { Answer } from "../../../parts/states.tsx";
import { useConditionFields } from "../../segments/condition-fields.ts";
import { type Add, AddStep } from "../edit/add.tsx";
import type { StepEdits } from "../edit/edits.ts";
import { FieldsForm } from "../edit/fields-form.tsx";
import { MailFields } from "../edit/mail.tsx";
import type { NodeEditProps, StepProps } from "../edit/props.ts";
import { RemoveStep } from "../edit/remove.tsx";
import { Ways } from "../edit/ways.tsx";
import { nodeOf } from "../looks.ts";
import { useNode } from "../use-workflow.ts";
import { people } from "../words.ts";

/** Everything that can be changed at a step. */
export const Settings = ({ edits, add, ...props }: NodeEditProps & { edits: StepEdits; add: Add }) => {
  const { workflow, status, nodeId } = props;
  const isLocked = workflow.status === "Sending";
  const waiting = nodeOf(status, nodeId)?.waiting ?? 0;
  const note = waiting > 0 && (
    <Note tone="warn" icon="info" title={`You change it for ${people(waiting)} who wait here.`}>
      The resume dialog says what that means for them, before it happens.
    </Note>
  );
  return (
    <Stack gap="md">
      {isLocked && (
        <Note title="Steps cannot be changed while the workflow is live.">
          Pause it first: people stay where they are, and new ones are queued for 24 hours. Its name, description and
          group can be changed at any time.
        </Note>
      )}
      <Fields {...props} edits={edits} isLocked={isLocked} note={note} />
      <Ways {...props} isLocked={isLocked} />
      {!isLocked && (
        <>
          <AddStep {...props} add={add} />
          <RemoveStep {...props} />
        </>
      )}
    </Stack>
  );
};

const Fields = (props: StepProps) => {
  const { team, id, workflow, nodeId } = props;
  const node = useNode(team, id, workflow, nodeId);
  const fields = useConditionFields(team);
  const one = workflow.nodes[nodeId];
  // Keeps the fields during the refetch, so typing continues.
  const latest = useRef(node.data);
  if (node.data !== undefined) latest.current = node.data;
  if (one?.typeName === "ExitAction") return null;
  if (one?.typeName === "SendEmailAction") return <MailFields {...props} emailMessageId={one.emailMessageId} />;
  return (
    <Answer query={{ ...node, data: latest.current }} rows={3}>
      {(full) => <Answer query={fields}>{(known) => <FieldsForm {...props} node={full} fields={known} />}</Answer>}
    </Answer>
  );
};
