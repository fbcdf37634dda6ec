import type { Call, CallState } from "../../../src/outbox/types.ts";
import { learnPeople, type People } from "./people.ts";
import type { Marked } from "./webhooks.ts";

/** What is known of a call, beside what the journal says of it. */
export type Known = {
  id: string;
  webhook: Marked;
  index: number;
  call: Marked["calls"][number];
  /** Its webhook's place in the journal; undefined while that is not in it. */
  seq: number | undefined;
  state: CallState;
  /** True while it is in a request that this process waits for. */
  flying: boolean;
  starts: number;
  /** By the true clock. */
  lastStart?: number;
  /** When the first try of which nobody knows what came of it had started, by the true clock and by the object's. */
  unknown?: { at: number; wall: number };
  /** How often the host acted on it. */
  acted: number;
  /** Status of the refusal for good that it got, alone. */
  refused?: number;
  /** When it landed first, in the order of things. */
  done?: number;
};

export type Model = ReturnType<typeof createModel>;

type Row = { seq: number; source: string; event_id: string; calls: string };

/** The journal as it should be: what was told, what was accepted, and what became of each call. */
export const createModel = (sql: SqlStorage, webhooks: readonly Marked[]) => {
  const byKey = new Map<string, Known>();
  for (const webhook of webhooks)
    webhook.calls.forEach((call, index) => {
      const known: Known = {
        ...{ id: call.key, webhook, index, call, seq: undefined, state: "waiting", flying: false, starts: 0, acted: 0 },
      };
      byKey.set(call.key, known);
    });
  let inJournal = new Map<number, Marked>();
  let people: People | undefined;
  let order = 0;

  const rows = (): Row[] => sql.exec<Row>("SELECT seq, source, event_id, calls FROM webhooks ORDER BY seq").toArray();
  const webhookOf = (row: Pick<Row, "event_id">) =>
    webhooks.find(({ eventId }) => eventId === row.event_id.split("#")[0]);
  const model = {
    calls: byKey,
    rows,
    webhookOf,
    /** Reads anew what is in the journal: after a webhook was accepted, and after a crash took something back. */
    reload: (afterCrash: boolean): void => {
      people = undefined;
      inJournal = new Map();
      if (afterCrash) for (const known of byKey.values()) known.seq = undefined;
      for (const row of rows()) {
        const webhook = webhookOf(row);
        if (!webhook) continue;
        inJournal.set(row.seq, webhook);
        const kept = JSON.parse(row.calls) as Call[];
        kept.forEach((call) => {
          const known = byKey.get(call.key);
          if (!known) return;
          known.seq = row.seq;
          if (call.state === "skipped") known.state = "skipped";
          if (!afterCrash) return;
          known.state = call.state;
          if (call.state !== "done") delete known.done;
        });
      }
    },
    /** Who is who by what the journal was told. */
    people: (): People => {
      people ??= learnPeople([...inJournal.values()].flatMap(({ links }) => links));
      return people;
    },
    at: (seq: number, index: number): Known | undefined => {
      const key = inJournal.get(seq)?.calls[index]?.key;
      return key === undefined ? undefined : byKey.get(key);
    },
    land: (known: Known): void => {
      known.done ??= ++order;
    },
  };
  return model;
};

/** Calls that start in order; mail does not. */
export const isOrdered = ({ call }: Known): boolean => call.action !== "transactional";

/** True when a was accepted before b. */
export const isBefore = (a: Known, b: Known): boolean =>
  (a.seq ?? Number.POSITIVE_INFINITY) - (b.seq ?? Number.POSITIVE_INFINITY) < 0 ||
  (a.seq === b.seq && a.index < b.index);

/** True when what a says is newer than what b says. */
export const isNewer = ({ webhook: a }: Known, { webhook: b }: Known): boolean =>
  a.occurredAt > b.occurredAt || (a.occurredAt === b.occurredAt && a.rank > b.rank);

export const propertiesOf = ({ call }: Known): string[] =>
  call.action === "contact" ? Object.keys(call.properties) : [];
