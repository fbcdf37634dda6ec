import { HOUR_MS } from "../../lib/util/dates.ts";
import { gauge, type Metric } from "../../lib/util/prometheus.ts";
import type { Engine } from "../engine.ts";
import { quotaOf } from "../queue/quota.ts";
import { backlogOf } from "./backlog.ts";

/** Milliseconds. Counting a million rows reads a million rows. */
const COUNT_EVERY = HOUR_MS;
const TABLES = ["webhooks", "contacts", "refusals"];

type RowCounts = (readonly [Record<string, string>, number])[];

export const createGauges = () => {
  let counted: { at: number; rows: RowCounts } | undefined;

  const rowsOf = (sql: SqlStorage, now: number): RowCounts => {
    if (counted && now - counted.at < COUNT_EVERY && now >= counted.at) return counted.rows;
    const count = (table: string) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;
    const rows = TABLES.map((table) => [{ table }, count(table)] as const);
    counted = { at: now, rows };
    return rows;
  };

  const quotasOf = ({ dispatcher: { queue }, deps }: Engine) =>
    [...new Set([...Object.keys(deps.sources), ...queue.open.bySource.keys()])].map(
      (source) => [{ source }, quotaOf(queue, source)] as const,
    );

  return (engine: Engine, now: number): Metric[] => {
    const { dispatcher, deps } = engine;
    const { sql } = deps.disk;
    const { lanes, oldest, forIdentity, paused } = backlogOf(dispatcher, now);
    const { interruption, pauses, queue } = dispatcher;
    const isInterrupted = (reason: string) =>
      interruption?.reason === reason && (reason !== "backoff" || interruption.until > now) ? 1 : 0;
    return [
      gauge(
        "mailspan_waiting_deliveries",
        "Open deliveries by lane, deliveries in flight included.",
        Object.entries(lanes).map(([lane, { waiting }]) => [{ lane }, waiting] as const),
      ),
      gauge(
        "mailspan_source_open_webhooks",
        "Webhooks with open deliveries, by source.",
        quotasOf(engine).map(([labels, { used }]) => [labels, used] as const),
      ),
      gauge(
        "mailspan_source_quota",
        "How many webhooks of a source may have open deliveries. Above that, its webhooks are refused.",
        quotasOf(engine).map(([labels, { quota }]) => [labels, quota] as const),
      ),
      gauge(
        "mailspan_oldest_waiting_seconds",
        "Age of the oldest delivery that could be sent; 0 where there is none.",
        [[{}, oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000]],
      ),
      gauge(
        "mailspan_waiting_for_identity",
        "Deliveries that wait for an identity link, because their contact is unknown.",
        [[{}, forIdentity]],
      ),
      gauge("mailspan_waiting_paused", "Deliveries that wait because a person paused their source or all deliveries.", [
        [{}, paused],
      ]),
      gauge("mailspan_in_flight", "Requests to the email API that have no answer yet.", [[{}, queue.inFlight.size]]),
      gauge(
        "mailspan_interrupted",
        "1 while dispatch is interrupted. backoff: the email API answered 429; blocked: it refuses the API key or none is set; outage: it gives no usable answer.",
        [
          [{ reason: "backoff" }, isInterrupted("backoff")],
          [{ reason: "blocked" }, isInterrupted("blocked")],
          [{ reason: "outage" }, isInterrupted("outage")],
        ],
      ),
      gauge("mailspan_paused", "all: 1 while a person paused all deliveries; sources: number of paused sources.", [
        [{ what: "all" }, pauses.all === undefined ? 0 : 1],
        [{ what: "sources" }, Object.keys(pauses.sources).length],
      ]),
      gauge("mailspan_database_bytes", "Size of the database.", [[{}, sql.databaseSize]]),
      gauge("mailspan_database_rows", "Rows by table, counted once an hour.", rowsOf(sql, now)),
    ];
  };
};
