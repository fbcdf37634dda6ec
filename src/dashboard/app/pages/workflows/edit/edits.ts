import { useRef } from "react";
import { useDraft } from "../../../parts/acts/draft.ts";
import { isSame } from "../../../parts/acts/unsaved-fields.ts";

/** Typed values of a step, not saved. `base`: stored when the typing began. */
export type Kept<D = unknown> = { draft: D; base: D };

/** A step before or after an edit. `typed`: the one text that the edit changed. */
type Change = { nodeId: string; kept: Kept | null; typed?: string | undefined };

/** Edits of all steps. `past`: changes that can be undone, the newest last. `future`: changes that can be redone. */
export type Edits = {
  kept: Readonly<Record<string, Kept>>;
  past: readonly Change[];
  future: readonly Change[];
};

export const NO_EDITS: Edits = { kept: {}, past: [], future: [] };

/** Edits that can be undone. */
const MOST = 100;

/** Path of the only text that differs, or undefined. */
const typedPath = (a: unknown, b: unknown): string | undefined => {
  if (typeof a === "string" && typeof b === "string") return "";
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return undefined;
  const [before, after] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(before[name], after[name]),
  );
  const [only] = differing;
  if (only === undefined || differing.length > 1) return undefined;
  const below = typedPath(before[only], after[only]);
  return below === undefined ? undefined : `${only}.${below}`;
};

const withKept = (all: Edits["kept"], nodeId: string, kept: Kept | null): Edits["kept"] => {
  const { [nodeId]: _, ...others } = all;
  return kept === null ? others : { ...others, [nodeId]: kept };
};

/** Keeps an edit. Letters typed one after the other into one field are one edit. */
export const edited = ({ kept, past, future }: Edits, nodeId: string, next: Kept | null): Edits => {
  const before = kept[nodeId] ?? null;
  const shown = before === null ? next?.base : before.draft;
  // Another person may have saved the same values meanwhile. The typed value is kept, and is no new edit.
  if (next !== null && isSame(shown, next.draft)) return { kept: withKept(kept, nodeId, next), past, future };
  const typed = next === null ? undefined : typedPath(shown, next.draft);
  const last = past.at(-1);
  const isSameText = typed !== undefined && future.length === 0 && last?.nodeId === nodeId && last.typed === typed;
  const more = isSameText ? past : [...past, { nodeId, kept: before, typed }].slice(-MOST);
  return { kept: withKept(kept, nodeId, next), past: more, future: [] };
};

/** Takes the newest change of one side to the other. Undefined if there is none. */
const moved = (edits: Edits, from: "past" | "future", to: "past" | "future") => {
  const change = edits[from].at(-1);
  if (!change) return undefined;
  const { nodeId, kept } = change;
  const own: Change = { nodeId, kept: edits.kept[nodeId] ?? null };
  const next: Edits = {
    ...edits,
    kept: withKept(edits.kept, nodeId, kept),
    [from]: edits[from].slice(0, -1),
    [to]: [...edits[to], own],
  };
  return { edits: next, nodeId };
};

export const undone = (edits: Edits) => moved(edits, "past", "future");
export const redone = (edits: Edits) => moved(edits, "future", "past");

/** Drops the edits of a step, because it was saved. `kept`: what was typed since. */
export const savedIn = ({ kept, past, future }: Edits, nodeId: string, left: Kept | null): Edits => {
  const isOther = (change: Change) => change.nodeId !== nodeId;
  return { kept: withKept(kept, nodeId, left), past: past.filter(isOther), future: future.filter(isOther) };
};

/** Unsaved edits of a workflow's steps. They stay in this tab. */
export const useStepEdits = (team: string, workflowId: string) => {
  const [edits, set, clear] = useDraft<Edits>(`workflow steps ${team} ${workflowId}`, NO_EDITS);
  const latest = useRef(edits);
  latest.current = edits;
  const change = (next: Edits) => {
    latest.current = next;
    set(next);
    if (isSame(next, NO_EDITS)) clear();
  };
  const move = (to: typeof undone) => {
    const next = to(latest.current);
    if (next) change(next.edits);
    return next?.nodeId;
  };
  const isEdited = (nodeId: string): boolean => {
    const one = edits.kept[nodeId];
    return one !== undefined && !isSame(one.draft, one.base);
  };
  return {
    keptOf: (nodeId: string): Kept | null => edits.kept[nodeId] ?? null,
    isEdited,
    hasEdits: Object.keys(edits.kept).some(isEdited),
    keep: (nodeId: string, kept: Kept | null) => change(edited(latest.current, nodeId, kept)),
    /** After a save of `sent`, which is `base` now. */
    saved: (nodeId: string, sent: unknown, base: unknown) => {
      const typed = latest.current.kept[nodeId];
      const isLeft = typed !== undefined && !isSame(typed.draft, sent);
      change(savedIn(latest.current, nodeId, isLeft ? { draft: typed.draft, base } : null));
    },
    undo: edits.past.length > 0 ? () => move(undone) : undefined,
    redo: edits.future.length > 0 ? () => move(redone) : undefined,
  };
};

export type StepEdits = ReturnType<typeof useStepEdits>;
