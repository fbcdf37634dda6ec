import { ActionIcon, SegmentedControl, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { Filters } from "../../parts/filters.ts";
import { Beside } from "../../parts/graph/beside.tsx";
import { type Shape, shapesOf } from "../../parts/graph/layout.ts";
import { StepRows } from "../../parts/graph/rows.tsx";
import { Step } from "../../parts/graph/step.tsx";
import { Icon } from "../../parts/icons.tsx";
import { isTyping } from "../../parts/keys.ts";
import { Loading } from "../../parts/states.tsx";
import { Plus, useAdd } from "./edit/add.tsx";
import { type StepEdits, useStepEdits } from "./edit/edits.ts";
import { ChangeRefused } from "./edit/stale.tsx";
import { looksOf } from "./looks.ts";
import { nestedOf } from "./nested.ts";
import { NodePanel } from "./node/panel.tsx";
import { graphOf, pointAt } from "./shape.ts";
import { TrialPanel } from "./try/panel.tsx";
import type { Shown } from "./use-workflow.ts";

const Drawing = lazy(async () => ({ default: (await import("../../parts/graph/drawing.tsx")).Drawing }));

type Props = Shown & {
  filters: Filters;
  problems: ReadonlyMap<string, string>;
  onSelect: (nodeId: string | undefined) => void;
  onGo: (changes: Readonly<Record<string, string | undefined>>) => void;
};

/** Escape closes these before the step. */
const OVER = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';

/** The steps as a drawing or a list, with a panel beside them. */
export const Steps = ({ filters, problems, onSelect, onGo, ...shown }: Props) => {
  const { workflow, status, id } = shown;
  const [traced, setTraced] = useState<readonly string[]>([]);
  const isNarrow = useMediaQuery("(max-width: 48em)", globalThis.matchMedia("(max-width: 48em)").matches) ?? false;
  const { node, trial } = filters;
  const view = filters.view === "list" || filters.view === "graph" ? filters.view : isNarrow ? "list" : "graph";
  const part = useRef<HTMLDivElement>(null);
  const { panel, open } = useOpened(node ?? trial);
  const select = (nodeId: string | undefined) => {
    open();
    onSelect(nodeId);
  };
  const close = () => {
    onSelect(undefined);
    part.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(node ?? "")}"]`)?.focus();
  };
  const add = useAdd(shown, select);
  const edits = useStepEdits(id, workflow.id);
  const history = useHistoryKeys(edits, (nodeId) => nodeId !== node && onSelect(nodeId));
  const looks = looksOf(workflow, status, { traced, problems, isEdited: edits.isEdited });
  const names = (nodeId: string) => looks.get(nodeId)?.name ?? nodeId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a graph is the same as long as its revision is
  const graph = useMemo(() => {
    const shape = graphOf(workflow);
    const places = new Map<string, ReturnType<typeof pointAt>>();
    const at = (to: string, from?: string) => {
      const key = `${from} ${to}`;
      if (!places.has(key)) places.set(key, pointAt(shape, to, from));
      return places.get(key);
    };
    return { at, shapes: shapesOf(workflow.nodes), entries: nestedOf(workflow) };
  }, [workflow.id, workflow.workflowRevisionId]);
  const step = (nodeId: string, shape: Shape | "row" | "jump", isEntry = true) => {
    const look = looks.get(nodeId);
    if (!look) return null;
    return (
      <Step
        to="."
        search={(before: Record<string, unknown>) => ({ ...before, node: nodeId, cursor: undefined }) as never}
        replace
        id={nodeId}
        look={shape === "jump" ? { ...look, name: `Continues with ${look.name}` } : look}
        shape={shape}
        isOn={node === nodeId}
        tabIndex={isEntry ? 0 : -1}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          select(nodeId);
        }}
      />
    );
  };
  const plus = (to: string, from: string | undefined) => {
    const point = workflow.status === "Sending" ? undefined : graph.at(to, from);
    if (!point) return null;
    const where = from === undefined ? `before ${names(to)}, on every way` : `between ${names(from)} and ${names(to)}`;
    return <Plus points={[point]} add={add} names={names} label={`Add a step ${where}`} />;
  };
  const views = (
    <SegmentedControl
      aria-label="Show as"
      data={[
        { value: "graph", label: "Graph" },
        { value: "list", label: "List" },
      ]}
      value={view}
      onChange={(value) => onGo({ view: value })}
    />
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || node === undefined || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(OVER) !== null) return;
    close();
  };
  const isTrying = trial === "person" || trial === "events";
  const beside = isTrying ? (
    <TrialPanel
      {...shown}
      trying={trial}
      onTrace={setTraced}
      onSelect={select}
      onClose={() => onGo({ trial: undefined })}
    />
  ) : (
    node !== undefined && (
      <NodePanel
        key={node}
        {...shown}
        nodeId={node}
        look={looks.get(node)}
        tab={filters.tab}
        onTab={(tab) => onGo({ tab })}
        edits={edits}
        add={add}
        onSelect={select}
        onClose={close}
        ref={panel}
      />
    )
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any of its parts closes the step
    <div ref={part} onKeyDown={onKeyDown}>
      <Stack>
        {add.error && <ChangeRefused error={add.error} onAgain={() => add.variables && add.mutate(add.variables)} />}
        <Beside panel={beside}>
          {view === "list" ? (
            <StepRows
              label="Steps of the workflow"
              entries={graph.entries}
              shapes={graph.shapes}
              step={step}
              tools={
                <>
                  {history}
                  {views}
                </>
              }
            />
          ) : (
            <Suspense fallback={<Loading />}>
              <Drawing
                label="Graph of the workflow"
                nodes={workflow.nodes}
                revision={`${workflow.id} ${workflow.workflowRevisionId}`}
                selected={node}
                before={history}
                behind={views}
                step={(nodeId, isEntry) => step(nodeId, graph.shapes.get(nodeId) ?? "card", isEntry)}
                plus={plus}
              />
            </Suspense>
          )}
        </Beside>
      </Stack>
    </div>
  );
};

