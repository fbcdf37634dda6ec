import { createRandom, type Random } from "../../workerd/simulation/random.ts";
import type { Step } from "../crash-sending/reach.ts";

/**
 * When the process is killed. `send` … `cancel`: ms after the request. `step`: at its n-th time. `share`: of the
 * mails that have left.
 */
export type Kill =
  | { when: "send"; ms: number }
  | { when: "snapshot"; times: number }
  | { when: "sending"; share: number; step: Step; times: number }
  | { when: "pause" | "resume"; share: number; ms: number }
  | { when: "retry" }
  | { when: "cancel"; ms: number };

const ORDER: readonly Kill["when"][] = [
  ...(["snapshot", "sending", "pause", "cancel", "resume", "send", "retry", "sending", "snapshot", "pause"] as const),
  ...([
    "sending",
    "resume",
    "cancel",
    "sending",
    "snapshot",
    "pause",
    "sending",
    "resume",
    "sending",
    "sending",
  ] as const),
];
const STEPS: readonly Step[] = ["claimed", "noted", "answered", "settled", "recipients"];

const shared = (random: Random, when: "sending" | "pause" | "resume", share: number): Kill =>
  when === "sending"
    ? { when, share, step: random.one(STEPS), times: random.int(1, 5) }
    : { when, share, ms: random.int(0, 40) };

/** Kills in order. The same seed gives the same plan. */
export const planKills = (count: number, seed: number): Kill[] => {
  const random = createRandom(seed);
  const chosen = Array.from({ length: count }, (_, n) => ORDER[n % ORDER.length] ?? "sending");
  const number = (when: Kill["when"]): number => chosen.filter((one) => one === when).length;
  const among = random.shuffled(chosen.filter((one) => one === "sending" || one === "pause" || one === "resume"));
  const list = (when: Kill["when"], make: () => Kill): Kill[] => Array.from({ length: number(when) }, make);
  return [
    ...list("send", () => ({ when: "send", ms: random.int(0, 40) })),
    ...list("snapshot", () => ({ when: "snapshot", times: random.int(1, 2) })),
    ...among.map((when, n) => shared(random, when, (n + 0.1 + random.next() * 0.8) / (among.length + 1))),
    ...list("retry", () => ({ when: "retry" })),
    ...list("cancel", () => ({ when: "cancel", ms: random.int(0, 40) })),
  ];
};
