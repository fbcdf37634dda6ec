import { sleep } from "./outbox/report.ts";

export const PACE_MS = 100;

type Api = {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
};

/** Alternates reads and writes, ten per second. Returns the ms of each call. */
export const pacedCalls = async (team: Api, isDone: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; !isDone(); n++) {
    await sleep(Math.max(0, began + n * PACE_MS - performance.now()));
    const sent = performance.now();
    const called =
      n % 2 === 0
        ? team.post("/events/send", { userId: `u${n % 50}`, eventName: "opened", eventProperties: { n } })
        : team.get(`/contacts/find?userId=u${(n - 1) % 50}`);
    open.push(called.then(() => void times.push(performance.now() - sent)));
  }
  await Promise.all(open);
  return times;
};

export const within = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
