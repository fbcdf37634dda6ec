import { describe, expect, it } from "vitest";
import { answerOf, compared, readEach, type Scan } from "../../../src/dashboard/app/parts/scan.ts";
import { untold } from "../../../src/dashboard/app/story/chapters.ts";
import type { StoryMail } from "../../../src/dashboard/app/story/story-types.ts";

describe("several lists as one", () => {
  it("go on each from its own cursor, until all are at their end", async () => {
    const asked: string[] = [];
    const pages: Record<string, { data: string[]; next: string | null }> = {
      "a ": { data: ["a1"], next: "2" },
      "a 2": { data: ["a2"], next: null },
      "b ": { data: ["b1"], next: null },
    };
    const read = readEach(["a", "b"], async (key, cursor = "") => {
      asked.push(`${key} ${cursor}`);
      return pages[`${key} ${cursor}`] ?? { data: [], next: null };
    });
    const { signal } = new AbortController();
    const first = await read(undefined, signal);
    expect(first.data).toEqual(["a1", "b1"]);
    expect(await read(first.next ?? undefined, signal)).toEqual({ data: ["a2"], next: null });
    expect(asked).toEqual(["a ", "b ", "a 2"]);
    expect(await readEach([], async () => ({ data: [], next: "x" }))(undefined, signal)).toEqual({
      data: [],
      next: null,
    });
  });
});

describe("the answer of a scan", () => {
  const scan = (changes: Partial<Scan<string>>): Scan<string> => ({
    found: [],
    next: undefined,
    searchedTo: undefined,
    isLooking: false,
    isFull: false,
    error: undefined,
    at: 5,
    stop: () => {},
    lookOn: () => {},
    retry: () => {},
    newer: { fresh: 0, isGone: false },
    ...changes,
  });

  it("is there with the first row, or when it is certain that there is no row", () => {
    expect(answerOf(scan({ isLooking: true })).data).toBeUndefined();
    expect(answerOf(scan({ next: "more", isLooking: true })).data).toBeUndefined();
    expect(answerOf(scan({ next: "more", found: ["a"] })).data).toEqual(["a"]);
    expect(answerOf(scan({ next: null })).data).toEqual([]);
  });

  it("stays after a failure, with its age, and also when nothing was found", () => {
    const error = new Error("no");
    expect(answerOf(scan({ next: null, error }))).toMatchObject({ data: [], error, dataUpdatedAt: 5 });
    expect(answerOf(scan({ found: ["a"], next: null, error }))).toMatchObject({ data: ["a"], error });
    expect(answerOf(scan({ error }))).toMatchObject({ data: undefined, error });
  });
});

describe("a page that is read again", () => {
  type Row = { id: string; state: string };
  const rows = (text: string): Row[] =>
    text
      .split(" ")
      .filter(Boolean)
      .map((id) => ({ id, state: "old" }));
  const now = (text: string): Row[] => rows(text).map((row) => ({ ...row, state: "new" }));
  const idOf = ({ id }: Row) => id;
  const STAYS = { fresh: 0, isGone: false };

  it("has the values of now in the places of before", () => {
    const later = { data: now("c b a"), next: "a" };
    const { part, changes } = compared({ data: rows("c b a"), next: "a" }, later, idOf);
    expect([part, changes]).toEqual([later, STAYS]);
  });

  it("keeps its rows, its end and their order, and counts what is new", () => {
    const shown = { data: rows("c b a"), next: "a" };
    const { part, changes } = compared(shown, { data: now("e d c"), next: "c" }, idOf);
    expect(part).toEqual({ data: [...now("c"), ...rows("b a")], next: "a" });
    expect(changes).toEqual({ fresh: 2, isGone: false });
    const none = compared(shown, { data: now("f e d"), next: "d" }, idOf);
    expect([none.part, none.changes]).toEqual([shown, { fresh: 3, isGone: false }]);
  });

  it("keeps a row that is gone, and says so", () => {
    const shown = { data: rows("c b a"), next: null };
    for (const left of ["c a", "b a", "c b", ""]) {
      const { part, changes } = compared(shown, { data: now(left), next: null }, idOf);
      expect(part.data.map(idOf)).toEqual(["c", "b", "a"]);
      expect(changes).toEqual({ fresh: 0, isGone: true });
    }
  });

  it("takes what came where there was nothing to read", () => {
    const later = { data: now("a"), next: null };
    expect(compared({ data: [], next: null }, later, idOf)).toEqual({ part: later, changes: STAYS });
  });
});

describe("the moments that no mail tells", () => {
  const moment = (kind: string, ...ids: string[]) => ({ at: "2026-01-01T00:00:00Z", kind, text: kind, why: null, ids });
  const mails = [{ id: "snd_1" }] as StoryMail[];
  const all = [moment("event", "snd_1"), moment("send", "snd_1"), moment("send", "snd_2"), moment("notSent", "cmp_1")];

  it("are of a mail that is not there, also one whose row is deleted; they wait until all mails are read", () => {
    expect(untold(all, mails, true).map(({ ids }) => ids[0])).toEqual(["snd_1", "snd_2", "cmp_1"]);
    expect(untold(all, mails, false).map(({ ids }) => ids[0])).toEqual(["snd_1", "cmp_1"]);
  });
});
