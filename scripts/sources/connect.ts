import { secretsIn } from "../../src/lib/signature/secrets.ts";
import { apiVariables, handlerOf, type Source, sources } from "../../src/sources.ts";
import { ensureDevVars, readDevVars, setDevVar } from "../dev-vars.ts";
import { count, entryOf, UsageError } from "../lib/cli.ts";
import type { Line } from "../lib/command.ts";
import {
  createDestination,
  type Destination,
  deleteDestination,
  destinationsAt,
  enableDestination,
  type StripeApi,
  updateEvents,
} from "./stripe-destinations.ts";
import type { SOURCES } from "./usage.ts";

type Values = Line<typeof SOURCES>["values"];

/** `file`: .dev.vars. `vars`: settings of this machine. */
export type World = {
  vars: Readonly<Record<string, string | undefined>>;
  file: string;
  fetch: typeof fetch;
  print(text: string): void;
};

/** Event types of Stripe that have no thin form. */
export const SNAPSHOT_ONLY: readonly string[] = ["customer.source.expiring"];

/** Makes or updates the event destination of a source at its provider. Throws `UsageError`, or the provider's message. */
export const connect = async (name: string, values: Values, world: World): Promise<void> => {
  const source = entryOf("source", sources, name);
  const { provider } = handlerOf(source);
  if (provider !== "stripe")
    throw new UsageError(
      `${name}: only a source of Stripe can be connected. docs/providers.md says how to set up others.`,
    );
  const { payload } = values;
  if (payload !== "thin" && payload !== "snapshot")
    throw new UsageError(`--payload ${payload}: expected thin or snapshot.`);
  const address = addressOf(values.url ?? world.vars.PUBLIC_URL, name);
  const api = apiOf(source, world);
  const events = eventsOf(source, payload);
  await bring(api, { name, source, address, events, payload, values, world });
};

type Wanted = {
  name: string;
  source: Source;
  address: string;
  events: string[];
  payload: string;
  values: Values;
  world: World;
};

const bring = async (api: StripeApi, wanted: Wanted): Promise<void> => {
  const { address, events, payload, values, world } = wanted;
  const { print } = world;
  const dry = values["dry-run"];
  const all = await destinationsAt(api, address);
  const known = all.find(({ event_payload: kind }) => kind === payload);
  for (const { id, event_payload: kind } of all.filter((one) => one !== known))
    print(
      `There is another destination (${kind}) with this address: ${id}. Delete it once this one works: docs/thin-events.md.`,
    );
  if (!known || values.replace) {
    print(
      `${dry ? "Would make" : "Making"} a destination for ${address}: ${payload}, ${count(events.length, "event type")}.`,
    );
    if (dry) return print(events.map((event) => `  + ${event}`).join("\n"));
    store(await createDestination(api, wanted), wanted);
    for (const { id } of all.filter(({ event_payload: kind }) => kind === payload)) {
      await deleteDestination(api, id);
      print(`Deleted the former destination ${id}.`);
    }
    return print(next(wanted));
  }
  const lines = differences(known, events);
  const isOff = known.status !== "enabled";
  if (lines.length === 0 && !isOff)
    print(`${known.id} has exactly the ${count(events.length, "event type")} of the rules.`);
  else {
    print(
      `${dry ? "Would update" : "Updating"} ${known.id}:\n${[...lines, ...(isOff ? ["  + enabled"] : [])].join("\n")}`,
    );
    if (dry) return;
    if (lines.length > 0) await updateEvents(api, known.id, events);
    if (isOff) await enableDestination(api, known.id);
  }
  print(
    `Stripe shows the secret of a destination only once, when it is made. If ${wanted.source.secret} of the bridge is not that of ${known.id}, run this again with --replace.`,
  );
};

const differences = ({ enabled_events: before }: Destination, events: readonly string[]): string[] => [
  ...events.filter((event) => !before.includes(event)).map((event) => `  + ${event}`),
  ...before.filter((event) => !events.includes(event)).map((event) => `  - ${event}`),
];

/** The former secrets stay, so that the bridge accepts both while Stripe changes over. */
const store = ({ id, webhook_endpoint: endpoint }: Destination, { source, world }: Wanted): void => {
  const secret = endpoint?.signing_secret;
  if (!secret) throw new Error(`Stripe made ${id} and gave no secret. Run this again with --replace.`);
  ensureDevVars(world.file);
  const former = secretsIn(readDevVars(world.file)[source.secret] ?? "", false).filter((one) => one !== secret);
  setDevVar(source.secret, [secret, ...former.slice(0, 1)].join(" "), world.file);
  world.print(`Made ${id}. Its secret is the first value of ${source.secret} in .dev.vars.`);
};

const next = ({ source, payload }: Wanted): string => {
  const lines = [`For the deployed bridge, enter that value at: npx wrangler secret put ${source.secret}`];
  if (payload === "thin" && source.fetchBack)
    lines.push(
      `The bridge fetches the data of thin events with a restricted key that may read events and their objects: npx wrangler secret put ${source.fetchBack.key}`,
    );
  return lines.join("\n");
};

const addressOf = (url: string | undefined, name: string): string => {
  if (!url) throw new UsageError("Which bridge? Give its address: --url https://bridge.example.com");
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:")
    throw new UsageError(`--url ${url}: Stripe needs an https address that it can reach.`);
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}/hooks/${name}`;
};

const apiOf = (source: Source, { vars, fetch }: World): StripeApi => {
  const { key: keyVariable, url } = apiVariables(source);
  const key = vars[keyVariable]?.trim();
  if (!key) throw new Error(`${keyVariable} is not set. Write a key of Stripe to .dev.vars or the environment.`);
  const baseUrl = (vars[url]?.trim() || handlerOf(source).api?.baseUrl || "").replace(/\/+$/, "");
  return { key, keyVariable, baseUrl, fetch };
};

const eventsOf = ({ rules }: Source, payload: string): string[] => {
  const types = new Set([...(rules?.rules.flatMap(({ on }) => on) ?? []), ...(rules?.namedBy ?? [])]);
  if (payload === "snapshot") return [...types];
  return [...types].filter((type) => !SNAPSHOT_ONLY.includes(type)).map((type) => `v1.${type}`);
};
