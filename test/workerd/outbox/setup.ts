import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { decodeResult, encodeWebhooks } from "../../../src/outbox/intake/rpc-text.ts";
import { readWebhook } from "../../../src/outbox/journal/read.ts";
import { seqOf } from "../../../src/outbox/model/delivery-state.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type {
  AcceptResult,
  Delivery,
  Journaled,
  PlannedWebhook,
  Receipt,
} from "../../../src/outbox/model/journal-types.ts";
import { keyOf } from "../../../src/outbox/queue/person-queues.ts";
import type { PlannedDelivery } from "../../../src/rules/types.ts";
import { createClock, type Life } from "./clock.ts";
import { type TestOutbox, worlds } from "./outbox.ts";
import { createService } from "./service.ts";

export type Bench = Awaited<ReturnType<typeof createBench>>;
type TestEnv = { OUTBOX: DurableObjectNamespace<TestOutbox> };

export const outboxNamed = (name: string) => (env as TestEnv).OUTBOX.getByName(name);

let names = 0;

/**
 * A fresh Outbox with a model email service. Time passes only in `deliveries`, `waitFor`, `pass` or `during`.
 *
 * @param change other dependencies for every process of the object
 */
export const createBench = async (change: (own: Dependencies) => Partial<Dependencies> = () => ({})) => {
  const name = `outbox-${++names}-${crypto.randomUUID()}`;
  const get = () => outboxNamed(name);
  const clock = createClock();
  const service = createService(clock);
  let life: Life = { alive: true };
  worlds.set(name, (own) => {
    const virtual = {
      ...own,
      ...clock.dependenciesOf(life, own.disk),
      fetch: (url: string, init: RequestInit) => service.fetch(new Request(url, init)),
    };
    return { ...virtual, ...change(virtual) };
  });
  let stub = get();
  const inside = <T>(work: (outbox: TestOutbox, state: DurableObjectState) => T | Promise<T>): Promise<T> =>
    runInDurableObject(stub, work);
  const until = <T>(look: (outbox: TestOutbox, sql: SqlStorage) => T | undefined, ms: number): Promise<T | undefined> =>
    inside(async (outbox, { storage }) => {
      const end = clock.time() + ms;
      await clock.settle();
      for (;;) {
        const value = look(outbox, storage.sql);
        if (value !== undefined) return value;
        if (!(await clock.step(end, () => outbox.alarm()))) return undefined;
      }
    });
  const pass = async (ms: number): Promise<void> => {
    let passed = false;
    clock.in(ms, () => {
      passed = true;
    });
    await until(() => passed || undefined, ms);
  };
  await inside(() => {});
  const readIn = ({ engine }: TestOutbox, sql: SqlStorage, id: string): Journaled | null => {
    const webhook = readWebhook(sql, seqOf(id) ?? 0);
    webhook?.deliveries.forEach((delivery, index) => {
      if (engine.dispatcher.queue.items.get(keyOf({ seq: webhook.seq, index }))?.inFlight) delivery.state = "sending";
    });
    return webhook ?? null;
  };
  const read = (id: string) => inside((outbox, { storage }) => readIn(outbox, storage.sql, id));
  const request = async (webhooks: readonly Partial<PlannedWebhook>[]): Promise<AcceptResult> =>
    decodeResult(await stub.accept(...encodeWebhooks(webhooks.map(accepted))));
  const acceptAll = async (webhooks: readonly Partial<PlannedWebhook>[]): Promise<Receipt[]> => {
    const result = await request(webhooks);
    if ("overload" in result) throw new Error(result.overload.message);
    return result.receipts;
  };
  return {
    stub: () => stub,
    service,
    clock,
    inside,
    /** A copy of a method's result with its type, which RPC loses. */
    ask: async <T>(method: (outbox: TestOutbox) => T | Promise<T>): Promise<T> => structuredClone(await inside(method)),
    pass,
    waitFor: async <T>(assertion: () => T | Promise<T>, ms = 1_000): Promise<T> => {
      for (const end = clock.time() + ms; ; ) {
        await inside(() => clock.settle());
        try {
          return await assertion();
        } catch (error) {
          if (!(await inside((outbox) => clock.step(end, () => outbox.alarm())))) throw error;
        }
      }
    },
    during: async <T>(work: (outbox: TestOutbox) => Promise<T>, ms = 60_000): Promise<T> => {
      const done: { value: T }[] = [];
      const failed: unknown[] = [];
      await inside((outbox) => {
        work(outbox).then(
          (value) => done.push({ value }),
          (error: unknown) => failed.push(error),
        );
      });
      const first = await until(() => done[0] ?? (failed.length > 0 ? failed : undefined), ms);
      if (first && "value" in first) return first.value;
      throw failed[0] ?? new Error(`Not done after ${ms} ms.`);
    },
    ring: (): Promise<boolean> =>
      inside(async (outbox) => {
        const rung = await clock.ring(() => outbox.alarm());
        await clock.settle();
        return rung;
      }),
    /** Kills the object in the middle of its work, runs `then`, and restarts it. No wait may be in progress. */
    crash: async (then: () => void = () => {}) => {
      clock.end(life);
      await inside((_, state) => state.abort("crash")).catch(() => {});
      then();
      life = { alive: true };
      stub = get();
      await inside(() => {});
    },
    accept: async (webhook: Partial<PlannedWebhook> = {}) => {
      const [receipt] = await acceptAll([webhook]);
      if (!receipt) throw new Error("no receipt");
      return receipt;
    },
    acceptAll,
    request,
    webhook: async (id: string): Promise<Journaled> => {
      const webhook = await read(id);
      if (!webhook) throw new Error(`no webhook ${id}`);
      return webhook;
    },
    read,
    kept: (): Promise<number> =>
      inside((_, { storage: { sql } }) => sql.exec("SELECT seq FROM webhooks").toArray().length),
    deliveries: async (
      id: string,
      isEnough: (deliveries: Delivery[]) => boolean = settled,
      ms = 5_000,
    ): Promise<Delivery[]> => {
      let last: Delivery[] = [];
      const found = await until((outbox, sql) => {
        last = readIn(outbox, sql, id)?.deliveries ?? [];
        return isEnough(last) ? last : undefined;
      }, ms);
      if (found) return found;
      throw new Error(`still open after ${ms} ms: ${JSON.stringify(last)}`);
    },
  };
};

