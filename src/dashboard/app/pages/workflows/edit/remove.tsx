import { Group, List, Stack, Text } from "@mantine/core";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import { namesIn } from "../looks.ts";
import { graphOf, removalsAt, unsentOf } from "../shape.ts";
import { counted, people } from "../words.ts";
import { inWords, leaveText, waitText, withConfirmed } from "./discard.ts";
import type { NodeEditProps } from "./props.ts";

const MOST_NAMED = 10;

/** Deletes a node, optionally with nodes reachable only through it. */
export const RemoveStep = (props: NodeEditProps) => {
  const { one, below } = removalsAt(graphOf(props.workflow), props.nodeId);
  if (!one && below === undefined) return null;
  return (
    <Group gap="xs">
      {one && (
        <ActButton icon="delete" act={removing(props, [props.nodeId], "deleteNode")}>
          Delete this step
        </ActButton>
      )}
      {below && <ActButton act={removing(props, below, "deleteNodeRecursively")}>Delete with what is below</ActButton>}
    </Group>
  );
};

type Operation = "deleteNode" | "deleteNodeRecursively";

const removing = (
  { nodeId, onSelect, ...shown }: NodeEditProps,
  gone: readonly string[],
  operation: Operation,
): Act<unknown> => {
  const { team, workflow, status } = shown;
  const names = namesIn(shown);
  const fields = { workflowId: workflow.id, nodeId, expectedRevisionId: workflow.workflowRevisionId };
  const ask = team.v1.workflows[operation];
  const steps = counted(gone.length, "step");
  const parent = Object.entries(workflow.nodes).find(([, { nextNodeIds }]) => nextNodeIds.includes(nodeId))?.[0];
  return {
    title: gone.length === 1 ? `Delete “${names(nodeId)}”?` : `Delete ${steps}?`,
    label: "Delete",
    color: "red",
    effect: async () => {
      const { queuedContactCount: waiting, nodeIds } = await ask({ ...fields, dryRun: true }).catch(async (error) => {
        throw await inWords(error, shown);
      });
      const mails = unsentOf(status.nodes, nodeIds);
      return {
        ...(waiting > 0
          ? {
              count: waiting,
              label: `Delete, and take ${people(waiting)} out`,
              asked: {
                api: "v1",
                name: `workflows.${operation}`,
                fields: { ...fields, queuedContactPolicy: "discard" },
              },
            }
          : {}),
        text: (
          <Stack gap="xs">
            {nodeIds.length > 1 && <Steps names={nodeIds.map(names)} />}
            <Text size="sm">
              {operation === "deleteNode"
                ? "What led here leads to the step after it."
                : "What led here leads on without these steps."}
            </Text>
            <Text size="sm">{waitingText(waiting, nodeIds.length)}</Text>
            {mails > 0 && <Text size="sm">{counted(mails, "mail")} that did not leave yet will not be sent.</Text>}
          </Stack>
        ),
      };
    },
    run: (effect) => withConfirmed(shown, effect?.count ?? 0, (policy) => ask({ ...fields, ...policy })),
    done: () => (gone.length === 1 ? "The step is deleted." : `${steps} are deleted.`),
    onDone: () => onSelect(parent),
    asked: { api: "v1", name: `workflows.${operation}`, fields },
  };
};

const waitingText = (waiting: number, steps: number): string => {
  const here = steps === 1 ? "here" : "at these steps";
  if (waiting === 0) return `Nobody waits ${here}. If somebody does when you delete, nothing is changed.`;
  return `${waitText(waiting)} ${here}. ${leaveText(waiting)} To keep them in it, cancel: resume the workflow until nobody waits here, then delete.`;
};

const Steps = ({ names }: { names: readonly string[] }) => (
  <>
    <Text size="sm">Deleted are:</Text>
    <List size="sm">
      {names.slice(0, MOST_NAMED).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have one name
        <List.Item key={index} className="wrap">
          {name}
        </List.Item>
      ))}
    </List>
    {names.length > MOST_NAMED && <Text size="sm">and {names.length - MOST_NAMED} more.</Text>}
  </>
);
