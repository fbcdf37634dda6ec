import { expect, it } from "vitest";
import { MAX_EVENTS, withEvent } from "../../../../../src/email/workspace/sending/send-events.ts";

const detail = { message: "later" };
const after = (kinds: readonly string[]) =>
  kinds.reduce<string | null>((history, kind, at) => withEvent(history, at, { kind, detail }), null);
const kindsIn = (history: string | null) => JSON.parse(history ?? "[]").map(({ kind }: { kind: string }) => kind);

it("a history has the events in order, each with its time and detail", () => {
  expect(JSON.parse(after(["deferred", "unknown"]) ?? "")).toEqual([
    { at: 0, kind: "deferred", detail },
    { at: 1, kind: "unknown", detail },
  ]);
});

it("a full history loses its oldest attempt that was deferred, and no unknown one", () => {
  const history = after(["unknown", "retried", ...Array<string>(MAX_EVENTS).fill("deferred")]);
  expect(kindsIn(history)).toEqual(["unknown", "retried", ...Array(MAX_EVENTS - 2).fill("deferred")]);
  expect(JSON.parse(history ?? "")[2].at).toBe(4);
});

it("a full history without one loses its oldest event", () => {
  expect(kindsIn(after(["answered", ...Array<string>(MAX_EVENTS).fill("refused")]))).toEqual(
    Array(MAX_EVENTS).fill("refused"),
  );
});

it("a full history loses the oldest line that is of no attempt first", () => {
  const history = after(["deferred", "unknown", ...Array<string>(MAX_EVENTS).fill("unsubscribed")]);
  expect(kindsIn(history)).toEqual(["deferred", "unknown", ...Array(MAX_EVENTS - 2).fill("unsubscribed")]);
  expect(JSON.parse(history ?? "")[2].at).toBe(4);
});
