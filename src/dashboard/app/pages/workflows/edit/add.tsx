import { Button, Group, Menu } from "@mantine/core";
import type { ReactNode } from "react";
import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import { PlusButton } from "../../../parts/graph/step.tsx";
import { Icon } from "../../../parts/icons.tsx";
import { useButtonKey } from "../../../parts/keys.ts";
import { namesIn } from "../looks.ts";
import { graphOf, type InsertPoint, pointsAbove, pointsBelow, TYPE_NAMES } from "../shape.ts";
import type { Shown } from "../use-workflow.ts";
import { useChange } from "./change.ts";

type Added = { point: InsertPoint; type: CreatedType };

/** Adds a step at a place, and shows it. */
export const useAdd = (shown: Shown, onSelect: (nodeId: string) => void) =>
  useChange(
    shown,
    (expectedRevisionId, { point, type }: Added) =>
      shown.team.v1.workflows.createNode({
        workflowId: shown.workflow.id,
        expectedRevisionId,
        ...point.placement,
        nodeTypeName: type,
      } as never),
    ({ node }, { type }) => {
      toast(`Added: ${TYPE_NAMES[type]}.`);
      onSelect(node.id);
    },
  );

export type Add = ReturnType<typeof useAdd>;

type MenuProps = { points: readonly InsertPoint[]; add: Add; names: (nodeId: string) => string; children: ReactNode };

const StepMenu = ({ points, add, names, children }: MenuProps) => {
  const denied = useDenied({ api: "v1", name: "workflows.createNode" });
  const whereOf = ({ from }: InsertPoint): string =>
    points.length === 1 ? "" : from === undefined ? "on every way here" : `only on the way from ${names(from)}`;
  return (
    <Menu disabled={denied !== undefined} position="bottom-start" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah={360} className="scrolls">
        {points.map((point) => {
          const where = whereOf(point);
          return [
            where !== "" && <Menu.Label key={where}>{where.replace(/^o/, "O")}</Menu.Label>,
            ...point.types.map((type) => (
              <Menu.Item key={`${where} ${type}`} onClick={() => add.mutate({ point, type })}>
                {TYPE_NAMES[type]}
                {where !== "" && <span className="hidden-text"> {where}</span>}
              </Menu.Item>
            )),
          ];
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

/** The `+` of an edge. */
export const Plus = ({ label, ...menu }: Omit<MenuProps, "children"> & { label: string }) => {
  const denied = useDenied({ api: "v1", name: "workflows.createNode" });
  return (
    <StepMenu {...menu}>
      <PlusButton aria-label={label} {...off(denied)} />
    </StepMenu>
  );
};

/** Adds a step beside one, for the list and the keyboard: key `a` adds below, or above the exit. */
export const AddStep = ({ nodeId, add, ...shown }: Shown & { nodeId: string; add: Add }) => {
  const graph = graphOf(shown.workflow);
  const denied = useDenied({ api: "v1", name: "workflows.createNode" });
  useButtonKey("a");
  const places = [
    { title: "Add below", points: pointsBelow(graph, nodeId), isKey: true },
    { title: "Add above", points: pointsAbove(graph, nodeId), isKey: graph.exit === nodeId },
  ];
  return (
    <Group gap="xs">
      {places.map(
        ({ title, points, isKey }) =>
          points.length > 0 && (
            <StepMenu key={title} points={points} add={add} names={namesIn(shown)}>
              <Button
                {...off(denied)}
                size="xs"
                variant="default"
                leftSection={<Icon name="add" size={14} />}
                loading={add.isPending}
                data-key={isKey ? "a" : undefined}
              >
                {title}
              </Button>
            </StepMenu>
          ),
      )}
    </Group>
  );
};
