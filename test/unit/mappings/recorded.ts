import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { valueAt } from "../../../src/lib/webhook/shape.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import type { Plan, PlannedDelivery, RuleSet } from "../../../src/rules/types.ts";
import type { Envelope } from "../../../src/webhook.ts";
import { requestOf } from "../signed.ts";

const FIXTURES = join(import.meta.dirname, "../..", "fixtures");
/** The clock: later than every recorded webhook. */
export const NOW = Date.UTC(2025, 10, 25);

// biome-ignore lint/suspicious/noExplicitAny: a recorded body, as a test changes it
export type Body = any;

export type Recorded = Plan & { name: string; raw: string; webhook: Envelope };

type Event = Record<string, unknown> & { name: string };

/** False if the stored state must say something. */
const mayBeFirst = ({ ifStored = { id: "" } }: PlannedDelivery): boolean =>
  Object.keys(ifStored).every((part) => part === "id" || part === "isNot" || part === "unless");

/** The events where nothing is stored. */
export const eventsOf = (deliveries: readonly PlannedDelivery[]): Event[] =>
  deliveries
    .filter(mayBeFirst)
    .flatMap((delivery) =>
      delivery.action === "event" ? [{ name: delivery.eventName, ...delivery.eventProperties }] : [],
    );

export const writtenBy = (deliveries: readonly PlannedDelivery[]): Record<string, unknown>[] =>
  deliveries.flatMap((delivery) => (delivery.action === "contact" ? [delivery.properties] : []));

/** Reads a body with a rule set's handler and plans its deliveries. */
export const planOf = async (ruleSet: RuleSet, body: unknown, headers: Record<string, string> = {}) => {
  const all = { "svix-id": "msg_1", "webhook-id": "msg_1", "webhook-timestamp": "1762948800", ...headers };
  const request = requestOf({ headers: new Headers(all), raw: JSON.stringify(body) });
  const webhook: Envelope = await ruleSet.handler.read(request, body, NOW);
  return { ...plan(ruleSet, { ...webhook, source: ruleSet.handler.provider }), webhook };
};

/** The recorded webhooks in test/fixtures of a rule set's provider. */
export const recorded = (ruleSet: RuleSet) => {
  const folder = join(FIXTURES, ruleSet.handler.provider);
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !file.endsWith(".headers.json"))
    .map((file) => file.slice(0, -".json".length));
  const rawOf = (name: string) => readFileSync(join(folder, `${name}.json`), "utf8");
  const bodyOf = (name: string): Body => JSON.parse(rawOf(name));

  const planFor = async (name: string, change: (body: Body) => void = () => {}): Promise<Recorded> => {
    const body = bodyOf(name);
    change(body);
    const beside = join(folder, `${name}.headers.json`);
    const headers = existsSync(beside) ? JSON.parse(readFileSync(beside, "utf8")) : {};
    return { ...(await planOf(ruleSet, body, headers)), name, raw: rawOf(name) };
  };

  return {
    names,
    bodyOf,
    planFor,
    all: () => Promise.all(names.map((name) => planFor(name))),
    eventNames: async (...some: string[]) =>
      (await Promise.all(some.map((name) => planFor(name)))).flatMap((planned) =>
        eventsOf(planned.deliveries).map(({ name }) => name),
      ),
    event: async (name: string, change?: (body: Body) => void) => eventsOf((await planFor(name, change)).deliveries)[0],
    propertiesOf: async (name: string, change?: (body: Body) => void): Promise<Record<string, unknown>> =>
      Object.assign({}, ...writtenBy((await planFor(name, change)).deliveries)),
    contactsOf: async (name: string) => (await planFor(name)).deliveries.map(({ contact }) => contact),
    linksOf: async (name: string) => (await planFor(name)).links,
    matchedBy: async (rule: string) =>
      (await Promise.all(names.map((name) => planFor(name))))
        .filter(({ outcomes }) => outcomes.some((it) => it.rule === rule && it.outcome === "matched"))
        .map(({ name }) => name)
        .sort(),
  };
};

/** The raw body without its secret values, as in the journal. Expects at least one secret. */
export const withoutSecrets = (ruleSet: RuleSet, { raw }: { raw: string }): string => {
  const secrets = (ruleSet.handler.secretPaths ?? [])
    .map((path) => valueAt(JSON.parse(raw), path))
    .filter((value): value is string => typeof value === "string" && value !== "");
  expect(secrets.length).toBeGreaterThan(0);
  return secrets.reduce((rest, secret) => rest.replaceAll(JSON.stringify(secret), '"[erased]"'), raw);
};
