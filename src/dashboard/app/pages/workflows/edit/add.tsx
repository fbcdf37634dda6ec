import { Button, Group, Menu } from "@mantine/core";
import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import { useButtonKey } from "../../../parts/keys.ts";
import { graphOf } from "../shape/graph.ts";
import { type InsertPoint, pointsAbove, pointsBelow } from "../shape/insert-points.ts";
import { namesOf, TYPE_NAMES } from "../shape/names.ts";
import { useChange } from "./change.ts";
import type { NodeEditProps } from "./props.ts";
import { ChangeRefused } from "./stale.tsx";

type Added = { point: InsertPoint; type: CreatedType };

/** Key `a` adds below, or above the exit. */
export const AddStep = ({ nodeId, onSelect, ...shown }: NodeEditProps) => {
  const { team, workflow } = shown;
  const graph = graphOf(workflow);
  const below = pointsBelow(graph, nodeId);
  const above = pointsAbove(graph, nodeId);
  const add = useChange(
    shown,
    (expectedRevisionId, { point, type }: Added) =>
      team.v1.workflows.createNode({
        workflowId: workflow.id,
        expectedRevisionId,
        ...point.placement,
        nodeTypeName: type,
      } as never),
    ({ node }, { type }) => {
      toast(`Added: ${TYPE_NAMES[type]}.`);
      onSelect(node.id);
    },
  );
  useButtonKey("a");
  const menu = { names: namesOf(shown.status), isBusy: add.isPending, onAdd: add.mutate };
  return (
    <>
      <Group gap="xs">
        {below.length > 0 && <InsertPoints {...menu} points={below} title="Add below" isKey />}
        {above.length > 0 && <InsertPoints {...menu} points={above} title="Add above" isKey={graph.exit === nodeId} />}
      </Group>
      {add.error && <ChangeRefused error={add.error} onAgain={() => add.variables && add.mutate(add.variables)} />}
    </>
  );
};

type InsertPointsProps = {
  points: readonly InsertPoint[];
  title: string;
  isKey: boolean;
  names: (nodeId: string) => string;
  isBusy: boolean;
  onAdd: (added: Added) => void;
};

const InsertPoints = ({ points, title, isKey, names, isBusy, onAdd }: InsertPointsProps) => {
  const denied = useDenied({ api: "v1", name: "workflows.createNode" });
  return (
    <Menu disabled={denied !== undefined} position="bottom-start" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...off(denied)} size="xs" variant="default" loading={isBusy} data-key={isKey ? "a" : undefined}>
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} className="scrolls">
        {points.map((point) => {
          const where =
            points.length === 1
              ? ""
              : point.from === undefined
                ? " on every way here"
                : ` only on the way from ${names(point.from)}`;
          return [
            where !== "" && <Menu.Label key={where}>{where.trim().replace(/^o/, "O")}</Menu.Label>,
            ...point.types.map((type) => (
              <Menu.Item key={`${where} ${type}`} onClick={() => onAdd({ point, type })}>
                {TYPE_NAMES[type]}
                {where !== "" && <span className="hidden-text">{where}</span>}
              </Menu.Item>
            )),
          ];
        })}
      </Menu.Dropdown>
    </Menu>
  );
};
