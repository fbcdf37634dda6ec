import type { PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";
import type { Contact, PlannedDelivery, PlannedLink } from "../../../src/rules/types.ts";
import type { Random } from "./random.ts";
import { POISON } from "./service.ts";

export type Person = { email: string; userId?: string; ref?: string };

/** A named webhook. Each value contains the name and the index of the delivery. */
export type NamedWebhook = PlannedWebhook & { name: string };

type Draft = {
  source: string;
  type: string;
  occurredAt: number;
  rank?: number;
  deliveries?: (PlannedDelivery | undefined)[];
  links?: PlannedLink[];
  test?: boolean;
  lane?: "backfill";
};

const MINUTE = 60_000;

export const createWriter = (random: Random, prefix = "e") => {
  let count = 0;
  const write = (draft: Draft): NamedWebhook => {
    const name = `${prefix}${++count}`;
    const deliveries = (draft.deliveries ?? []).filter((delivery) => delivery !== undefined);
    return {
      name,
      source: draft.source,
      eventId: name,
      digest: false,
      type: draft.type,
      occurredAt: draft.occurredAt,
      rank: draft.rank ?? 0,
      test: draft.test ?? false,
      raw: "{}",
      outcomes: [],
      secretPaths: [],
      links: draft.links ?? [],
      ...(draft.lane ? { lane: draft.lane } : {}),
      ...(draft.test ? { skip: "Test data." } : {}),
      deliveries: deliveries.map((delivery, index) => ({
        ...addId(delivery, `${name}.${index}`),
        key: `${name}.${index}`,
      })),
    };
  };

  const bad = (share: number) => random.chance(share);
  const update = (contact: Contact, ...names: string[]): PlannedDelivery => ({
    rule: "update",
    action: "contact",
    contact,
    properties: Object.fromEntries(names.map((name) => [name, bad(0.02) ? POISON.property : ""])),
  });
  const event = (contact: Contact): PlannedDelivery => ({
    rule: "event",
    action: "event",
    contact,
    eventName: bad(0.03) ? POISON.event : bad(0.02) ? POISON.conflict : "happened",
    eventProperties: {},
  });
  const mail = (contact: Contact, more: { urgent?: boolean; expiresAt?: number } = {}): PlannedDelivery => ({
    rule: "mail",
    action: "transactional",
    contact,
    template: bad(0.02) ? "unheard of" : "receipt",
    dataVariables: bad(0.03) ? { amount: POISON.variable } : {},
    addToAudience: false,
    urgent: false,
    ...more,
  });

  const byRef = ({ ref, email }: Person): Contact => (ref ? { ref } : { email });
  const sometimes = <T>(share: number, value: () => T): T | undefined => (random.chance(share) ? value() : undefined);
  const second = (at: number) => Math.floor(at / 1000) * 1000;

  const kinds = {
    customer: (person: Person, at: number) =>
      write({
        source: "stripe",
        type: "customer.updated",
        occurredAt: second(at),
        rank: 2,
        links: person.ref ? [{ ref: person.ref, email: person.email }] : [],
        deliveries: [update({ email: person.email }, "name", ...(random.chance(0.5) ? ["phone"] : []))],
      }),
    subscription: (person: Person, at: number, rank = random.int(1, 3)) =>
      write({
        source: "stripe",
        type: `customer.subscription.${["created", "updated", "deleted"][rank - 1]}`,
        occurredAt: second(at),
        rank,
        deliveries: [
          update(byRef(person), "plan", ...(random.chance(0.6) ? ["status"] : [])),
          sometimes(0.4, () => event(byRef(person))),
        ],
      }),
    invoice: (person: Person, at: number) =>
      write({
        source: "stripe",
        type: "invoice.paid",
        occurredAt: second(at),
        deliveries: [sometimes(0.5, () => event(byRef(person))), mail(byRef(person))],
      }),
    user: (person: Person, at: number) => {
      const both = { email: person.email, ...(person.userId ? { userId: person.userId } : {}) };
      return write({
        source: "clerk",
        type: "user.updated",
        occurredAt: at,
        rank: random.int(1, 2),
        links: person.userId ? [both] : [],
        deliveries: [update(both, "name", "city"), sometimes(0.4, () => event(both)), sometimes(0.2, () => mail(both))],
      });
    },
    gone: (person: Person, at: number) => {
      const contact: Contact = person.userId ? { userId: person.userId } : { email: person.email };
      const removes = { removes: true as const, ...(person.userId ? { waitsForTie: true as const } : {}) };
      const deliveries: PlannedDelivery[] = random.chance(0.5)
        ? [{ rule: "gone", action: "delete", contact, ...removes }]
        : [
            { rule: "gone", action: "contact", contact, properties: { left: "" }, ...removes },
            { ...event(contact), ...removes },
          ];
      return write({ source: "clerk", type: "user.deleted", occurredAt: at, rank: 3, deliveries });
    },
    membership: (person: Person, at: number) =>
      write({
        source: "clerk",
        type: "membership.created",
        occurredAt: at,
        deliveries: [
          person.userId
            ? { ...event({ userId: person.userId }), waitsForTie: true as const }
            : event({ email: person.email }),
        ],
      }),
    code: (person: Person, at: number) =>
      write({
        source: "supabase",
        type: "send-email",
        occurredAt: at,
        deliveries: [
          mail({ email: person.email }, { urgent: true, expiresAt: at + random.one([5_000, 20_000, 10 * MINUTE]) }),
        ],
      }),
    note: (person: Person, at: number) => {
      const contact = person.userId && random.chance(0.4) ? { userId: person.userId } : { email: person.email };
      return write({
        source: "generic",
        type: "note",
        occurredAt: at,
        deliveries: [
          update(contact, ...random.shuffled(["name", "city", "plan", "score"]).slice(0, random.int(1, 3))),
          sometimes(0.15, () => event(contact)),
        ],
      });
    },
    backfill: (person: Person, at: number) =>
      write({
        source: "stripe",
        type: "customer.updated",
        occurredAt: second(at),
        lane: "backfill",
        deliveries: [update({ email: person.email }, "name", "since")],
      }),
    test: (person: Person, at: number) =>
      write({
        source: "stripe",
        type: "invoice.paid",
        occurredAt: second(at),
        test: true,
        deliveries: [event({ email: person.email }), mail({ email: person.email })],
      }),
    other: (at: number) =>
      write({
        source: "other",
        type: "other",
        occurredAt: at,
        deliveries: [
          {
            rule: "mail",
            action: "transactional",
            contact: { email: "other@example.com" },
            template: "receipt",
            dataVariables: {},
            addToAudience: false,
            urgent: false,
          },
        ],
      }),
    link: (person: Person, at: number) =>
      write({
        source: "stripe",
        type: "customer.created",
        occurredAt: second(at),
        rank: 1,
        links: [random.chance(0.3) ? person : { ...(person.ref ? { ref: person.ref } : {}), email: person.email }],
      }),
  };
  return kinds;
};

export type Writer = ReturnType<typeof createWriter>;
export type Kind = Exclude<keyof Writer, "other">;

const addId = (delivery: PlannedDelivery, id: string): PlannedDelivery => {
  if (delivery.action === "contact") {
    const values = Object.entries(delivery.properties).map(([name, value]) => [name, `${id} ${value}`.trim()]);
    return { ...delivery, rule: `${delivery.rule} ${id}`, properties: Object.fromEntries(values) };
  }
  return { ...delivery, rule: `${delivery.rule} ${id}` };
};
