import type { Outcome } from "./outcome.ts";

/** Why nothing leaves for now. `limited`: the host said 429. `held`: it refuses the key; the queue keeps everything. */
export type Pause = { reason: "limited" | "held"; message: string; since: number; until: number; probes: number };

const FIRST_PROBE = 15_000;
const SLOWEST_PROBE = 300_000;

/** The pause after an outcome: a longer one, none, or the one that was. */
export const nextPause = (current: Pause | undefined, outcome: Outcome, now: number): Pause | undefined => {
  if (outcome.kind === "limited") {
    if (current?.reason === "held") return current;
    const until = Math.max(current?.until ?? 0, now + outcome.wait);
    return { reason: "limited", message: outcome.message, since: now, until, probes: 0 };
  }
  if (outcome.kind === "held") {
    const probes = current?.reason === "held" ? current.probes + 1 : 0;
    const since = current?.reason === "held" ? current.since : now;
    const until = now + Math.min(SLOWEST_PROBE, FIRST_PROBE * 2 ** Math.min(probes, 10));
    return { reason: "held", message: outcome.message, since, until, probes };
  }
  // An answer that is not about the key shows that the key is accepted; silence shows nothing.
  const accepted = outcome.kind !== "unknown" || outcome.status !== undefined;
  return current?.reason === "held" && accepted ? undefined : current;
};

/** A held queue is probed at once when the object starts anew: that is when a new key has been deployed. */
export const probeNow = (pause: Pause | undefined, now: number): Pause | undefined =>
  pause?.reason === "held" ? { ...pause, until: Math.min(pause.until, now) } : pause;

export const readPause = (sql: SqlStorage): Pause | undefined => {
  const row = sql.exec<{ value: string }>("SELECT value FROM delivery WHERE name = 'pause'").toArray()[0];
  return row && (JSON.parse(row.value) as Pause);
};

/** One row, and only when the host limits or refuses us. */
export const savePause = (sql: SqlStorage, pause: Pause | undefined): void => {
  if (pause) sql.exec("INSERT OR REPLACE INTO delivery (name, value) VALUES ('pause', ?)", JSON.stringify(pause));
  else sql.exec("DELETE FROM delivery WHERE name = 'pause'");
};
