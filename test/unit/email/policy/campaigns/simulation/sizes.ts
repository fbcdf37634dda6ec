import type { nextStep, Progress } from "../../../../../../src/email/policy/campaigns/next-step.ts";
import type { isAboutMail } from "../../../../../../src/email/policy/campaigns/refused-in-row.ts";
import type { Mutation } from "../../../workspace/sending/simulation/disk.ts";

/** Small slices, so that few contacts make many of them. */
export const sizes = {
  fed: 3,
  read: 5,
  cancelled: 3,
  retried: 2,
  window: 8,
  /** One mail of the simulation counts as this many in the rates for a hold. */
  weight: 25,
  refused: 8,
  ofLast: 20,
};

export type NextStep = typeof nextStep;

export type IsAboutMail = (real: typeof isAboutMail, ...given: Parameters<typeof isAboutMail>) => boolean;

/** Replacements of these functions by a planted bug. `isAboutMail`: undefined for the real one. */
export const planted: { nextStep: (real: NextStep) => NextStep; isAboutMail: IsAboutMail | undefined } = {
  nextStep: (real) => real,
  isAboutMail: undefined,
};

const FULL = 1e9;

/** The real function with these sizes. */
export const withSizes =
  (real: NextStep): NextStep =>
  (campaign, now, canSend) => {
    const { counts, results } = campaign;
    const waiting = counts.inLedger - results.deferred;
    const inLedger = waiting > sizes.window - sizes.fed ? FULL : counts.inLedger;
    const sized = { ...campaign, counts: { ...counts, inLedger }, results: weighted(results) };
    return planted.nextStep(real)(sized, now, canSend);
  };

const weighted = ({ deferred, ...handed }: Progress["results"]): Progress["results"] => ({
  sends: handed.sends * sizes.weight,
  complaints: handed.complaints * sizes.weight,
  hardBounces: handed.hardBounces * sizes.weight,
  softBounces: handed.softBounces * sizes.weight,
  deferred,
});

/** Gaps of `by` between row numbers of contacts, so that the snapshot takes several slices. */
export const withGaps =
  (by: number): Mutation =>
  (query) =>
    query.replace(
      "SELECT 1 + max(coalesce((SELECT max(n) FROM contacts)",
      `SELECT ${by} + max(coalesce((SELECT max(n) FROM contacts)`,
    );
