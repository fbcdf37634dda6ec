import type { EngineContext } from "../../model/dependencies.ts";
import { kindOf, type Outcome } from "../../model/outcome.ts";
import { askForKey } from "../send-request.ts";
import type { DeliveryState } from "./delivery-state.ts";
import { answered, type Pace, type Start } from "./pace.ts";

/** Ms for which an accepted check answers for calls that are refused. */
export const FRESH = 5_000;

/**
 * Key checks: `GET /v1/api-key` tells whether a 401 or 403 is about the API key or about one call. Calls that were refused
 * at about the same time share one check. The pump gives each check a slot, like any other request. While delivery is paused
 * or interrupted, there is none: a refused call waits, and is sent again afterwards.
 */
export const createKeyCheck = (
  deps: EngineContext,
  state: DeliveryState,
  pace: Pace,
  { onWanted, onFree }: { onWanted: () => void; onFree: () => void },
) => {
  /** Waits for a slot. */
  let wanted:
    | { refused: Outcome; outcome: Promise<Outcome>; resolve: (outcome: Outcome | Promise<Outcome>) => void }
    | undefined;
  let inFlight: { startedAt: number; outcome: Promise<Outcome> } | undefined;
  /** The newest check that the host accepted. */
  let accepted: { startedAt: number; outcome: Outcome } | undefined;

  const isBlocked = () => state.interruption?.reason === "blocked";

  const want = (refused: Outcome) => {
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    wanted = { refused, outcome, resolve };
    onWanted();
    return wanted;
  };

  const run = async (slot: Start): Promise<Outcome> => {
    const { now } = deps;
    const outcome = await askForKey(deps);
    answered(pace, slot, now());
    inFlight = undefined;
    if (outcome.kind === "done") accepted = { startedAt: slot.at, outcome };
    if (outcome.kind === "key_refused") accepted = undefined;
    state.applyKeyCheck(outcome, slot.at, now());
    deps.observe({ kind: "attempt", action: "key_check", ...kindOf(outcome), ms: now() - slot.at });
    if (isBlocked()) {
      wanted?.resolve(outcome);
      wanted = undefined;
    }
    return outcome;
  };

  return {
    /** True when a check should be started as soon as a slot is free. */
    isWanted: (): boolean => wanted !== undefined && inFlight === undefined,
    /** Gives up the check that is wanted: its calls wait, and are sent again. */
    giveUp: (): void => {
      wanted?.resolve(wanted.refused);
      wanted = undefined;
    },
    isInFlight: (): boolean => inFlight !== undefined,
    /**
     * The outcome of a check. While delivery is blocked, the key is known to be refused.
     *
     * @param refused the outcome of the refused attempt
     * @param notBefore an older check says too little, Unix ms
     */
    ask: (refused: Outcome & { kind: "key_refused" }, notBefore: number): Promise<Outcome> => {
      if (isBlocked() || state.isHalted(deps.now())) return Promise.resolve(refused);
      if (inFlight && inFlight.startedAt >= notBefore) return inFlight.outcome;
      if (accepted && accepted.startedAt >= notBefore) return Promise.resolve(accepted.outcome);
      return (wanted ?? want(refused)).outcome;
    },
    /** Makes the check that is wanted, or probes a refused key. */
    start: (slot: Start): void => {
      const { resolve } = wanted ?? {};
      wanted = undefined;
      const outcome = run(slot);
      inFlight = { startedAt: slot.at, outcome };
      resolve?.(outcome);
      void outcome.catch(() => {}).finally(onFree);
    },
  };
};

export type KeyCheck = ReturnType<typeof createKeyCheck>;
