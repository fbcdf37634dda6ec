import "@xyflow/react/dist/style.css";
import "./canvas.css";
import { Button, Group, useComputedColorScheme } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { Drawn } from "../drawn.ts";
import { countsText, nameOf, numberText } from "../workflow-words.ts";
import { type CardNode, CardView } from "./card.tsx";
import { type At, layoutOf, NODE } from "./layout.ts";
import { walk } from "./walk.ts";
import { Way, type WayEdge } from "./way.tsx";

const TYPES = { card: CardView };
const EDGE_TYPES = { way: Way };

/** Smaller nodes are unreadable. */
const SMALLEST = 0.85;

/** Arrow keys move, Enter opens a node. */
export const Canvas = (drawn: Drawn) => (
  <ReactFlowProvider>
    <Flow {...drawn} />
  </ReactFlowProvider>
);

const useGraph = ({ workflow, status, selected, traced, problems }: Drawn) => {
  const { nodes: shape, rootNodeId, workflowRevisionId } = workflow;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a graph is the same as long as its revision is
  const { positions, passed: rows } = useMemo(() => layoutOf({ nodes: shape }), [workflow.id, workflowRevisionId]);
  const entry = selected !== undefined && shape[selected] ? selected : rootNodeId;
  const nodes = status.nodes.flatMap((node): CardNode[] => {
    const position = positions.get(node.nodeId);
    if (!position) return [];
    const data = {
      name: nameOf(node),
      counts: countsText(node),
      type: node.typeName,
      isEntry: node.nodeId === entry,
      isSelected: node.nodeId === selected,
      isTraced: traced.includes(node.nodeId),
      problem: problems.get(node.nodeId),
    };
    return [{ id: node.nodeId, type: "card", position, data, ...NODE }];
  });
  const ends = status.nodes.flatMap(({ edges: ways }) => ways.map(({ nodeId }) => nodeId));
  const edges = status.nodes.flatMap(({ nodeId, edges: ways }) =>
    ways.map(({ nodeId: to, passed }, index): WayEdge => {
      const id = `${nodeId} ${to}`;
      const rank = ways.length > 1 ? `${index + 1}: ` : "";
      const isKnown = positions.has(nodeId) && positions.has(to);
      const meets = ends.indexOf(to) !== ends.lastIndexOf(to);
      return {
        id,
        source: nodeId,
        target: to,
        type: "way",
        focusable: false,
        hidden: !isKnown,
        label: `${rank}${numberText(passed)}`,
        data: { passed: rows.get(id) ?? [], meets, isOnly: ways.length === 1 },
      };
    }),
  );
  return { positions, nodes, edges };
};

const useShow = (
  positions: ReadonlyMap<string, At>,
  selected: string | undefined,
  pane: RefObject<HTMLElement | null>,
  duration: number,
) => {
  const flow = useReactFlow();
  const show = useCallback(
    (id: string) => {
      const at = positions.get(id);
      const zoom = Math.max(SMALLEST, flow.getZoom());
      if (at) void flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, { zoom, duration });
    },
    [flow, positions, duration],
  );
  const latest = useRef<() => void>(undefined);
  latest.current = () => selected !== undefined && show(selected);
  useEffect(() => {
    const canvas = pane.current;
    if (!canvas) return;
    let width = canvas.clientWidth;
    const observer = new ResizeObserver(() => {
      if (canvas.clientWidth === width) return;
      width = canvas.clientWidth;
      // The library measures the canvas first.
      requestAnimationFrame(() => latest.current?.());
    });
    observer.observe(canvas);
    return () => observer.disconnect();
  }, [pane]);
  return show;
};

const Flow = (drawn: Drawn) => {
  const { workflow, onSelect } = drawn;
  const { positions, nodes, edges } = useGraph(drawn);
  const scheme = useComputedColorScheme();
  const duration = useReducedMotion(true) ? 0 : 200;
  const flow = useReactFlow();
  const pane = useRef<HTMLElement>(null);
  const fit = useCallback(
    async (time: number) => {
      await flow.fitView({ padding: 0.08, minZoom: SMALLEST, maxZoom: 1, duration: time });
      const root = positions.get(workflow.rootNodeId);
      const height = pane.current?.querySelector(".workflow-flow")?.clientHeight ?? 0;
      const lowest = Math.max(...[...positions.values()].map(({ y }) => y)) + NODE.height;
      const zoom = flow.getZoom();
      if (root && lowest * zoom > height)
        await flow.setCenter(root.x + NODE.width / 2, root.y + height / zoom / 2 - 24, { zoom, duration: time });
    },
    [flow, positions, workflow.rootNodeId],
  );
  const show = useShow(positions, drawn.selected, pane, duration);
  const focus = (id: string) => {
    pane.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    show(id);
  };
  const nodeIn = (target: EventTarget): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>("[data-node]")?.dataset.node : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const from = nodeIn(event.target);
    if (from === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const to = walk(workflow, positions, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  };
  const onClick = (event: MouseEvent) => {
    const id = nodeIn(event.target);
    if (id !== undefined) onSelect(id);
  };
  return (
    <section
      ref={pane}
      className="workflow-canvas"
      aria-label="Graph of the workflow"
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <Group gap={4} justify="flex-end" p={6}>
        <Button size="compact-xs" variant="default" onClick={() => void flow.zoomIn({ duration })}>
          Zoom in
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => void flow.zoomOut({ duration })}>
          Zoom out
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => void fit(duration)}>
          Fit
        </Button>
      </Group>
      <div className="workflow-flow">
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={scheme}
          onInit={() => void fit(0)}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y={true}
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          minZoom={0.1}
          maxZoom={1.5}
          preventScrolling={false}
          zoomOnScroll={false}
          panOnScroll={false}
          proOptions={{ hideAttribution: true }}
        />
      </div>
    </section>
  );
};
