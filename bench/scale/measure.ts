import { median } from "../median.ts";
import { sleep } from "../outbox/report.ts";
import type { Request } from "./requests.ts";
import type { Answer, Scale } from "./start.ts";

/** Ms: `ms` is the median, `judged` the bounded value. `seconds`: to the end of a list. */
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

const COMPARED = 15;

const nextOf = ({ json }: Answer): string | null => {
  const { next, pagination } = json as { next?: string | null; pagination?: { nextCursor: string | null } };
  return next ?? pagination?.nextCursor ?? null;
};

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

/** The slowest one of this many answers is ignored. */
const ENOUGH = 11;

/** The second slowest of 11 or more, because a machine pause delays one answer. */
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

const V1_MS = 30;

/** Measures a request `rounds` times, or its list to page `last`. */
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
  // The last page may be short.
  const full = answers.slice(0, -1);
  const isLong = full.length >= 3 * COMPARED;
  const ends = { first: medianIn(full.slice(0, COMPARED)), late: medianIn(full.slice(-COMPARED)) };
  return { ...shown, ...figuresOf(answers), ...(isLong ? ends : {}), pages: answers.length };
};
