import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Mutation } from "../../../workspace/sending/simulation/disk.ts";
import { randomFilter } from "../../workflows/simulation/random-graph.ts";
import type { Limits } from "./engine.ts";
import { withGaps } from "./sizes.ts";

/** What a seed decides of its world before anything happens. Shares are 0-1. */
export type Settings = {
  people: number;
  workflows: number;
  mailers: number;
  /** How long things happen. */
  hours: number;
  slices: number;
  /** Pause between two slices, in ms. */
  pauseMs: number;
  /** Shares of attempts: those that the relay does not just take, those that it answers after minutes, and results reported twice. */
  trouble: number;
  hangs: number;
  repeats: number;
  /** Share of mails about which a receiver says something later. */
  feedback: number;
  /** The relay refuses every address whose number is a multiple of this one; 0 for none. */
  barred: number;
  /** Share of attempts that the relay refuses by chance, until everything works. */
  moody: number;
  /** Send limits of the team from the start on; none without them. */
  limits?: Limits;
  smaller: Mutation;
  segmentFilter(): AudienceFilter;
};

/** `own`: random numbers of what came later, so that it moves nothing else. */
export const settingsOf = (random: Random, own: Random): Settings => {
  return {
    people: random.int(3, random.one([10, 60])),
    workflows: random.one([0, 0, 1, 2]),
    mailers: random.int(1, 3),
    hours: random.one([1, 4, 60]),
    slices: random.one([1, 2, 20]),
    pauseMs: random.one([1, 1, 50]),
    trouble: random.one([0, 0, 0.1, 0.3]),
    hangs: random.one([0, 0, 0.05]),
    repeats: random.one([0, 0.2]),
    feedback: random.one([0, 0.05, 0.3]),
    barred: own.one([0, 0, 0, 2, 7]),
    moody: own.one([0, 0, 0, 0, 0.2, 0.7]),
    smaller: withGaps(random.one([1, 300, 900])),
    segmentFilter: () => randomFilter(random, []) ?? { match: "all", conditions: [{ type: "optIn", status: null }] },
  };
};
