import { sleep } from "../outbox/report.ts";
import { within } from "../paced.ts";
import { SEGMENT } from "./requests.ts";
import { addressOf, BUSY } from "./seed.ts";
import type { Scale } from "./start.ts";

/** Ms between two requests of the client: 5 in a second. */
const PACE_MS = 200;
/** Ms between two pages that a person opens. No multiple of the client's time, or both would always come at the same moment. */
const PAGE_MS = 3_037;
/** Each eighth page counts a segment exactly. */
const SEGMENT_EVERY = 8;
/** Ms of one window. Windows with and without pages take turns, so that both meet the same machine. */
const WINDOW_MS = 12_000;

const TEAM = "/email/teams/demo";
/** What pages ask when they are opened. */
const PAGES = [
  ["/bridge/status", "/bridge/webhooks?limit=20", `${TEAM}/sends?perPage=20`],
  ["/bridge/webhooks?limit=50"],
  ["/bridge/calls?state=attention&limit=100"],
  [`${TEAM}/contacts?perPage=50`],
  [
    `${TEAM}/v1/contacts/find?email=${BUSY}`,
    `/bridge/webhooks?email=${BUSY}&limit=20`,
    `${TEAM}/sends?to=${BUSY}&perPage=50`,
  ],
  [`${TEAM}/sends?perPage=50`],
  [`${TEAM}/contacts?list=lst_0&perPage=50`],
];

/** Sends events and finds contacts in turn, evenly paced, for `ms`. Returns the time of each request in ms. */
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

/** Counts a segment exactly, request by request. */
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

/** Opens a page each three seconds until `isDone`, one after the other as a person does. Returns how many pages were opened with those before. */
const openPages = async ({ ask }: Scale, before: number, isDone: () => boolean): Promise<number> => {
  let opened = before;
  // At the start of a window a request of the client begins.
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

/** The client's times without and with pages that load beside it. */
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