/** Holds the email service's answer to the first request until `open`, so that later deliveries wait. */
export const holdFirstAnswer = (bench: Bench) => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  bench.service.before = async () => {
    if (bench.service.received.length === 1) await opened;
    return undefined;
  };
  return open;
};

const settled = (deliveries: Delivery[]) =>
  deliveries.every((delivery) => delivery.state !== "waiting" && delivery.state !== "sending");

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
  deliveries: [],
  outcomes: [],
  links: [],
  secretPaths: [],
  ...webhook,
});

type Keyed = PlannedDelivery & { key: string };
let keys = 0;

export const update = (
  contact: PlannedDelivery["contact"],
  properties: Record<string, string | number | boolean | null>,
): Keyed => ({
  rule: "update",
  action: "contact",
  contact,
  properties,
  key: `key-${++keys}`,
});

export const event = (contact: PlannedDelivery["contact"], eventName = "signedUp"): Keyed => ({
  rule: "event",
  action: "event",
  contact,
  eventName,
  eventProperties: { plan: "pro" },
  key: `key-${++keys}`,
});

export const mail = (
  contact: PlannedDelivery["contact"],
  more: { urgent?: boolean; expiresAt?: number; notAfter?: number; template?: string; amount?: string } = {},
): Keyed => ({
  rule: "mail",
  action: "transactional",
  contact,
  template: more.template ?? "receipt",
  dataVariables: { amount: more.amount ?? "$49.00" },
  addToAudience: false,
  urgent: more.urgent ?? false,
  ...(more.expiresAt === undefined ? {} : { expiresAt: more.expiresAt }),
  ...(more.notAfter === undefined ? {} : { notAfter: more.notAfter }),
  key: `key-${++keys}`,
});
