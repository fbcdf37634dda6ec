import type { EngineContext } from "../../model/dependencies.ts";
import { kindOf, type Outcome } from "../../model/outcome.ts";
import { askForKey } from "../send-request.ts";
import type { DispatchState } from "./dispatch-state.ts";
import { answered, type Pace, type Start } from "./pace.ts";

/** Milliseconds for which an accepted check stays valid. */
export const FRESH = 5_000;

/** Checks the key with `GET /v1/api-key` after a 401 or 403; refused deliveries share one check. */
export const createKeyCheck = (
  deps: EngineContext,
  state: DispatchState,
  pace: Pace,
  { onWanted, onFree }: { onWanted: () => void; onFree: (outcome?: Outcome) => void },
) => {
  let wanted:
    | { refused: Outcome; outcome: Promise<Outcome>; resolve: (outcome: Outcome | Promise<Outcome>) => void }
    | undefined;
  let inFlight: { startedAt: number; outcome: Promise<Outcome> } | undefined;
  let accepted: { startedAt: number; outcome: Outcome } | undefined;

  const isBlocked = () => state.interruption?.reason === "blocked";

  const want = (refused: Outcome) => {
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    wanted = { refused, outcome, resolve };
    // A pump that starts now may start the check at once, and it is wanted no more.
    onWanted();
    return outcome;
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
    isWanted: (): boolean => wanted !== undefined && inFlight === undefined,
    giveUp: (): void => {
      wanted?.resolve(wanted.refused);
      wanted = undefined;
    },
    isInFlight: (): boolean => inFlight !== undefined,
    /** @param notBefore an older check is not used, Unix ms */
    ask: (refused: Outcome & { kind: "key_refused" }, notBefore: number): Promise<Outcome> => {
      if (isBlocked() || state.isHalted(deps.now())) return Promise.resolve(refused);
      if (inFlight && inFlight.startedAt >= notBefore) return inFlight.outcome;
      if (accepted && accepted.startedAt >= notBefore) return Promise.resolve(accepted.outcome);
      return wanted?.outcome ?? want(refused);
    },
    start: (slot: Start): void => {
      const { resolve } = wanted ?? {};
      wanted = undefined;
      const outcome = run(slot);
      inFlight = { startedAt: slot.at, outcome };
      resolve?.(outcome);
      void outcome.then(onFree, () => onFree());
    },
  };
};

export type KeyCheck = ReturnType<typeof createKeyCheck>;
