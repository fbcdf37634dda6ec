import { median } from "../median.ts";
import { sleep } from "../outbox/report.ts";
import type { Request } from "./requests.ts";
import type { Answer, Scale } from "./start.ts";

/**
 * What a request took. `ms`: the median of its answers; `worst`: the longest; `judged`: the one that the bound is for. `bytes`: of the largest answer. `first`, `late`: ms of the first
 * pages and of the last ones before page 200. `asked`: how many requests it took to the end of a list, in `seconds`.
 */
export type Measured = Omit<Request, "pages"> & {
  ms: number;
  worst: number;
  judged: number;
  bytes: number;
  failed?: string;
  first?: number;
  late?: number;
  pages?: number;
  asked?: number;
  seconds?: number;
};

/** Pages at the beginning and at the end of the way to page 200 whose times are compared. */
const COMPARED = 15;

const nextOf = ({ json }: Answer): string | null => {
  const { next, pagination } = json as { next?: string | null; pagination?: { nextCursor: string | null } };
  return next ?? pagination?.nextCursor ?? null;
};

/** Asks a list on from its first page, or a count from its beginning, at most `most` times. */
const readOn = async ({ ask }: Scale, { path, body }: Request, most: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let cursor: string | null = ""; cursor !== null && answers.length < most; ) {
    const query = cursor === "" || body ? "" : `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const answer = await ask(path + query, body && (cursor === "" ? body : { ...body, cursor }));
    answers.push(answer);
    if (answer.status !== 200) break;
    cursor = nextOf(answer);
  }
  return answers;
};

/** From this many answers on, the slowest one is left out. */
const ENOUGH = 11;

/**
 * The time that a bound is for: the slowest answer. Of eleven answers and more it is the second slowest, because on a shared machine
 * one of them is late by a pause of the machine, of the garbage collector or of another process.
 */
export const judgedOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => b - a)[times.length < ENOUGH ? 0 : 1] ?? Number.NaN;

const figuresOf = (answers: readonly Answer[]) => {
  const times = answers.map(({ ms }) => ms);
  const bad = answers.find(({ status }) => status !== 200);
  return {
    ms: median(times),
    worst: Math.max(...times),
    judged: judgedOf(times),
    bytes: Math.max(...answers.map(({ bytes }) => bytes)),
    ...(bad ? { failed: `${bad.status} ${JSON.stringify(bad.json)}` } : {}),
  };
};

/** Ms between two requests to the v1 API, so that its rate limit refuses none. */
const V1_MS = 30;

/** Asks one thing `rounds` times, or reads its list to page `last` or to its end. */
export const measure = async (scale: Scale, request: Request, rounds: number, last: number): Promise<Measured> => {
  const { pages, ...shown } = request;
  const { path, body, method, whole } = request;
  const ask = async (): Promise<Answer> => {
    if (path.includes("/v1/")) await sleep(V1_MS);
    return scale.ask(path, body, method);
  };
  const began = performance.now();
  if (whole) {
    const answers = await readOn(scale, request, Number.POSITIVE_INFINITY);
    return { ...shown, ...figuresOf(answers), asked: answers.length, seconds: (performance.now() - began) / 1_000 };
  }
  await ask();
  if (!pages) {
    const answers: Answer[] = [];
    for (let n = 0; n < rounds; n++) answers.push(await ask());
    return { ...shown, ...figuresOf(answers) };
  }
  const answers = await readOn(scale, request, last);
  const medianIn = (some: readonly Answer[]) => median(some.map(({ ms }) => ms));
  // The last page may have a few rows only.
  const full = answers.slice(0, -1);
  const isLong = full.length >= 3 * COMPARED;
  const ends = { first: medianIn(full.slice(0, COMPARED)), late: medianIn(full.slice(-COMPARED)) };
  return { ...shown, ...figuresOf(answers), ...(isLong ? ends : {}), pages: answers.length };
};
