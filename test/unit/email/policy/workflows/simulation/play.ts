import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Check } from "./check.ts";
import type { Engine } from "./engine.ts";
import type { Stored } from "./stored.ts";

/** A seed that is being played. */
export type Play = {
  random: Random;
  engine: Engine;
  stored: Stored;
  check: Check;
  /** Unix ms: the clock of the engine. */
  now(): number;
  fail(what: string): void;
  tell(line: string): void;
  mailers(): number;
  /** Share of requests that name a contact by its userId or its email alone. */
  halves: number;
};
