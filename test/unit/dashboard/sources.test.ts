import { describe, expect, it } from "vitest";
import {
  meaningOf,
  type Source,
  saidOf,
  secretInWords,
  stepsOf,
} from "../../../src/dashboard/app/pages/sources/source-words.ts";

const source: Source = {
  name: "clerk",
  provider: "clerk",
  title: "Clerk",
  path: "/hooks/clerk",
  address: null,
  proof: "HMAC",
  whereToSet: "Webhooks",
  rules: 2,
  events: ["user.created"],
  secret: { variable: "CLERK_WEBHOOK_SECRET", state: "missing", values: 0 },
  planOnly: false,
  testData: "skip",
  tolerance: null,
  silentAfter: null,
  fetchBack: null,
  pausedSince: null,
  lastReceived: null,
  lastRefused: null,
  received24h: 0,
  refused24h: 0,
};
const done = (changes: Partial<Source>) => stepsOf({ ...source, ...changes }).map(({ isDone }) => isDone);
const at = "2026-01-31T12:00:00.000Z";

describe("the steps of a source", () => {
  it("tick as it comes into use", () => {
    expect(done({})).toEqual([false, false, true, false]);
    const lastRefused = { at, code: "source_not_configured" };
    expect(done({ lastRefused })).toEqual([true, false, true, false]);
    const secret = { variable: "X", state: "set", values: 1 } as const;
    expect(done({ lastRefused, secret })).toEqual([true, true, true, false]);
    expect(done({ secret, lastReceived: at })).toEqual([true, true, true, true]);
    expect(done({ rules: 0 })[2]).toBe(false);
  });

  it("say why the last webhook was refused, until one is received", () => {
    const lastRefused = { at, code: "invalid_signature" };
    expect(stepsOf({ ...source, lastRefused }).at(-1)?.how).toContain(meaningOf("invalid_signature"));
    expect(stepsOf({ ...source, lastRefused, lastReceived: at }).at(-1)?.how).not.toContain("refused");
  });
});

it("the state of a secret is a sentence with its variable", () => {
  const of = (secret: Partial<Source["secret"]>) =>
    secretInWords({ ...source, secret: { ...source.secret, ...secret } });
  expect(of({})).toContain("CLERK_WEBHOOK_SECRET is not set");
  expect(of({ state: "set", values: 1 })).toBe("CLERK_WEBHOOK_SECRET is set.");
  expect(of({ state: "set", values: 2 })).toContain("2 values");
  expect(of({ state: "unusable", values: 1, why: "It is no base64." })).toContain("It is no base64.");
  expect(of({ state: "set", values: 2, why: "It is no base64." })).toContain("One of the 2 values");
});

it.each([
  [{}, "quiet", "not_set_up"],
  [{ secret: source.secret, lastRefused: { at, code: "source_not_configured" } }, "bad", "missing"],
  [{ secret: { variable: "X", state: "unusable", values: 1 } }, "bad", "unusable"],
  [{ lastRefused: { at, code: "invalid_signature" } }, "bad", "refused"],
  [{ lastReceived: "2026-01-30T12:00:00.000Z", lastRefused: { at, code: "invalid_signature" } }, "bad", "refused"],
  [{ lastReceived: at, pausedSince: at }, "warn", "paused"],
  [{ lastReceived: at, planOnly: true }, "quiet", "skipped"],
  [{ lastReceived: null }, "quiet", "waiting"],
  [{ lastReceived: at, lastRefused: { at: "2026-01-30T12:00:00.000Z", code: "no_mail" } }, "good", "running"],
] as const)("a source says the worst that is true: %j", (changes, tone, kind) => {
  const secret = { variable: "X", state: "set", values: 1 } as const;
  const given = Object.keys(changes).length === 0 ? source : { ...source, secret, ...changes };
  expect(saidOf(given as Source)).toMatchObject({ tone, kind });
});