/** Moves the focus to the panel if a person opened it. */
const useOpened = (what: string | undefined) => {
  const wasOpened = useRef(false);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (what === undefined || !wasOpened.current) return;
    wasOpened.current = false;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [what]);
  const open = () => {
    wasOpened.current = true;
  };
  return { panel, open };
};

/** Buttons and keys for undo and redo of edits that are not saved. Ctrl or ⌘ with Z, and with shift for redo. */
const useHistoryKeys = ({ undo, redo }: StepEdits, onMoved: (nodeId: string) => void) => {
  const move = (act: (() => string | undefined) | undefined) => {
    const nodeId = act?.();
    if (nodeId !== undefined) onMoved(nodeId);
  };
  const latest = useRef(move);
  latest.current = move;
  const acts = useRef({ undo, redo });
  acts.current = { undo, redo };
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, target } = event;
      if (event.altKey || !(event.metaKey || event.ctrlKey) || !/^[zy]$/i.test(key)) return;
      const isOfStep = target instanceof Element && target.closest("[data-edits]") !== null;
      if ((isTyping(target) && !isOfStep) || document.querySelector('[role="dialog"]')) return;
      // The browser would take back letters of one field only.
      event.preventDefault();
      latest.current(event.shiftKey || /y/i.test(key) ? acts.current.redo : acts.current.undo);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <span className="graph-tool">
      {[["Undo", "undo", undo] as const, ["Redo", "redo", redo] as const].map(([label, icon, act]) => (
        <ActionIcon
          key={icon}
          size={30}
          variant="subtle"
          color="gray"
          aria-label={label}
          disabled={!act}
          onClick={() => move(act)}
        >
          <Icon name={icon} size={14} />
        </ActionIcon>
      ))}
    </span>
  );
};
