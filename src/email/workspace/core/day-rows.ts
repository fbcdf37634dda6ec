import { DAY_MS } from "../../../lib/util/dates.ts";

/** A use that stops before the account has written all rows of a day. Transactional mail and webhooks never stop here. */
export type Use = "campaigns" | "workflows";

/** Shares of the day's rows at which each use stops. */
export const SHARES: Readonly<Record<Use, number>> = { campaigns: 0.7, workflows: 0.8 };
/** Share counted for objects that report no rows: the bridge, the Directory, the dashboard. 10 000 rows are 1 200 webhooks. */
const OTHERS = 0.1;
/** Rows of a campaign mail, from its recipient to its result. */
export const ROWS_PER_MAIL = 4.5;
/** Rows in memory that a reset loses at most, with and without a ceiling. */
const UNSAVED = { limited: 20, unlimited: 1_000 };
/** Share of the day's rows after which the Directory is told, so that the teams share them. */
const TOLD = 0.01;
const KEPT_MS = 30 * DAY_MS;
const NAME = "day_rows";

/** `day`: days since 1970, UTC. `team`: rows of this team; `others`: of the other teams, as the Directory said last. */
type State = { day: number; team: number; others: number };

/** `account`: all teams, with the share of the objects that report none. `limit`: infinity without a ceiling. */
export type Written = { day: number; team: number; account: number; limit: number };

const read = (sql: SqlStorage): State | undefined => {
  const [row] = sql.exec<{ state: string }>("SELECT state FROM limits WHERE name = ?", NAME).toArray();
  return row && (JSON.parse(row.state) as State);
};

const write = (sql: SqlStorage, state: State): void => {
  sql.exec(
    `INSERT INTO limits (name, state, kept_until) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET state = excluded.state, kept_until = excluded.kept_until`,
    NAME,
    JSON.stringify(state),
    state.day * DAY_MS + KEPT_MS,
  );
};

/**
 * Counts the rows that a team writes on a UTC day, in memory. `save` makes the count durable.
 *
 * @param limit rows of the account on a day; infinity without a ceiling
 */
export const createDayRows = (limit: number) => {
  let state: State = { day: 0, team: 0, others: 0 };
  let saved = 0;
  let told = 0;
  const least = limit === Number.POSITIVE_INFINITY ? UNSAVED.unlimited : UNSAVED.limited;
  /** A clock that is set back does not begin the day again. */
  const at = (now: number): State => {
    const day = Math.floor(now / DAY_MS);
    if (day > state.day) {
      state = { day, team: 0, others: 0 };
      saved = 0;
      told = 0;
    }
    return state;
  };
  const written = (now: number): Written => {
    const { day, team, others } = at(now);
    const rest = limit === Number.POSITIVE_INFINITY ? 0 : Math.round(limit * OTHERS);
    return { day, team, account: team + others + rest, limit };
  };
  /** Rows that a use may still write on this day; infinity without a ceiling. */
  const left = (use: Use, now: number): number => Math.max(0, limit * SHARES[use] - written(now).account);
  return {
    add: (rows: number): void => {
      state.team += rows;
    },
    written,
    left,
    /** Rows of a use on a day that begins. */
    perDay: (use: Use): number => limit * (SHARES[use] - OTHERS),
    /** Unix ms at which a use goes on; 0 for now. */
    opensAt: (use: Use, now: number): number => (left(use, now) < ROWS_PER_MAIL ? (at(now).day + 1) * DAY_MS : 0),
    restore(sql: SqlStorage, now: number): void {
      const stored = read(sql);
      const fresh = at(now);
      if (!stored || stored.day < fresh.day) return;
      state = { ...stored, team: stored.team + fresh.team };
      saved = stored.team;
      told = stored.team;
    },
    /** Writes the count if it has grown enough: one row. */
    save(sql: SqlStorage, now: number): void {
      const current = at(now);
      if (current.team - saved < least) return;
      saved = current.team;
      write(sql, current);
    },
    /** Returns what the Directory should learn now, if anything. */
    toTell(now: number): { day: number; rows: number } | undefined {
      const { day, team } = at(now);
      if (limit === Number.POSITIVE_INFINITY || team - told < limit * TOLD) return undefined;
      told = team;
      return { day, rows: team };
    },
    /** `rows`: of the other teams. */
    heard(day: number, rows: number): void {
      if (day === state.day) state.others = rows;
    },
  };
};

export type DayRows = ReturnType<typeof createDayRows>;
