import { Button, Group, Menu } from "@mantine/core";
import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";
import { useButtonKey } from "../../../frame/keys.ts";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { toast } from "../../../parts/acts/toast.ts";
import { graphOf } from "../shape/graph.ts";
import { namesOf, TYPE_NAMES } from "../shape/names.ts";
import { type Place, placesAbove, placesBelow } from "../shape/places.ts";
import { useChange } from "./change.ts";
import type { NodeEditProps } from "./props.ts";
import { ChangeRefused } from "./stale.tsx";

type Added = { place: Place; type: CreatedType };

/** Key `a` adds below, or above the exit. */
export const AddStep = ({ nodeId, onSelect, ...shown }: NodeEditProps) => {
  const { team, workflow } = shown;
  const graph = graphOf(workflow);
  const below = placesBelow(graph, nodeId);
  const above = placesAbove(graph, nodeId);
  const add = useChange(
    shown,
    (expectedRevisionId, { place, type }: Added) =>
      team.v1.workflows.createNode({
        workflowId: workflow.id,
        expectedRevisionId,
        ...place.placement,
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
        {below.length > 0 && <Places {...menu} places={below} title="Add below" isKey />}
        {above.length > 0 && <Places {...menu} places={above} title="Add above" isKey={graph.exit === nodeId} />}
      </Group>
      {add.error && <ChangeRefused error={add.error} onAgain={() => add.variables && add.mutate(add.variables)} />}
    </>
  );
};

type PlacesProps = {
  places: readonly Place[];
  title: string;
  isKey: boolean;
  names: (nodeId: string) => string;
  isBusy: boolean;
  onAdd: (added: Added) => void;
};

const Places = ({ places, title, isKey, names, isBusy, onAdd }: PlacesProps) => {
  const denied = useDenied({ api: "v1", name: "workflows.createNode" });
  return (
    <Menu disabled={denied !== undefined} position="bottom-start" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...off(denied)} size="xs" variant="default" loading={isBusy} data-key={isKey ? "a" : undefined}>
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        {places.map((place) => {
          const where =
            places.length === 1
              ? ""
              : place.from === undefined
                ? " on every way here"
                : ` only on the way from ${names(place.from)}`;
          return [
            where !== "" && <Menu.Label key={where}>{where.trim().replace(/^o/, "O")}</Menu.Label>,
            ...place.types.map((type) => (
              <Menu.Item key={`${where} ${type}`} onClick={() => onAdd({ place, type })}>
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
