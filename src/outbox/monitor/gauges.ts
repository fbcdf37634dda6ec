import { gauge, type Metric } from "../../lib/util/prometheus.ts";
import type { Engine } from "../engine.ts";
import { backlogOf } from "./backlog.ts";

/** Ms for which a count of rows is good: to count a journal of a million is to read a million rows. */
const COUNTED = 3_600_000;
const TABLES = ["webhooks", "contacts", "refusals"];

/** What is as it is now. Rows are counted once an hour at most. */
export const createGauges = () => {
  let counted: { at: number; rows: (readonly [Record<string, string>, number])[] } | undefined;

  return ({ dispatcher, deps }: Engine, now: number): Metric[] => {
    const { sql } = deps.disk;
    const { byLane, oldest, forIdentity, forResume } = backlogOf(dispatcher, now);
    if (!counted || now - counted.at >= COUNTED || now < counted.at) {
      const count = (table: string) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;
      counted = { at: now, rows: TABLES.map((table) => [{ table }, count(table)] as const) };
    }
    const { interruption, pauses, queue } = dispatcher;
    const paused = (reason: string) =>
      interruption?.reason === reason && (reason === "blocked" || interruption.until > now) ? 1 : 0;
    return [
      gauge("mailspan_waiting_calls", "Calls that wait, by lane, those under way included.", withLabel("lane", byLane)),
      gauge("mailspan_oldest_waiting_seconds", "Age of the oldest call that could leave; 0 where none waits.", [
        [{}, oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000],
      ]),
      gauge("mailspan_waiting_for_identity", "Calls that wait for a link that tells whom they are about.", [
        [{}, forIdentity],
      ]),
      gauge("mailspan_waiting_for_resume", "Calls that a person stopped.", [[{}, forResume]]),
      gauge("mailspan_in_flight", "Requests that are under way to the email service.", [[{}, queue.inFlight.size]]),
      gauge(
        "mailspan_interrupted",
        "1 while nothing leaves: the email service asked to slow down, or refuses the key.",
        [
          [{ reason: "backoff" }, paused("backoff")],
          [{ reason: "blocked" }, paused("blocked")],
        ],
      ),
      gauge("mailspan_paused", "1 while a person has stopped all delivery, and the number of sources stopped.", [
        [{ what: "all" }, pauses.all === undefined ? 0 : 1],
        [{ what: "sources" }, Object.keys(pauses.sources).length],
      ]),
      gauge("mailspan_database_bytes", "Size of the database.", [[{}, sql.databaseSize]]),
      gauge("mailspan_database_rows", "Rows by table, counted once an hour.", counted.rows),
    ];
  };
};

const withLabel = (name: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([value, n]) => [{ [name]: value }, n] as const);
