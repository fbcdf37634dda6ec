import { median } from "../median.ts";
import { load } from "./load.ts";
import { atLeast, atMost, type Figure, sleep, until } from "./report.ts";
import type { Service } from "./service.ts";
import { type Bench, start } from "./start.ts";
import { customerUpdate, renewal, several, signIn } from "./webhooks.ts";

/** Seconds of jitter allowed over HTTPS; see `guardOf` in src/outbox/model/config.ts. */
const GUARD = 0.1;

/** Leftover deliveries must not affect the next part. */
const alone = async <T>(service: Service, work: (bench: Bench) => Promise<T>): Promise<T> => {
  const bench = await start(service.url);
  service.arrivals = [];
  service.limited = 0;
  service.delay = () => 0;
  try {
    return await work(bench);
  } finally {
    await bench.stop();
  }
};

/** Measures the used share of the rate limit during a backlog. */
export const limitUsed = (service: Service, seconds: number): Promise<Figure[]> =>
  alone(service, async (bench) => {
    service.delay = () => 50;
    const backlog = await several(seconds * 12, (n) => renewal("/real/limit", n));
    await load(bench.port, backlog, 32);
    await sleep(2_000);
    const from = performance.now();
    await sleep(seconds * 1_000);
    const arrived = service.arrivals.filter(({ at }) => at >= from && at < from + seconds * 1_000).length;
    const share = arrived / seconds / (10 / (1 + GUARD));
    return [
      atLeast(`share of 10 / (1 + ${GUARD}) a second used over ${seconds} s of backlog`, share, 0.98, 3),
      atMost("requests answered 429 by an email service that counts", service.limited, 0, 0),
    ];
  });

const SIGN_IN = /token=(\w+)/;

/** Measures a sign-in mail behind a backlog. */
export const urgentMail = (service: Service, backlog: number, mails: number, hangs: boolean): Promise<Figure[]> =>
  alone(service, async (bench) => {
    service.delay = (path) => (hangs && !path.startsWith("/v1/transactional") ? undefined : 200);
    const updates = await several(backlog, (n) => customerUpdate("/real/urgent", n));
    await load(bench.port, updates, 64);
    await sleep(1_000);
    const times: number[] = [];
    for (let n = 0; n < mails; n++) {
      const token = `t${n}x${Date.now()}`;
      const posted = performance.now();
      await load(bench.port, [await signIn("/real/urgent", token)], 1);
      const arrived = () => service.arrivals.find(({ body }) => SIGN_IN.exec(body)?.[1] === token);
      await until(`sign-in mail ${n} is sent`, () => arrived() !== undefined, 15_000);
      times.push((arrived()?.at ?? Number.NaN) - posted);
      await sleep(250 + Math.random() * 200);
    }
    const which = `behind ${backlog} updates${hangs ? ", every one of which hangs" : ""}`;
    return [
      atMost(`sign-in mail ${which}: median of ${mails}`, median(times), 300, 0, " ms"),
      atMost("  the slowest", Math.max(...times), 1_000, 0, " ms"),
    ];
  });

/** Counts requests for many updates of a few people. */
export const joined = (service: Service, updates: number, people: number): Promise<Figure[]> =>
  alone(service, async (bench) => {
    const requests = await several(updates, (n) => customerUpdate("/real/joined", n % people));
    const began = performance.now();
    await load(bench.port, requests, 128);
    const took = (performance.now() - began) / 1_000;
    let before = -1;
    while (service.arrivals.length > before) {
      before = service.arrivals.length;
      await sleep(3_000);
    }
    return [
      atMost(`${updates} updates of ${people} people arrived within`, took, 5, 1, " s"),
      atMost("  and became requests", service.arrivals.length, 250, 0),
    ];
  });
