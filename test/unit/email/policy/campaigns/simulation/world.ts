import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Mutation } from "../../../workspace/sending/simulation/disk.ts";
import { randomFilter } from "../../workflows/simulation/random-graph.ts";
import type { Limits } from "./engine.ts";
import { withGaps } from "./sizes.ts";

/** The settings of a seed's world. Shares are 0-1. */
export type Settings = {
  people: number;
  workflows: number;
  mailers: number;
  hours: number;
  slices: number;
  pauseMs: number;
  trouble: number;
  hangs: number;
  feedback: number;
  /** The mail provider refuses every address with a multiple of this number. 0 for none. */
  barred: number;
  moody: number;
  limits?: Limits;
  smaller: Mutation;
  segmentFilter(): AudienceFilter;
};

/** `own`: separate random numbers, so that other settings do not move. */
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
    feedback: random.one([0, 0.05, 0.3]),
    barred: own.one([0, 0, 0, 2, 7]),
    moody: own.one([0, 0, 0, 0, 0.2, 0.7]),
    smaller: withGaps(random.one([1, 300, 900])),
    segmentFilter: () => randomFilter(random, []) ?? { match: "all", conditions: [{ type: "optIn", status: null }] },
  };
};
