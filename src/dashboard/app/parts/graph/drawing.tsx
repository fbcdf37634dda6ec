import "./graph.css";
import { ActionIcon, Button } from "@mantine/core";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Icon } from "../icons.tsx";
import { edgesOf, meetingAbove } from "./edge.ts";
import { layoutOf, type Nodes } from "./layout.ts";
import { walk } from "./walk.ts";

/** Smaller words are unreadable. */
const SMALLEST = 0.75;
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5] as const;

/** Pixels around the drawing, with room for the tools above it. */
const AROUND = 32;
const ABOVE = 76;

type Props = {
  label: string;
  nodes: Nodes;
  /** Changes with the graph, which is then drawn and fitted again. */
  revision: string;
  selected: string | undefined;
  /** Tools before and behind those of the zoom. */
  before: ReactNode;
  behind: ReactNode;
  /** A step. `isEntry`: the tab key comes to it. */
  step: (id: string, isEntry: boolean) => ReactNode;
  /** The `+` of an edge. Without `from`: of all edges to a step where several meet. */
  plus: (to: string, from: string | undefined) => ReactNode;
};

const isPan = ({ target, button }: PointerEvent): boolean =>
  button === 0 && target instanceof Element && target.closest("a, button") === null;

/** Moves a scrolling part with the mouse, at a place without a control. */
const panning = {
  onPointerDown: (event: PointerEvent<HTMLElement>) => {
    if (isPan(event) && event.pointerType === "mouse") event.currentTarget.setPointerCapture(event.pointerId);
  },
  onPointerMove: ({ currentTarget, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy(-movementX, -movementY);
  },
};

/** A graph from top to bottom. Arrow keys move between steps. It fits itself until a person zooms. */
export const Drawing = ({ label, nodes, revision, selected, before, behind, step, plus }: Props) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a graph is the same as long as its revision is
  const drawn = useMemo(() => {
    const made = layoutOf(nodes);
    return { ...made, edges: edgesOf(nodes, made) };
  }, [revision]);
  const { boxes, edges, width, height } = drawn;
  const pane = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<{ revision: string; zoom: number }>();
  const fitting = Math.min(1, (room.width - 2 * AROUND) / width, (room.height - ABOVE - AROUND) / height);
  const zoom = chosen?.revision === revision ? chosen.zoom : Math.max(SMALLEST, fitting);
  useEffect(() => {
    const part = pane.current;
    if (!part) return undefined;
    const observer = new ResizeObserver(() => setRoom({ width: part.clientWidth, height: part.clientHeight }));
    observer.observe(part);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is shown again where the room or the graph changes
  useEffect(() => {
    const part = pane.current;
    if (!part || room.width === 0) return;
    const box = boxes.get(selected ?? "") ?? { x: width / 2, y: 0, width: 0, height: 0 };
    const [x, y] = [AROUND + (box.x + box.width / 2) * zoom, ABOVE + (box.y + box.height / 2) * zoom];
    const isSeen = Math.abs(x - part.scrollLeft - room.width / 2) < room.width / 2 - 100;
    const isAtHeight = y > part.scrollTop + ABOVE && y < part.scrollTop + room.height - ABOVE;
    part.scrollTo({
      left: isSeen ? part.scrollLeft : x - room.width / 2,
      top: isAtHeight ? part.scrollTop : y - room.height / 2,
    });
  }, [selected, zoom, room.width, room.height, revision]);
  const zoomBy = (step: 1 | -1) => {
    const next = step > 0 ? ZOOMS.find((one) => one > zoom) : ZOOMS.findLast((one) => one < zoom);
    if (next !== undefined) setChosen({ revision, zoom: next });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-node]") : null;
    if (!at || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = walk(nodes, boxes, at.dataset.node ?? "", event.key);
    if (next === undefined) return;
    event.preventDefault();
    pane.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
  };
  const ends = edges.map(({ to }) => to);
  const meetings = [...new Set(ends.filter((to, n) => ends.indexOf(to) !== n))];
  const entry = selected !== undefined && boxes.has(selected) ? selected : Object.keys(nodes)[0];
  return (
    <section className="graph" aria-label={label} onKeyDown={onKeyDown}>
      <div className="graph-tools">
        {before}
        <span className="graph-tool">
          <ActionIcon size={30} variant="subtle" color="gray" aria-label="Zoom out" onClick={() => zoomBy(-1)}>
            <Icon name="less" size={14} />
          </ActionIcon>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setChosen({ revision, zoom: 1 })}>
            {Math.round(100 * zoom)} %
          </Button>
          <ActionIcon size={30} variant="subtle" color="gray" aria-label="Zoom in" onClick={() => zoomBy(1)}>
            <Icon name="add" size={14} />
          </ActionIcon>
        </span>
        <span className="graph-tool">
          <Button size="xs" variant="subtle" color="gray" onClick={() => setChosen(undefined)}>
            Fit
          </Button>
        </span>
        {behind}
      </div>
      <div className="graph-pane" ref={pane} {...panning}>
        <div
          className="graph-room"
          style={{ width: AROUND * 2 + width * zoom, height: ABOVE + AROUND + height * zoom }}
        >
          <div className="graph-drawing" style={{ width, height, zoom, left: AROUND / zoom, top: ABOVE / zoom }}>
            <svg width={width} height={height} aria-hidden="true" focusable="false">
              {edges.map(({ from, to, path }) => (
                <path key={`${from} ${to}`} d={path} data-on={from === selected || undefined} />
              ))}
            </svg>
            {Object.keys(nodes).map((id) => {
              const { x = 0, y = 0, ...size } = boxes.get(id) ?? {};
              return (
                <div key={id} className="graph-at" style={{ left: x, top: y, ...size }}>
                  {step(id, id === entry)}
                </div>
              );
            })}
            {edges.map(({ from, to, plus: { x, y } }) => (
              <div key={`${from} ${to}`} className="graph-plus" style={{ left: x, top: y }}>
                {plus(to, from)}
              </div>
            ))}
            {meetings.map((to) => {
              const box = boxes.get(to);
              const { x, y } = box ? meetingAbove(box) : { x: 0, y: 0 };
              return (
                <div key={to} className="graph-plus" style={{ left: x, top: y }}>
                  {plus(to, undefined)}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </section>
  );
};
