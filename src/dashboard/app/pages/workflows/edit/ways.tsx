import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { isFork, node } from "../../../../../lib/workflow-graph/edges.ts";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import { namesIn } from "../looks.ts";
import { NodeButton } from "../node-button.tsx";
import { graphOf, targetsOf } from "../shape.ts";
import { useChange } from "./change.ts";
import type { NodeEditProps } from "./props.ts";
import { ChangeRefused } from "./stale.tsx";

/** Ways of a fork, or possible next nodes. */
export const Ways = (props: NodeEditProps & { isLocked: boolean }) =>
  isFork(node(graphOf(props.workflow), props.nodeId)) ? <Paths {...props} /> : <Reroute {...props} />;

type Props = NodeEditProps & { isLocked: boolean };

const Paths = ({ nodeId, onSelect, isLocked, ...shown }: Props) => {
  const { team, workflow } = shown;
  const names = namesIn(shown);
  const fork = workflow.nodes[nodeId];
  const denied = useDenied({ api: "v1", name: "workflows.addBranch" });
  const add = useChange(
    shown,
    (expectedRevisionId) => team.v1.workflows.addBranch({ workflowId: workflow.id, nodeId, expectedRevisionId }),
    ({ node: { id } }) => {
      toast("The way is added, right of the others.");
      onSelect(id);
    },
  );
  return (
    <Stack gap="xs">
      <Text size="sm">
        {fork?.typeName === "BranchNode"
          ? "A person takes the first way whose filter matches, in this order. Without any, the person comes out. A new way comes last: to change the order, change the filters."
          : "A person goes to one of the variants, or to the control."}
      </Text>
      <Stack component="ol" gap={4} m={0} pl="md">
        {fork?.nextNodeIds.map((next) => (
          <li key={next}>
            <NodeButton onPress={() => onSelect(next)}>{names(next)}</NodeButton>
          </li>
        ))}
      </Stack>
      {!isLocked && (
        <Group>
          <Button
            size="xs"
            variant="default"
            {...off(denied)}
            onClick={() => denied === undefined && add.mutate()}
            loading={add.isPending}
            data-key="a"
          >
            Add a way
          </Button>
        </Group>
      )}
      {add.error && <ChangeRefused error={add.error} onAgain={() => add.mutate()} />}
    </Stack>
  );
};

const Reroute = ({ nodeId, onSelect: _, isLocked, ...shown }: Props) => {
  const { team, workflow } = shown;
  const denied = useDenied({ api: "v1", name: "workflows.reroute" });
  const [target, setTarget] = useState<string | null>(null);
  const names = namesIn(shown);
  const targets = targetsOf(graphOf(workflow), nodeId);
  const lead = useChange(
    shown,
    (expectedRevisionId, newTargetNodeId: string) =>
      team.v1.workflows.reroute({ workflowId: workflow.id, nodeId, expectedRevisionId, newTargetNodeId }),
    () => {
      setTarget(null);
      toast("The step leads there now.");
    },
  );
  if (isLocked || targets.length === 0) return null;
  const [now] = workflow.nodes[nodeId]?.nextNodeIds ?? [];
  return (
    <Stack gap="xs">
      <Stack gap="xs" align="flex-start">
        <Select
          label="Lead to another step"
          description={now === undefined ? undefined : `Now: ${names(now)}`}
          data={targets.map((value) => ({ value, label: names(value) }))}
          value={target !== null && targets.includes(target) ? target : null}
          onChange={setTarget}
          searchable
        />
        <Button
          size="xs"
          variant="default"
          disabled={target === null}
          loading={lead.isPending}
          {...off(denied)}
          onClick={() => target !== null && denied === undefined && lead.mutate(target)}
        >
          Lead there
        </Button>
      </Stack>
      {lead.error && (
        <ChangeRefused error={lead.error} onAgain={() => lead.variables !== undefined && lead.mutate(lead.variables)} />
      )}
    </Stack>
  );
};
