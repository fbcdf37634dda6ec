import { describe, expect, it } from "vitest";
import {
  type Edits,
  edited,
  NO_EDITS,
  redone,
  savedIn,
  undone,
} from "../../../../src/dashboard/app/pages/workflows/edit/edits.ts";

const timer = (amount: string, unit = "d") => ({ draft: { amount, unit }, base: { amount: "1", unit: "d" } });

const made = (...acts: ((edits: Edits) => Edits | undefined)[]): Edits =>
  acts.reduce((edits, act) => act(edits) ?? edits, NO_EDITS);
const type =
  (nodeId: string, ...given: Parameters<typeof timer>) =>
  (edits: Edits) =>
    edited(edits, nodeId, timer(...given));
const undo = (edits: Edits) => undone(edits)?.edits;
const redo = (edits: Edits) => redone(edits)?.edits;
const drafts = ({ kept }: Edits) => Object.fromEntries(Object.entries(kept).map(([id, { draft }]) => [id, draft]));

describe("edits that are not saved", () => {
  it("are undone and redone one by one, in the order in which they were made, at whichever step", () => {
    const all = made(type("a", "2"), type("b", "5"), type("a", "2", "h"));
    expect(drafts(all)).toEqual({ a: { amount: "2", unit: "h" }, b: { amount: "5", unit: "d" } });
    expect(undone(all)?.nodeId).toBe("a");
    expect(drafts(made(() => all, undo))).toEqual({ a: { amount: "2", unit: "d" }, b: { amount: "5", unit: "d" } });
    expect(drafts(made(() => all, undo, undo))).toEqual({ a: { amount: "2", unit: "d" } });
    expect(made(() => all, undo, undo, undo).kept).toEqual({});
    expect(drafts(made(() => all, undo, undo, undo, redo, redo, redo))).toEqual(drafts(all));
    expect([undone(NO_EDITS), redone(all)]).toEqual([undefined, undefined]);
  });

  it("are one edit where letters are typed into one field, and another one in another field", () => {
    const typed = made(type("a", "12"), type("a", "120"), type("a", "1200"), type("a", "120"));
    expect(made(() => typed, undo).kept).toEqual({});
    const both = made(() => typed, type("a", "120", "m"));
    expect(drafts(made(() => both, undo))).toEqual({ a: { amount: "120", unit: "d" } });
  });

  it("begin anew after an undo: the edit that was undone cannot be redone", () => {
    const anew = made(type("a", "2"), type("b", "3"), undo, type("a", "4"));
    expect(redone(anew)).toBeUndefined();
    expect(drafts(made(() => anew, undo))).toEqual({ a: { amount: "2", unit: "d" } });
  });

  it("can be taken back all at once, and this too is undone", () => {
    const none = made(type("a", "2"), (edits) => edited(edits, "a", null));
    expect(none.kept).toEqual({});
    expect(drafts(made(() => none, undo))).toEqual({ a: { amount: "2", unit: "d" } });
  });

  it("of a step that was saved are forgotten, those of another step are not", () => {
    const saved = savedIn(made(type("a", "2"), type("b", "3")), "a", null);
    expect(drafts(saved)).toEqual({ b: { amount: "3", unit: "d" } });
    expect(made(() => saved, undo).kept).toEqual({});
    expect(undone(made(() => saved, undo))).toBeUndefined();
  });
});
