import type { SourceSettings } from "../../../../src/outbox/model/source-settings.ts";
import type { Bench } from "../setup.ts";

export type Asked = { url: string; method: string; headers: Headers; body: string };
type Answer = (asked: Asked) => Response | Promise<Response>;

/** Gives an Outbox another network, settings and sources, and lets its monitor look once. To be repeated after a crash. */
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
  await bench.inside(({ engine, monitor }) => {
    Object.assign(engine.deps, { env: { ...engine.deps.env, ...env }, fetchExternal: fetch, sources });
    monitor.check();
  });
  return asked;
};

/** Sets the clock of Outbox and host forward, and runs the alarm. */
export const later = async (bench: Bench, ms: number): Promise<void> => {
  bench.host.offset += ms;
  await bench.ring();
};

/** Ms until the alarm; undefined when none is set. */
export const alarmIn = ({ clock }: Bench): number | undefined => {
  const at = clock.alarm();
  return at === null ? undefined : at - clock.now();
};
