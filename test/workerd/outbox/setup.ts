import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Engine } from "../../../src/outbox/engine.ts";
import { decodeResult, encodeWebhooks } from "../../../src/outbox/intake/rpc-text.ts";
import { readWebhook } from "../../../src/outbox/journal/read.ts";
import { seqOf } from "../../../src/outbox/model/calls.ts";
import type { AcceptResult, Call, Journalled, PlannedWebhook, Receipt } from "../../../src/outbox/model/types.ts";
import type { Outbox } from "../../../src/outbox/outbox.ts";
import { keyOf } from "../../../src/outbox/queue/queue.ts";
import type { PlannedCall } from "../../../src/rules/types.ts";
import { createHost, runtimeOf } from "./host.ts";

type TestEnv = { OUTBOX: DurableObjectNamespace<Outbox> };

let names = 0;

/** A fresh Outbox with a model host. `instance` is the object itself, inside workerd. */
export const createBench = async (name = `outbox-${++names}-${crypto.randomUUID()}`) => {
  const get = () => (env as unknown as TestEnv).OUTBOX.getByName(name);
  const host = createHost();
  let stub = get();
  const adopt = () =>
    runInDurableObject(stub, (instance: Outbox) => {
      Object.assign((instance as unknown as { engine: Engine }).engine.deps, runtimeOf(host));
    });
  await adopt();
  /** A webhook as it is kept, body and one-time secrets too, and which of its calls are under way; or null. */
  const read = (id: string): Promise<Journalled | null> =>
    runInDurableObject(stub, (instance: Outbox, { storage }) => {
      const { queue } = (instance as unknown as { engine: Engine }).engine.dispatcher;
      const webhook = readWebhook(storage.sql, seqOf(id) ?? 0);
      webhook?.calls.forEach((call, index) => {
        if (queue.items.get(keyOf({ seq: webhook.seq, index }))?.inFlight) call.state = "sending";
      });
      return webhook ?? null;
    });
  const request = async (webhooks: readonly Partial<PlannedWebhook>[]): Promise<AcceptResult> =>
    decodeResult(await stub.accept(...encodeWebhooks(webhooks.map(accepted))));
  const acceptAll = async (webhooks: readonly Partial<PlannedWebhook>[]): Promise<Receipt[]> => {
    const result = await request(webhooks);
    if ("overload" in result) throw new Error(result.overload.message);
    return result.receipts;
  };
  return {
    stub: () => stub,
    host,
    /** Kills the object where it stands, whatever it was doing, `then` does what happens meanwhile, and brings it back. */
    crash: async (then: () => void = () => {}) => {
      await runInDurableObject(stub, (_, state) => state.abort("crash")).catch(() => {});
      then();
      stub = get();
      await adopt();
    },
    accept: async (webhook: Partial<PlannedWebhook> = {}) => {
      const [receipt] = await acceptAll([webhook]);
      if (!receipt) throw new Error("no receipt");
      return receipt;
    },
    acceptAll,
    /** What the Outbox answers to webhooks that arrive in one request. */
    request,
    webhook: async (id: string): Promise<Journalled> => {
      const webhook = await read(id);
      if (!webhook) throw new Error(`no webhook ${id}`);
      return webhook;
    },
    read,
    /** How many webhooks are kept. */
    kept: (): Promise<number> =>
      runInDurableObject(stub, (_, { storage: { sql } }) => sql.exec("SELECT seq FROM webhooks").toArray().length),
    /** Waits until every call of a webhook is decided (or `until` holds) and gives them. */
    calls: async (id: string, until: (calls: Call[]) => boolean = decided, ms = 5_000): Promise<Call[]> => {
      for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
        const calls = (await read(id))?.calls ?? [];
        if (until(calls)) return calls;
        if (Date.now() > end) throw new Error(`still undecided: ${JSON.stringify(calls)}`);
      }
    },
  };
};

const decided = (calls: Call[]) => calls.every((call) => call.state !== "waiting" && call.state !== "sending");

let events = 0;

export const accepted = (webhook: Partial<PlannedWebhook>): PlannedWebhook => ({
  source: "stripe",
  eventId: `evt_${++events}`,
  digest: false,
  type: "customer.updated",
  occurredAt: 1_700_000_000_000,
  rank: 0,
  test: false,
  raw: "{}",
  calls: [],
  outcomes: [],
  links: [],
  secretPaths: [],
  ...webhook,
});

type Keyed = PlannedCall & { key: string };
let keys = 0;

export const update = (
  contact: PlannedCall["contact"],
  properties: Record<string, string | number | boolean | null>,
): Keyed => ({
  rule: "update",
  action: "contact",
  contact,
  properties,
  key: `key-${++keys}`,
});

export const event = (contact: PlannedCall["contact"], eventName = "signedUp"): Keyed => ({
  rule: "event",
  action: "event",
  contact,
  eventName,
  eventProperties: { plan: "pro" },
  key: `key-${++keys}`,
});

export const mail = (
  contact: PlannedCall["contact"],
  more: { urgent?: boolean; expiresAt?: number; template?: string; amount?: string } = {},
): Keyed => ({
  rule: "mail",
  action: "transactional",
  contact,
  template: more.template ?? "receipt",
  dataVariables: { amount: more.amount ?? "$49.00" },
  addToAudience: false,
  urgent: more.urgent ?? false,
  ...(more.expiresAt === undefined ? {} : { expiresAt: more.expiresAt }),
  key: `key-${++keys}`,
});
