import type { nextStep, Progress } from "../../../../../src/email/campaigns/next-step.ts";
import type { Mutation } from "../../sending/simulation/disk.ts";

/** Sizes of slices in the simulation: small ones, so that few contacts make many of them. */
export const sizes = {
  /** Most recipients that one slice gives a mail. */
  fed: 3,
  /** Rows of recipients that one slice reads. */
  read: 5,
  /** Most recipients that one slice cancels, and most mails that it queues again. */
  cancelled: 3,
  retried: 2,
  /** A campaign gets no more mails in the ledger while it has so many there. */
  window: 8,
  /** A mail of the simulation stands for so many in the rates for which a campaign is held. */
  weight: 25,
  /** A refusal stands for so many in a row. */
  refusals: 2.5,
};

/** Decides the next step of a campaign. */
export type NextStep = typeof nextStep;

/** What a planted bug makes of that function. */
export const planted: { nextStep: (real: NextStep) => NextStep } = { nextStep: (real) => real };

/** More mails in the ledger than a campaign may have. */
const FULL = 1e9;

/** Refusals in a row for which a campaign is held. */
export const HOLDING = 20;

/** The real function with these sizes. */
export const withSizes =
  (real: NextStep): NextStep =>
  (campaign, now, canSend) => {
    const { counts, results, refusals } = campaign;
    const waiting = counts.inLedger - results.deferred;
    const inLedger = waiting > sizes.window - sizes.fed ? FULL : counts.inLedger;
    // A few mails may be all of a campaign, so their number counts as it is.
    const isFull = refusals !== null && refusals.inRow * sizes.refusals >= HOLDING;
    const sized = {
      ...{ ...campaign, counts: { ...counts, inLedger }, results: weighted(results) },
      refusals: isFull ? { ...refusals, inRow: HOLDING } : refusals,
    };
    return planted.nextStep(real)(sized, now, canSend);
  };

const weighted = ({ deferred, ...handed }: Progress["results"]): Progress["results"] => ({
  ...{ sends: handed.sends * sizes.weight, complaints: handed.complaints * sizes.weight },
  ...{ hardBounces: handed.hardBounces * sizes.weight, softBounces: handed.softBounces * sizes.weight },
  deferred,
});

/** The snapshot reads row numbers: with gaps of `by` between contacts, it takes more than one slice. */
export const withGaps =
  (by: number): Mutation =>
  (query) =>
    query.replace(
      "SELECT 1 + max(coalesce((SELECT max(n) FROM contacts)",
      `SELECT ${by} + max(coalesce((SELECT max(n) FROM contacts)`,
    );
