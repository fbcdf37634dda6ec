import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Check } from "./check.ts";
import type { Engine } from "./engine.ts";
import type { Stored } from "./stored.ts";

export type Play = {
  random: Random;
  engine: Engine;
  stored: Stored;
  check: Check;
  /** Unix ms. */
  now(): number;
  fail(what: string): void;
  tell(line: string): void;
  mailers(): number;
  people: number;
  halves: number;
  segments: string[];
};
