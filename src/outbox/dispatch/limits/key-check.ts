import type { EngineContext } from "../../model/dependencies.ts";
import { kindOf, type Outcome } from "../../model/outcome.ts";
import { askForKey } from "../send-request.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { answered, type Pace, type Start } from "./pace.ts";

/** Milliseconds for which an accepted check stays valid. */
export const FRESH = 5_000;

/** Milliseconds for the answer, if the calls before it got none. */
const SOON = 5_000;

/**
 * Checks the key with `GET /v1/api-key` after a 401 or 403; refused deliveries share one check. It is also the probe of
 * an outage.
 *
 * @param isIdle true if nothing could be sent
 * @param nextDue due time of the first delivery that can be tried, Unix ms; undefined if there is none
 */
export const createKeyCheck = (
  deps: EngineContext,
  state: DispatchState,
  pace: Pace,
  {
    isIdle,
    nextDue,
    onWanted,
    onFree,
  }: {
    isIdle: () => boolean;
    nextDue: () => number | undefined;
    onWanted: () => void;
    onFree: (outcome?: Outcome) => void;
  },
) => {
  let wanted:
    | { refused: Outcome; outcome: Promise<Outcome>; resolve: (outcome: Outcome | Promise<Outcome>) => void }
    | undefined;
  /** `explains`: it was started for a refusal. A probe may be older than the withdrawal of a key. */
  let inFlight: { startedAt: number; outcome: Promise<Outcome>; explains: boolean } | undefined;
  let accepted: { startedAt: number; outcome: Outcome } | undefined;

  const isBlocked = () => state.interruption?.reason === "blocked";

  const want = (refused: Outcome) => {
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    wanted = { refused, outcome, resolve };
    // A pump that starts now may start the check at once, and it is wanted no more.
    onWanted();
    return outcome;
  };

  const run = async (slot: Start, explains: boolean): Promise<Outcome> => {
    const { now } = deps;
    const isDoubted = state.isDoubted(slot.at);
    state.asked(slot.at);
    const outcome = await askForKey(deps, isDoubted ? SOON : undefined);
    answered(pace, slot, now());
    inFlight = undefined;
    if (outcome.kind === "done" && explains) accepted = { startedAt: slot.at, outcome };
    if (outcome.kind === "key_refused") accepted = undefined;
    state.applyKeyCheck(outcome, slot.at, now(), { isIdle: isIdle(), nextDue: nextDue() });
    deps.observe({ kind: "attempt", action: "key_check", ...kindOf(outcome), ms: now() - slot.at });
    if (isBlocked()) {
      wanted?.resolve(outcome);
      wanted = undefined;
    }
    return outcome;
  };

  return {
    isWanted: (): boolean => wanted !== undefined && inFlight === undefined,
    giveUp: (): void => {
      wanted?.resolve(wanted.refused);
      wanted = undefined;
    },
    isInFlight: (): boolean => inFlight !== undefined,
    /** @param notBefore an older check is not used, Unix ms */
    ask: (refused: Outcome & { kind: "key_refused" }, notBefore: number): Promise<Outcome> => {
      if (isBlocked() || state.isHalted(deps.now())) return Promise.resolve(refused);
      if (inFlight?.explains && inFlight.startedAt >= notBefore) return inFlight.outcome;
      if (accepted && accepted.startedAt >= notBefore) return Promise.resolve(accepted.outcome);
      return wanted?.outcome ?? want(refused);
    },
    start: (slot: Start): void => {
      const { resolve } = wanted ?? {};
      const explains = wanted !== undefined;
      wanted = undefined;
      const outcome = run(slot, explains);
      inFlight = { startedAt: slot.at, outcome, explains };
      resolve?.(outcome);
      void outcome.then(onFree, () => onFree());
    },
  };
};

export type KeyCheck = ReturnType<typeof createKeyCheck>;
