import { createRandom, type Random } from "../../workerd/simulation/random.ts";
import type { Version } from "./orders.ts";

/** `n`: of a contact of its own. `import`: contacts from `n` on. `repeat`: an earlier request with the same key. */
export type Act =
  | { act: "contact" | "event" | "mail" | "repeat"; n: number }
  | { act: "import"; n: number; count: number }
  | { act: "campaign" | "pause" | "resume" }
  | { act: "reset"; at: number }
  | { act: "wait"; ms: number };

/** Objects that get the version of a phase: all at once, one after the other, or those of one class only. */
export type Parts = "at once" | "in turn" | "Workspace" | "Mailers";
/** Objects of the team are reset with a version, and then acts follow. */
export type Phase = { version: Version; parts: Parts; acts: Act[] };
export type History = { seed: number; recipients: number; phases: Phase[]; last: Version };

const VERSIONS: readonly Version[] = ["older", "newer", "any"];
const PARTS: readonly Parts[] = ["at once", "in turn", "Workspace", "Mailers"];

/**
 * A campaign starts by the newer version, is interrupted, goes on by the older one, and then by the newer one. More
 * phases follow. The same seed gives the same history.
 */
export const planHistory = (seed: number): History => {
  const random = createRandom(seed);
  const more = Array.from({ length: random.int(0, 2) }, () => random.one(VERSIONS));
  const versions: Version[] = ["newer", random.chance(0.75) ? "older" : "any", "newer", ...more];
  let used = 0;
  const next = (count = 1): number => {
    used += count;
    return used - count;
  };
  const mails: number[] = [];
  const phases = versions.map((version, at) => ({
    version,
    parts: random.one(PARTS),
    acts: [
      ...(at === 0 ? [{ act: "campaign" } as const] : []),
      ...Array.from({ length: random.int(3, 8) }, () => planAct(random, version, next, mails)),
      { act: "wait", ms: random.int(0, 300) } as const,
    ],
  }));
  return { seed, recipients: random.int(100, 300), phases, last: random.one(VERSIONS) };
};

const planAct = (random: Random, version: Version, next: (count?: number) => number, mails: number[]): Act => {
  const kinds = ["contact", "event", "event", "mail", "mail", "repeat", "import", "pause", "resume", "wait"] as const;
  const act = random.one(version === "any" ? ([...kinds, "reset", "reset", "reset"] as const) : kinds);
  if (act === "wait") return { act, ms: random.int(20, 250) };
  if (act === "reset") return { act, at: random.int(0, 7) };
  if (act === "pause" || act === "resume") return { act };
  if (act === "import") {
    const count = random.int(5, 25);
    return { act, n: next(count), count };
  }
  if (act === "repeat" && mails.length > 0) return { act, n: random.one(mails) };
  const n = next();
  if (act === "mail" || act === "repeat") {
    mails.push(n);
    return { act: "mail", n };
  }
  return { act, n };
};
