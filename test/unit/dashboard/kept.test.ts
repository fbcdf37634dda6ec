import { describe, expect, it } from "vitest";
import {
  changedSince,
  conflictsIn,
  isUnseen,
  type Kept,
  keptSince,
  keptWith,
  keptWithout,
  typedOver,
} from "../../../src/dashboard/app/parts/acts/unsaved-fields.ts";

type Two = { name: string; text: string };
const stored: Two = { name: "Stored", text: "one" };
const mine: Kept<Two> = { name: { was: "Stored", now: "Mine" } };

describe("what a person has typed over what is stored", () => {
  it("is kept by field, with what was stored as it was changed first", () => {
    const kept = keptWith(mine, { ...stored, name: "Theirs" }, { name: "Mine too", text: "two" });
    expect(kept).toEqual({ name: { was: "Stored", now: "Mine too" }, text: { was: "one", now: "two" } });
    expect(typedOver(stored, mine)).toEqual({ name: "Mine", text: "one" });
  });

  it("is not kept where it is taken back", () => {
    expect(keptWith(mine, stored, { name: "Stored" })).toEqual({});
  });

  it("conflicts only with what another person saved in the same field, and otherwise", () => {
    expect(conflictsIn(stored, mine)).toEqual([]);
    expect(conflictsIn({ ...stored, text: "theirs" }, mine)).toEqual([]);
    expect(conflictsIn({ ...stored, name: "Mine" }, mine)).toEqual([]);
    const theirs = { ...stored, name: "Theirs" };
    expect(conflictsIn(theirs, mine)).toEqual(["name"]);
    expect(isUnseen(stored, theirs, mine)).toBe(true);
    expect(isUnseen(theirs, theirs, mine)).toBe(false);
    expect(keptWithout(mine, ["name"])).toEqual({});
  });

  it("stays after a save as far as it was typed since, over what is stored now", () => {
    const now = { name: "Mine", text: "theirs" };
    const more = { ...mine, name: { was: "Stored", now: "Mine and more" } };
    expect(keptSince(mine, mine, now)).toEqual({});
    expect(keptSince(mine, more, now)).toEqual({ name: { was: "Mine", now: "Mine and more" } });
    const other = { ...mine, text: { was: "one", now: "two" } };
    expect(keptSince(mine, other, now)).toEqual({ text: { was: "theirs", now: "two" } });
    expect(keptSince(mine, other, now, () => ["name", "text"] as const)).toEqual({
      name: { was: "Mine", now: "Mine" },
      text: { was: "theirs", now: "two" },
    });
    expect(changedSince({ a: "1", b: "2" }, { a: "1", b: "3" })).toEqual({ b: "3" });
  });
});
