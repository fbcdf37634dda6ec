import { expect, inject, it } from "vitest";
import { digest } from "../../../src/lib/util/hmac.ts";
import { play, range, reportOf } from "./play.ts";
import type { Result } from "./run.ts";
import { regressions } from "./seeds.ts";

const { seeds, from, seed, deep } = inject("simulation");
const TIMEOUT = 3_600_000;
const PROGRESS = 100;
const SHOWN = 3;

const CASES = [
  "request with several updates",
  "update sent with another",
  "split",
  "delivery replaced",
  "delivery skipped",
  "delivery done",
  "delivery failed, refused",
  "delivery failed, expired",
  "delivery undecided, outcome unknown",
  "delivery undecided, identity unknown",
  "crash",
  "crash with deliveries in flight",
  "crash that lost writes",
  "evict",
  "evict with deliveries in flight",
  ...["claimed", "left", "acted", "answered", "settled", "accepted", "alarm"].map((moment) => `crash when ${moment}`),
  "duplicate",
  "sent again without an answer",
  "refused for overload",
  "link that deliveries waited for",
  "two persons with waiting deliveries become one",
  "unknown outcome",
  "unknown outcome by the end of the process",
  "host: 429",
  "host: 500",
  "host: 502, acted",
  "host: silent",
  "host: refused",
  "host: 503",
  "host: 507",
  "host: silent, acted",
  "host: 401",
  "host: 403",
  "host: 400",
  "host: 404",
  "host: 408",
  "host: 409",
  "host: 409 key used",
  "interruption, backoff",
  "interruption, blocked",
  "interruption, outage",
  "other callers",
  "gateway: left",
  "gateway: taken back",
  "pause",
  "resume",
  "clock set back",
  "clock set forward",
  "delivery by user id, tied to an address",
  "delivery by user id, known at the email service",
  "removal of nobody",
  "mail to a removed person skipped",
  "delivery by user id, after its wait",
  "delivery sent with the user id after a conflict",
  "host: merged two contacts",
  "host: edge 200",
  "host: edge 200, acted",
  "host: edge 404",
  "host: edge 404, acted",
  "host: edge 401",
  "host: edge 403",
  "host: edge 409, acted",
  "host: edge 429",
  "key check",
  "request kept on the way",
  "delivery made once more: done",
  "delivery made once more: replaced",
  "lane passed over ten times",
  "nothing is left after the retention",
  "purge for the size",
  "body purged",
  "webhooks deleted for the size",
];

it.runIf(seed === null)(
  `${seeds} seeds keep every promise`,
  async () => {
    const failed: Result[] = [];
    const counts = new Map<string, number>();
    let runs = 0;
    let steps = 0;
    const begun = Date.now();
    const hashes: string[] = [];
    const add = (result: Result) => {
      runs++;
      hashes.push(result.hash);
      steps += result.steps;
      for (const [what, count] of Object.entries(result.counts)) counts.set(what, (counts.get(what) ?? 0) + count);
      if (result.broken !== undefined) failed.push(result);
      return failed.length < SHOWN;
    };
    for (let at = from; at < from + seeds && failed.length < SHOWN; at += PROGRESS) {
      await play(range(at, Math.min(PROGRESS, from + seeds - at)), add);
      if (deep)
        console.log(`${runs} of ${seeds} seeds, ${failed.length} failed, ${Math.round((Date.now() - begun) / 1000)} s`);
    }
    const summary = [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, count]) => `${String(count).padStart(9)}  ${what}`);
    console.log([`${runs} seeds, ${steps} steps. What happened in them:`, ...summary].join("\n"));
    // Stays the same after a change that keeps the behavior.
    console.log(`Hash of all traces: ${await digest(hashes.join("\n"))}`);
    expect(failed.map((one) => reportOf(one)).join("\n\n")).toBe("");
    if (seeds >= 2_000) expect(CASES.filter((what) => !counts.has(what))).toEqual([]);
  },
  TIMEOUT,
);

it.runIf(seed !== null)(
  "one seed keeps every promise",
  async () => {
    await play([seed ?? 0], (result) => {
      const text = result.broken === undefined ? result.trace.join("\n") : reportOf(result, true);
      console.log(`${text}\nTrace hash ${result.hash}`);
      expect(result.broken).toBeUndefined();
      return true;
    });
  },
  TIMEOUT,
);

it(
  "seeds that once failed never do again",
  async () => {
    const failed: Result[] = [];
    await play(
      regressions.map((one) => one.seed),
      (result) => {
        if (result.broken !== undefined) failed.push(result);
        return true;
      },
    );
    expect(failed.map((one) => reportOf(one)).join("\n\n")).toBe("");
  },
  TIMEOUT,
);

it(
  "one seed run twice is the same run",
  async () => {
    const hashes = async () => {
      const all: string[] = [];
      await play(range(1, deep ? 25 : 8), ({ hash, trace, steps }) => all.push(`${hash} ${trace.length} ${steps}`) > 0);
      return all;
    };
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  },
  TIMEOUT,
);
