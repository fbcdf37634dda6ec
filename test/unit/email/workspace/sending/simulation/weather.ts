import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/**
 * A mail provider's behavior to all mail. `throttle`: `perMinute` until `until`, for a domain or all. `down`:
 * unreachable.
 * `warmup`: a new sending domain, with most of today's cap used. Times in ms after the start.
 */
export type Weather = {
  throttle?: { until: number; perMinute: number; domain?: string };
  down?: { from: number; to: number };
  warmup?: { cap: number; used: number };
};

export const weatherOf = (seed: number): Weather => {
  const random = createRandom(seed ^ 0x5eed);
  if (random.chance(0.5)) return {};
  const from = random.int(0, 8) * MINUTE;
  return random.one<Weather>([
    { throttle: { until: 15 * MINUTE, perMinute: random.one([1, 10, 60]) } },
    { throttle: { until: 2 * 60 * MINUTE, perMinute: 1, domain: "gmail.com" } },
    { down: { from, to: from + random.one([2, 20, 90]) * MINUTE } },
    { warmup: { cap: 500, used: random.one([450, 500]) } },
  ]);
};

export type Seen = { id: string; at: number; recipient: string };

/** The answer of a mail provider in this weather. Undefined if it takes the mail. `at`: ms after the start. */
export const createAnswers = ({ throttle, down }: Weather) => {
  let minute = -1;
  let taken = 0;
  return (recipient: string, at: number): Handover | undefined => {
    if (down && at >= down.from && at < down.to)
      return { outcome: "deferred", down: true, message: "no route to host" };
    const { until = 0, perMinute = 0, domain } = throttle ?? {};
    if (at >= until || (domain && !recipient.endsWith(`@${domain}`))) return undefined;
    const now = Math.floor(at / MINUTE);
    if (now !== minute) taken = 0;
    minute = now;
    if (taken >= perMinute) {
      const message = domain
        ? "421 4.7.28 unusual rate of mail"
        : "454 Throttling failure: Maximum sending rate exceeded";
      return { outcome: "deferred", throttled: domain ? "domain" : "account", message };
    }
    taken += 1;
    return undefined;
  };
};

type Settled = { id: string; class: string; recipient: string; settledAt: number | null };
type Ended = { weather: Weather; seen: readonly Seen[]; rows: readonly Settled[]; isQuiet: boolean };

/** The broken promises about limits. Times in ms after the start. */
export const checkLimits = ({ weather: { throttle, down, warmup }, seen, rows, isQuiet }: Ended): string[] => {
  const failures: string[] = [];
  const lastOf = (of: readonly Settled[]) =>
    Math.max(0, ...of.map(({ settledAt }) => settledAt ?? Number.POSITIVE_INFINITY));
  if (isQuiet && !warmup && lastOf(rows) > 240 * MINUTE)
    failures.push(`the last mail settled after ${lastOf(rows)} ms`);
  if (isQuiet && throttle?.domain) {
    const others = rows.filter(({ recipient }) => !recipient.endsWith(`@${throttle.domain}`));
    if (lastOf(others) > 20 * MINUTE) failures.push(`mail to other domains waited until ${lastOf(others)} ms`);
    // A halving may come late for mails at the Mailers: six of them have 100 each.
    if (seen.length > 3 * rows.length + 600) failures.push(`${seen.length} attempts for ${rows.length} mails`);
  }
  if (isQuiet && down) {
    const from = down.from + 6 * MINUTE;
    const attempts = seen.filter(({ at }) => at > from && at < down.to).length;
    if (attempts > Math.max(0, down.to - from) / (2 * MINUTE) + 2)
      failures.push(`${attempts} attempts while the mail provider was down`);
  }
  if (warmup) {
    const today = seen.filter(({ at }) => at < DAY);
    const left = (of: readonly Seen[]) => new Set(of.map(({ id }) => id)).size;
    const room = warmup.cap - warmup.used;
    const marketing = left(today.filter(({ id }) => id.endsWith("_m")));
    if (marketing > room) failures.push(`${marketing} marketing mails left on a day with room for ${room}`);
    if (isQuiet && left(today) < Math.min(room, rows.length))
      failures.push(`only ${left(today)} mails left, and ${room} could`);
  }
  return failures;
};
