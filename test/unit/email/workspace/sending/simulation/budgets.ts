import { createEventCalls } from "../../../../../../src/email/workspace/core/event-calls.ts";
import { type Budget, readPlan } from "../../../../../../src/lib/plan.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";

export const TOO_MANY = "Too many subrequests by single Worker invocation.";

/** `calls`: outside calls that the platform permits in one event of an object. `isTight`: the product makes more. */
export type Budgets = { budget: Budget; calls: number; isTight?: true };

/** Of these plans; of one that is smaller; of a platform that permits less than the product plans with. */
const ALL: readonly Budgets[] = [
  { budget: readPlan({}), calls: 10_000 },
  { budget: readPlan({ PLAN: "free" }), calls: 50 },
  { budget: { capacity: { transactional: 4, marketing: 10 }, orders: 3 }, calls: 50 },
  { budget: readPlan({}), calls: 12, isTight: true },
];

export const AMPLE: Budgets = {
  budget: { capacity: { transactional: 10, marketing: 10 }, orders: 500 },
  calls: 10_000,
};

/** As above, for a handful of mails. */
const FEW: readonly Budgets[] = [
  AMPLE,
  { budget: { capacity: { transactional: 10, marketing: 10 }, orders: 20 }, calls: 50 },
  { budget: { capacity: { transactional: 2, marketing: 4 }, orders: 2 }, calls: 8 },
  { budget: { capacity: { transactional: 10, marketing: 10 }, orders: 500 }, calls: 4, isTight: true },
];

/** Separate random numbers: the rest of a schedule does not change. */
export const budgetsOf = (seed: number, all = ALL): Budgets => createRandom(seed ^ 0xb0d9e7).one(all);

export const fewBudgetsOf = (seed: number): Budgets => budgetsOf(seed, FEW);

export type Counting = { budgets?: Budgets; fail?(what: string): void };

/**
 * Counts the outside calls of an object in each event. A refused one is a failure, unless the budget is too tight.
 * `calls`: what the product plans with, 45 of 50.
 */
export const createEvents = ({ budgets = AMPLE, fail }: Counting) => {
  let left = budgets.calls;
  const calls = createEventCalls(budgets.isTight ? Number.POSITIVE_INFINITY : Math.floor(0.9 * budgets.calls));
  return {
    calls,
    begin: () => {
      left = budgets.calls;
      calls.begin();
    },
    refuses: (calls: number): boolean => {
      if (left < calls) {
        if (!budgets.isTight) fail?.(`an event made more than ${budgets.calls} outside calls`);
        return true;
      }
      left -= calls;
      return false;
    },
  };
};
