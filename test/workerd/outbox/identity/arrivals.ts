import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { inject } from "vitest";
import { Engine } from "../../../../src/outbox/engine.ts";
import { readWebhook } from "../../../../src/outbox/journal/read.ts";
import type { OutboxEnv } from "../../../../src/outbox/model/config.ts";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import type { Delivery, PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { createDisk } from "../../simulation/disk.ts";
import { requestOf, responseOf } from "../../simulation/network.ts";
import { createRandom } from "../../simulation/random.ts";
import { createService } from "../../simulation/service.ts";
import { createTimeline } from "../../simulation/timeline.ts";
import { outboxNamed } from "../setup.ts";

/** The arrival of the first webhook, Unix ms. */
export const START = 1_780_000_000_000;

export type Arrival = { /** Ms from the start. */ at: number; webhook: PlannedWebhook };

export type Ending = {
  contacts: { email?: string; userId?: string; properties: Record<string, unknown> }[];
  deliveries: (Delivery & { webhook: string })[];
  mail: { /** Ms from the start. */ at: number; email: unknown; template: unknown }[];
};

const HOUR = 3_600_000;
const TEMPLATES = { receipt: "tpl_receipt", cancellation: "tpl_cancellation", welcome: "tpl_welcome" };
const MAX_WAIT = 80 * HOUR;

/** Sends webhooks to an Outbox with a healthy email service, on a clock that jumps between actions. */
export const letArrive = async (storage: DurableObjectStorage, arrivals: readonly Arrival[]): Promise<Ending> => {
  const timeline = createTimeline(START);
  const service = createService(
    { takes: 1, faults: [], forbidden: [], taken: [], published: false, saysRetryAfter: false, ahead: 0, echoes: true },
    createRandom(1),
  );
  const life = { alive: true };
  const mail: Ending["mail"] = [];
  let alarms = 0;
  const disk = createDisk(
    storage,
    timeline,
    () => 0,
    (_, at) => {
      const version = ++alarms;
      if (at !== null) timeline.in(at - timeline.now(), () => version === alarms && ring());
    },
  );
  const engine = new Engine({
    disk: disk.of(life),
    sources: {},
    now: () => Math.floor(timeline.now()),
    random: createRandom(1).next,
    env: { EMAIL_API_KEY: "key", TEMPLATES, EMAIL: {} as Fetcher } as OutboxEnv,
    sleep: (ms) => new Promise((resolve) => timeline.in(ms, resolve)),
    timeout: () => new AbortController().signal,
    fetch: (url, init) =>
      new Promise((resolve) => {
        const request = requestOf(url, init);
        timeline.in(1, () => {
          const { answer } = service.arrive(request, timeline.now());
          if (request.path === "/v1/transactional")
            mail.push({
              at: timeline.now() - START,
              email: request.body.email,
              template: request.body.transactionalId,
            });
          if (typeof answer !== "string") timeline.in(1, () => resolve(responseOf(answer)));
        });
      }),
    plan: () => Promise.resolve(undefined),
    fetchExternal: (url) => Promise.reject(new Error(`There is no ${url} here.`)),
    waitUntil: () => {},
  });
  const ring = (): void => {
    disk.ring();
    void engine.alarm().then(() => disk.rung());
  };
  await engine.wake();
  const ids: { id: string; webhook: string }[] = [];
  for (const { at, webhook } of arrivals)
    timeline.in(at, () => {
      void engine.accept([webhook]).then((taken) => {
        if ("receipts" in taken) ids.push({ id: taken.receipts[0]?.id ?? "", webhook: webhook.eventId });
      });
    });
  const isOpen = () => disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n > 0;
  while ((ids.length < arrivals.length || isOpen()) && timeline.now() < START + MAX_WAIT && (await timeline.step()))
    disk.flush();
  life.alive = false;
  return {
    contacts: service.contacts().map(({ id: _, changed: __, ...contact }) => ({
      ...contact,
      // Null clears a value.
      properties: Object.fromEntries(Object.entries(contact.properties).filter(([, value]) => value !== null)),
    })),
    deliveries: ids.flatMap(({ id, webhook }) =>
      (readWebhook(disk.sql, seqOf(id) ?? 0)?.deliveries ?? []).map((delivery) => ({ ...delivery, webhook })),
    ),
    mail,
  };
};

/** Lets webhooks arrive in generated orders, with pauses of up to an hour, and checks each ending. */
export const inAnyOrder = (
  outbox: string,
  webhooks: readonly PlannedWebhook[],
  check: (ending: Ending) => void,
): Promise<void> => {
  const length = { minLength: webhooks.length, maxLength: webhooks.length };
  const gaps = fc.array(fc.constantFrom(0, 1, 3_000, HOUR), length);
  return fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...webhooks], length), gaps, async (order, waits) => {
      let time = 0;
      const arrivals = order.map((webhook, place) => {
        time += waits[place] ?? 0;
        return { at: time, webhook };
      });
      check(await runInDurableObject(outboxNamed(outbox), (_, { storage }) => letArrive(storage, arrivals)));
    }),
    { numRuns: inject("orders") * 4 },
  );
};
