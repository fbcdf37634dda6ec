import type { Delivery, DeliveryState } from "../../../src/outbox/model/journal-types.ts";
import { learnPeople, type People } from "./people.ts";
import type { NamedWebhook } from "./webhooks.ts";

/** A delivery in the model, independent of the journal. */
export type Known = {
  id: string;
  webhook: NamedWebhook;
  index: number;
  delivery: NamedWebhook["deliveries"][number];
  seq: number | undefined;
  /** The place of a repeated delivery in order of acceptance, in microseconds. */
  place?: number;
  state: DeliveryState;
  inFlight: boolean;
  starts: number;
  /** By the true clock. */
  lastStart?: number;
  unknown?: number;
  acted: number;
  refused?: number;
  done?: number;
  /** True for a removal that left the contact: its address belongs to another user at the email service. */
  left?: boolean;
};

export type Model = ReturnType<typeof createModel>;

type Row = { seq: number; event_id: string; deliveries: string };

/**
 * The expected content of the journal: links, accepted webhooks, and states of deliveries.
 *
 * @param mayBeGone true for a `seq` that the size limit may have deleted
 */
export const createModel = (
  sql: SqlStorage,
  webhooks: readonly NamedWebhook[],
  mayBeGone: (seq: number) => boolean,
) => {
  const byKey = new Map<string, Known>();
  for (const webhook of webhooks)
    webhook.deliveries.forEach((delivery, index) => {
      const known: Known = {
        id: delivery.key,
        webhook,
        index,
        delivery,
        seq: undefined,
        state: "waiting",
        inFlight: false,
        starts: 0,
        acted: 0,
      };
      byKey.set(delivery.key, known);
    });
  let inJournal = new Map<number, NamedWebhook>();
  let people: People | undefined;
  let order = 0;
  let newest = 0;

  const rows = (after = 0): Row[] =>
    sql.exec<Row>("SELECT seq, event_id, deliveries FROM webhooks WHERE seq > ? ORDER BY seq", after).toArray();
  const byName = new Map(webhooks.map((webhook) => [webhook.name, webhook]));
  /** The webhook of a row. A planted bug adds a suffix to event ids, after `#`. */
  const webhookOf = (row: Pick<Row, "event_id">) => byName.get(row.event_id.split("#")[0] ?? "");
  const waiting = () => [...byKey.values()].filter(({ seq, state }) => seq !== undefined && state === "waiting");

  const read = (each: (known: Known, delivery: Delivery) => void): NamedWebhook[] =>
    rows(newest).flatMap((row) => {
      newest = row.seq;
      const webhook = webhookOf(row);
      if (!webhook) return [];
      inJournal.set(row.seq, webhook);
      for (const delivery of JSON.parse(row.deliveries) as Delivery[]) {
        const known = byKey.get(delivery.key);
        if (!known) continue;
        known.seq = row.seq;
        each(known, delivery);
      }
      return [webhook];
    });

  const again = (seq: number, index: number): Known | undefined => {
    const [row] = sql.exec<Row>("SELECT seq, event_id, deliveries FROM webhooks WHERE seq = ?", seq).toArray();
    const { key, repeats } = (JSON.parse(row?.deliveries ?? "[]") as Delivery[])[index] ?? {};
    const first = repeats && model.at(seq, repeats.index);
    if (!first || key === undefined) return undefined;
    const known = byKey.get(key) ?? { ...first, state: "waiting", inFlight: false, starts: 0, acted: 0 };
    for (const name of ["lastStart", "unknown", "refused", "done"] as const) if (!byKey.has(key)) delete known[name];
    byKey.set(key, Object.assign(known, { seq, index, place: repeats.at * 1000 }));
    return known;
  };

  const model = {
    deliveries: byKey,
    rows,
    webhookOf,
    accepted: (count: (what: string) => void): void => {
      const before = model.people();
      const waited = waiting();
      const links = read((known, { state }) => {
        if (state !== "skipped") return;
        known.state = state;
        count("delivery skipped");
      }).flatMap((webhook) => webhook.links);
      if (links.length === 0) return;
      people = undefined;
      for (const { ref, email = "", userId = "" } of links) {
        if (ref && waited.some(({ delivery }) => delivery.contact.ref === ref) && before.keysOf({ ref }).length === 1)
          count("link that deliveries waited for");
        const both = [{ email }, ref ? { ref } : { userId }].map((contact) =>
          waited.filter((known) => isOrdered(known) && before.same(known.delivery.contact, contact)),
        );
        if (both.every((deliveries) => deliveries.length > 0) && both[0]?.[0] !== both[1]?.[0])
          count("two persons with waiting deliveries become one");
      }
    },
    reload: (): void => {
      people = undefined;
      newest = 0;
      const before = inJournal;
      inJournal = new Map();
      for (const known of byKey.values()) known.seq = undefined;
      read((known, { state }) => {
        known.state = state;
        if (state !== "done") delete known.done;
      });
      const gone = [...before].filter(([seq]) => !inJournal.has(seq) && mayBeGone(seq));
      for (const [seq, { deliveries }] of gone)
        for (const { key } of deliveries) Object.assign(byKey.get(key) ?? {}, { seq });
      inJournal = new Map([...gone, ...inJournal]);
    },
    people: (): People => {
      people ??= learnPeople([...inJournal.values()].flatMap(({ links }) => links));
      return people;
    },
    at: (seq: number, index: number): Known | undefined => {
      const key = inJournal.get(seq)?.deliveries[index]?.key;
      return key === undefined ? again(seq, index) : byKey.get(key);
    },
    markDone: (known: Known): void => {
      known.done ??= ++order;
    },
  };
  return model;
};

/** True for a delivery that is ordered behind others of its person. Mail is not. */
export const isOrdered = ({ delivery }: Known): boolean => delivery.action !== "transactional";

export const isBefore = (a: Known, b: Known): boolean =>
  (a.seq ?? Number.POSITIVE_INFINITY) - (b.seq ?? Number.POSITIVE_INFINITY) < 0 ||
  (a.seq === b.seq && a.index < b.index);

/** True if a is ordered before b, for one person. */
export const isAhead = (a: Known, b: Known): boolean =>
  a.place === undefined && b.place === undefined
    ? isBefore(a, b)
    : (a.place ?? a.seq ?? Number.POSITIVE_INFINITY) < (b.place ?? b.seq ?? Number.POSITIVE_INFINITY);

/** True if the data of a is newer than that of b. */
export const isNewer = ({ webhook: a }: Known, { webhook: b }: Known): boolean =>
  a.occurredAt > b.occurredAt || (a.occurredAt === b.occurredAt && a.rank > b.rank);

export const propertiesOf = ({ delivery }: Known): string[] =>
  delivery.action === "contact" ? Object.keys(delivery.properties) : [];

export const isKeyed = ({ delivery }: Known): boolean =>
  delivery.action === "event" || delivery.action === "transactional";
