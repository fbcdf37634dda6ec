import "./parts.css";
import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { Filters } from "../../parts/filters.ts";
import { Loading } from "../../parts/states.tsx";
import { NodeEdit } from "./edit/node-edit.tsx";
import { NestedList } from "./list/nested.tsx";
import { NodeFacts } from "./node/facts.tsx";
import { TrialPanel } from "./try/panel.tsx";
import type { Shown } from "./use-workflow.ts";

const Canvas = lazy(async () => ({ default: (await import("./graph/canvas.tsx")).Canvas }));

type Props = Shown & {
  filters: Filters;
  problems: ReadonlyMap<string, string>;
  onSelect: (nodeId: string | undefined) => void;
  onGo: (changes: Readonly<Record<string, string | undefined>>) => void;
};

/** Escape closes these before the node. */
const OVER = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';

export const Nodes = ({ filters, problems, onSelect, onGo, ...shown }: Props) => {
  const [traced, setTraced] = useState<readonly string[]>([]);
  const isNarrow = useMediaQuery("(max-width: 48em)", globalThis.matchMedia("(max-width: 48em)").matches) ?? false;
  const { node, trial } = filters;
  const view = filters.view === "list" || filters.view === "graph" ? filters.view : isNarrow ? "list" : "graph";
  const wasOpened = useRef(false);
  const part = useRef<HTMLDivElement>(null);
  const select = (nodeId: string | undefined) => {
    wasOpened.current = true;
    onSelect(nodeId);
  };
  const close = () => {
    onSelect(undefined);
    const control = part.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(node ?? "")}"]`);
    (control?.matches("button") ? control : control?.querySelector("a"))?.focus();
  };
  const endTrial = () => {
    setTraced([]);
    onGo({ trial: undefined });
  };
  const drawn = { ...shown, selected: node, traced, problems, onSelect: select };
  const isTrying = trial === "person" || trial === "events";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || node === undefined || event.defaultPrevented) return;
    const isOver = event.target instanceof Element && event.target.closest(OVER) !== null;
    if (isOver) return;
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any of its parts closes the node
    <div ref={part} onKeyDown={onKeyDown}>
      <Group mb="xs">
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={[
            { value: "graph", label: "Graph" },
            { value: "list", label: "List" },
          ]}
          value={view}
          onChange={(value) => onGo({ view: value })}
        />
      </Group>
      <div className="workflow-parts" data-open={node !== undefined || isTrying || undefined}>
        {view === "list" ? (
          <NestedList {...drawn} />
        ) : (
          <Suspense fallback={<Loading />}>
            <Canvas {...drawn} />
          </Suspense>
        )}
        {isTrying && (
          <Stack component="section" aria-label="The trial" miw={0}>
            <TrialPanel {...shown} trying={trial} onTrace={setTraced} onSelect={select} onClose={endTrial} />
          </Stack>
        )}
        {!isTrying && node !== undefined && (
          <Panel key={node} takesFocus={wasOpened} onClose={close}>
            <NodeFacts {...shown} nodeId={node} />
            {shown.workflow.nodes[node] && <NodeEdit {...shown} nodeId={node} onSelect={select} />}
          </Panel>
        )}
      </div>
    </div>
  );
};

/** Takes the focus only if a person opened it. */
const Panel = ({
  takesFocus,
  onClose,
  children,
}: {
  takesFocus: { current: boolean };
  onClose: () => void;
  children: ReactNode;
}) => {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [takesFocus]);
  return (
    <Stack component="section" aria-label="The node" ref={panel} tabIndex={-1} miw={0}>
      <Group justify="flex-end">
        <Button size="compact-xs" variant="default" onClick={onClose}>
          Close the node
        </Button>
      </Group>
      {children}
    </Stack>
  );
};
