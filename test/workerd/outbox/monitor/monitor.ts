import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import type { Engine } from "../../../../src/outbox/engine.ts";
import type { SourceSettings } from "../../../../src/outbox/model/source-settings.ts";
import type { Monitor } from "../../../../src/outbox/monitor/monitor.ts";
import type { Outbox } from "../../../../src/outbox/outbox.ts";
import type { createBench } from "../setup.ts";

type Bench = Awaited<ReturnType<typeof createBench>>;
type Inside = { engine: Engine; monitor: Monitor };

export type Asked = { url: string; method: string; headers: Headers; body: string };
type Answer = (asked: Asked) => Response | Promise<Response>;

/** Gives an Outbox another network, settings and sources, and looks at the clock of it; to be done again after a crash. */
export const equip = async (
  bench: Bench,
  { answer, env = {}, sources = {} }: { answer?: Answer; env?: object; sources?: Record<string, SourceSettings> },
) => {
  const asked: Asked[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const one = { url, method: request.method, headers: request.headers, body: await request.text() };
    asked.push(one);
    return (await answer?.(one)) ?? new Response(null, { status: 204 });
  };
  await inside(bench, ({ engine, monitor }) => {
    Object.assign(engine.deps, { env: { ...engine.deps.env, ...env }, fetchExternal: fetch, sources });
    monitor.check();
  });
  return asked;
};

export const inside = <T>(bench: Bench, work: (instance: Inside) => T | Promise<T>): Promise<T> =>
  runInDurableObject(bench.stub(), (instance: Outbox) => work(instance as unknown as Inside));

/** Moves the clock of Outbox and host, and lets the alarm come. */
export const later = async (bench: Bench, ms: number): Promise<void> => {
  bench.host.offset += ms;
  await runDurableObjectAlarm(bench.stub());
};

/** When the alarm is set for, in ms from now. */
export const alarmIn = (bench: Bench): Promise<number | undefined> =>
  runInDurableObject(bench.stub(), async (_, { storage }) => {
    const at = await storage.getAlarm();
    return at === null ? undefined : at - bench.host.now();
  });
