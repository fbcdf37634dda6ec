import { sleep } from "../outbox/report.ts";
import { within } from "../paced.ts";
import { SEGMENT } from "./requests.ts";
import { addressOf, BUSY } from "./seed.ts";
import type { Scale } from "./start.ts";

const PACE_MS = 200;
/** No multiple of the client's pace, or both would coincide. */
const PAGE_MS = 3_037;
const SEGMENT_EVERY = 8;
/** Turns equalize other load on the machine. */
const WINDOW_MS = 12_000;

const TEAM = "/email/teams/demo";
const PAGES = [
  ["/bridge/status", "/bridge/webhooks?limit=20", `${TEAM}/sends?perPage=20`],
  ["/bridge/webhooks?limit=50"],
  ["/bridge/deliveries?state=attention&limit=100"],
  [`${TEAM}/contacts?perPage=50`],
  [
    `${TEAM}/v1/contacts/find?email=${BUSY}`,
    `/bridge/webhooks?email=${BUSY}&limit=20`,
    `${TEAM}/sends?to=${BUSY}&perPage=50`,
  ],
  [`${TEAM}/sends?perPage=50`],
  [`${TEAM}/contacts?list=lst_0&perPage=50`],
];

/** Returns the ms of each request. */
const clientFor = async ({ v1 }: Scale, ms: number): Promise<number[]> => {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n * PACE_MS < ms; n++) {
    await sleep(Math.max(0, began + n * PACE_MS - performance.now()));
    const email = addressOf(1 + n);
    const asked =
      n % 2 === 0
        ? v1("/events/send", { email, eventName: "opened", eventProperties: { n } })
        : v1(`/contacts/find?email=${email}`);
    open.push(
      asked.then((answer) => {
        if (answer.status !== 200) throw new Error(`The client got ${answer.status}: ${JSON.stringify(answer.json)}`);
        times.push(answer.ms);
      }),
    );
  }
  await Promise.all(open);
  return times;
};

const countSegment = async (ask: Scale["ask"]): Promise<void> => {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { json } = await ask(`${TEAM}/audience/estimate`, {
      filter: SEGMENT,
      exact: true,
      ...(cursor && { cursor }),
    });
    cursor = (json as { next: string | null }).next;
  }
};

const openPages = async ({ ask }: Scale, before: number, isDone: () => boolean): Promise<number> => {
  let opened = before;
  await sleep(PAGE_MS * Math.random());
  while (!isDone()) {
    const began = performance.now();
    if (opened % SEGMENT_EVERY === SEGMENT_EVERY - 1) await countSegment(ask);
    else await Promise.all((PAGES[opened % PAGES.length] ?? []).map((path) => ask(path)));
    opened += 1;
    await sleep(Math.max(0, began + PAGE_MS - performance.now()));
  }
  return opened;
};

/** Compares a client's times with and without loading pages. */
export const besidePages = async (scale: Scale, windows: number) => {
  const [alone, beside]: [number[], number[]] = [[], []];
  let opened = 0;
  for (let n = 0; n < windows; n++) {
    alone.push(...(await clientFor(scale, WINDOW_MS)));
    let done = false;
    const pages = openPages(scale, opened, () => done);
    beside.push(...(await clientFor(scale, WINDOW_MS)));
    done = true;
    opened = await pages;
  }
  const sharesOf = (times: readonly number[]) => ({ half: within(times, 0.5), most: within(times, 0.99) });
  return { opened, requests: alone.length, alone: sharesOf(alone), beside: sharesOf(beside) };
};
