import type { Shown } from "../read.ts";

/** Simulation and dry run of a workflow. */
export const TryHead = (_: Shown) => null;
