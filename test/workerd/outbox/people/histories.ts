import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { inject } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { toPlannedWebhook } from "../../../../src/routes/plan-deliveries.ts";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { requestOf } from "../../../unit/signed.ts";
import { type Arrival, type Ending, letArrive, START } from "../identity/arrivals.ts";
import { outboxNamed } from "../setup.ts";

export const ADDRESSES = ["ada@example.com", "bob@example.com"] as const;

const SECOND = 1_000;
const HOUR = 3_600_000;
/** Ms between two webhooks. The rules of mail look back two seconds. */
const GAPS = [0, 1, 3, 700, 3_000, HOUR] as const;

/** The time of what happens at a place of a history, Unix ms. */
export const timeOf = (place: number): number => START - HOUR + place * SECOND;

/** A webhook before its rules have run. */
export type Sent = { id: string; type: string; at: number; body: object };

/** Reads webhooks as the handler does, marks of test data included, and runs the rules of the provider. */
const plannedOf = (ruleSet: RuleSet, sent: readonly Sent[]): Promise<PlannedWebhook[]> =>
  Promise.all(
    sent.map(async ({ id, type, at, body }) => {
      const { handler } = ruleSet;
      const headers = new Headers({ "svix-id": id, "webhook-id": id });
      const read = await handler.read(requestOf({ headers, raw: "" }), body, at);
      const envelope = { ...read, id, type, occurredAt: at };
      const planned = await toPlannedWebhook(
        handler.provider,
        { rules: ruleSet, secrets: [] } as never,
        "{}",
        envelope,
        1,
        at,
      );
      const failed = planned.outcomes.filter(({ outcome }) => outcome === "failed");
      if (failed.length > 0) throw new Error(`${id}: ${failed.map(({ rule, message }) => `${rule} ${message}`)}`);
      return planned;
    }),
  );

/** The end of a history. `arrived`: what arrived, in order; ids are those of `Sent`. */
export type End = Ending & { arrived: readonly { at: number; id: string }[] };

type Histories<H> = {
  outbox: string;
  ruleSet: RuleSet;
  history: fc.Arbitrary<readonly H[]>;
  sentOf: (happenings: readonly H[]) => readonly Sent[];
  check: (happenings: readonly H[], end: End) => void;
  /** How often each webhook arrives. */
  times?: 1 | 2;
  /** Arrivals that were wrong once, tried first. */
  examples?: readonly { happenings: readonly H[]; order: number[]; gaps: (typeof GAPS)[number][] }[];
};

/** Lets the webhooks of generated histories arrive in generated orders, and compares each end with a model. */
export const compareHistories = <H>({
  outbox,
  ruleSet,
  history,
  sentOf,
  check,
  times = 1,
  examples = [],
}: Histories<H>) => {
  const arrivals = history.chain((happenings) => {
    const places = sentOf(happenings).flatMap((_, place) => Array.from({ length: times }, () => place));
    const length = { minLength: places.length, maxLength: places.length };
    return fc.record({
      happenings: fc.constant(happenings),
      order: fc.shuffledSubarray(places, length),
      gaps: fc.array(fc.constantFrom(...GAPS), length),
    });
  });
  return fc.assert(
    fc.asyncProperty(arrivals, async ({ happenings, order, gaps }) => {
      const sent = sentOf(happenings);
      const webhooks = await plannedOf(
        ruleSet,
        order.map((place) => sent[place] as Sent),
      );
      let at = 0;
      const arriving = webhooks.map((webhook, place): Arrival => {
        at += gaps[place] ?? 0;
        return { at, webhook };
      });
      const ending = await runInDurableObject(outboxNamed(outbox), (_, { storage }) => letArrive(storage, arriving));
      const arrived = arriving.map((one) => ({ at: one.at, id: one.webhook.eventId }));
      check(happenings, { ...ending, arrived });
    }),
    { numRuns: inject("orders") * 10, examples: examples.map((one) => [one]) },
  );
};

/** Lists deliveries that are still open at the end. Conditions and largest ages skip; each other delivery is done. */
export const openIn = ({ deliveries }: End): string[] =>
  deliveries
    .filter(({ state }) => state !== "done" && state !== "replaced" && state !== "skipped")
    .map(({ webhook, rule, state, message }) => `${webhook} ${rule} ${state}: ${message}`);

/** The modeled properties of all contacts, by address. */
export const contactsIn = ({ contacts }: End, names: readonly string[]): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    contacts.map(({ email, properties }) => [
      email,
      Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
    ]),
  );
