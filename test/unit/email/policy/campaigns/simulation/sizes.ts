import type { nextStep, Progress } from "../../../../../../src/email/policy/campaigns/next-step.ts";
import type { isAboutMail } from "../../../../../../src/email/policy/campaigns/refusals.ts";
import type { Mutation } from "../../../workspace/sending/simulation/disk.ts";

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
  /** A campaign is held where a relay has refused so many of so many mails. */
  refused: 8,
  ofLast: 20,
};

/** Decides the next step of a campaign. */
export type NextStep = typeof nextStep;

/** Decides whether a refusal is about its mail, with the help of the real function. */
export type IsAboutMail = (real: typeof isAboutMail, ...given: Parameters<typeof isAboutMail>) => boolean;

/** What a planted bug makes of these functions. `isAboutMail`: undefined for the real one. */
export const planted: { nextStep: (real: NextStep) => NextStep; isAboutMail: IsAboutMail | undefined } = {
  nextStep: (real) => real,
  isAboutMail: undefined,
};

/** More mails in the ledger than a campaign may have. */
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

/** The snapshot reads row numbers: with gaps of `by` between contacts, it takes more than one slice. */
export const withGaps =
  (by: number): Mutation =>
  (query) =>
    query.replace(
      "SELECT 1 + max(coalesce((SELECT max(n) FROM contacts)",
      `SELECT ${by} + max(coalesce((SELECT max(n) FROM contacts)`,
    );
