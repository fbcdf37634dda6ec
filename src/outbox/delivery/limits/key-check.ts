import type { EngineContext } from "../../model/dependencies.ts";
import { kindOf, type Outcome } from "../../model/outcome.ts";
import { askForKey } from "../send-request.ts";
import type { DeliveryState } from "./delivery-state.ts";
import { answered, type Pace, type Start } from "./pace.ts";

/**
 * Key checks: `GET /v1/api-key` tells whether a 401 or 403 is about the API key or about one call. Calls that were refused
 * at the same time share one check. The pump gives each check a slot, like any other request.
 */
export const createKeyCheck = (
  deps: EngineContext,
  state: DeliveryState,
  pace: Pace,
  { onWanted, onFree }: { onWanted: () => void; onFree: () => void },
) => {
  /** Waits for a slot. */
  let wanted: { outcome: Promise<Outcome>; resolve: (outcome: Outcome | Promise<Outcome>) => void } | undefined;
  let inFlight: { startedAt: number; outcome: Promise<Outcome> } | undefined;

  const isBlocked = () => state.interruption?.reason === "blocked";

  const want = () => {
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    wanted = { outcome, resolve };
    onWanted();
    return wanted;
  };

  const run = async (slot: Start): Promise<Outcome> => {
    const { now } = deps;
    const outcome = await askForKey(deps);
    answered(pace, slot, now());
    inFlight = undefined;
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
    isInFlight: (): boolean => inFlight !== undefined,
    /**
     * The outcome of a check that is not older than a refused attempt. While delivery is blocked, the key is known to be
     * refused.
     *
     * @param refused the attempt's outcome
     * @param startedAt when the attempt started, Unix ms
     */
    ask: (refused: Outcome & { kind: "key_refused" }, startedAt: number): Promise<Outcome> => {
      if (isBlocked()) return Promise.resolve(refused);
      return inFlight && inFlight.startedAt >= startedAt ? inFlight.outcome : (wanted ?? want()).outcome;
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
