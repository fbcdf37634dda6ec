import { Alert, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { Answer } from "../../../parts/states.tsx";
import { useConditionFields } from "../../segments/condition-fields.ts";
import { useNode } from "../use-workflow.ts";
import { AddStep } from "./add.tsx";
import { FieldsForm } from "./fields-form.tsx";
import { MailFields } from "./mail.tsx";
import type { NodeEditProps } from "./props.ts";
import { RemoveStep } from "./remove.tsx";
import { Ways } from "./ways.tsx";

export const NodeEdit = ({ onSelect, ...props }: NodeEditProps) => {
  const { workflow, nodeId } = props;
  const isLocked = workflow.status === "Sending";
  const edit = { ...props, onSelect };
  return (
    <Stack gap="md">
      {isLocked && <Locked />}
      <Fields key={nodeId} {...props} isLocked={isLocked} />
      <Ways key={`ways ${nodeId}`} {...edit} isLocked={isLocked} />
      {!isLocked && (
        <>
          <AddStep key={`add ${nodeId}`} {...edit} />
          <RemoveStep {...edit} />
        </>
      )}
    </Stack>
  );
};

const Locked = () => (
  <Alert variant="light" color="span" title="Steps cannot be changed while the workflow is sending">
    <Text size="sm">
      Pause it first: contacts stay where they are, and new ones are queued for 24 hours. Its name, description and
      group can be changed at any time.
    </Text>
  </Alert>
);

const Fields = (props: Omit<NodeEditProps, "onSelect"> & { isLocked: boolean }) => {
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
