import { type Env, outboxOf } from "../env.ts";
import { isoOf } from "../lib/util/dates.ts";
import { stateProblemOf } from "../lib/util/migrate.ts";
import type { Problem } from "../outbox/model/problem.ts";
import { healthOf } from "./health.ts";

type Asked = Awaited<ReturnType<ReturnType<typeof outboxOf>["pulse"]>>;

/** Wakes the Outbox, tries a write there, and sets a lost alarm again. `known`: reasons of this isolate. */
export const deepHealth = async (env: Env, known: readonly Problem[]) => {
  const state = await outboxOf(env).health();
  const health = healthOf({ ...state, problems: [...known, ...state.problems] });
  const withReason = (reason: string | undefined, deep: unknown) => {
    const reasons = reason === undefined ? health.reasons : [...health.reasons, reason];
    const status = health.status === "ok" && reasons.length > 0 ? "degraded" : health.status;
    return { ...health, status, reasons, deep };
  };
  try {
    const pulse = await outboxOf(env).pulse({ write: true });
    return withReason(pulse.wasLost ? "the alarm was lost, and is set again" : undefined, shown(pulse));
  } catch (error) {
    if (stateProblemOf(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return withReason(`the journal cannot be written: ${message}`, null);
  }
};

const shown = ({ alarm, oldest, ...rest }: Asked) => ({ ...rest, alarm: timeOf(alarm), oldest: timeOf(oldest) });

const timeOf = (at: number | null): string | null => (at === null ? null : isoOf(at));
