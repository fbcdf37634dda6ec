import type { SourceSettings } from "../../../../src/outbox/model/source-settings.ts";
import { type Bench, createBench } from "../setup.ts";

export type Asked = { url: string; method: string; headers: Headers; body: string };
type Answer = (asked: Asked) => Response | Promise<Response>;

type Given = { answer?: Answer; env?: object; sources?: Record<string, SourceSettings> };

/** A bench with a separate network, settings and sources, and its Outbox's requests on that network. */
export const createMonitored = async ({ answer, env = {}, sources = {} }: Given = {}) => {
  const asked: Asked[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const one = { url, method: request.method, headers: request.headers, body: await request.text() };
    asked.push(one);
    return (await answer?.(one)) ?? new Response(null, { status: 204 });
  };
  const bench = await createBench((own) => ({ env: { ...own.env, ...env }, fetchExternal: fetch, sources }));
  return { bench, asked };
};

/** Sets the clock of Outbox and email service forward, and runs the alarm. */
export const later = async (bench: Bench, ms: number): Promise<void> => {
  bench.service.offset += ms;
  await bench.ring();
};

/** Ms until the alarm. Undefined if none is set. */
export const alarmIn = ({ clock }: Bench): number | undefined => {
  const at = clock.alarm();
  return at === null ? undefined : at - clock.now();
};
