import { minuteInWords } from "../../../lib/util/dates.ts";
import { withoutAddresses } from "../../mail/bounces/names.ts";
import { type Breaker, readGuard } from "./breaker.ts";
import type { Ceiling } from "./ceiling.ts";
import type { CeilingName } from "./rows.ts";
import { capOf, type Warmup } from "./warmup.ts";

const MAX_ANSWER = 300;

/** A relay's answer without addresses: it is kept with mail to other people. */
export const excerptOf = (answer: string): string => withoutAddresses(answer).slice(0, MAX_ANSWER);

/** `name`: of what the breaker guards. */
export const breakerInWords = (name: string, { since, probeAt, message }: Breaker): string => {
  const { domain } = readGuard(name);
  const what =
    domain === undefined ? `the relay ${name} has not answered` : `a setting keeps mail from ${domain} from leaving`;
  const last = message === "" ? "" : `. The last failure: ${message}`;
  return `${what} since ${minuteInWords(since)}; next attempt ${minuteInWords(probeAt)}${last}`;
};

/** Without the name of a team's domain and the words of its relay, for GET /health, which is public. */
export const publicProblem = (name: string, breaker: Breaker): string =>
  readGuard(name).domain === undefined
    ? breakerInWords(name, { ...breaker, message: "" })
    : `a setting keeps mail from a sending domain from leaving since ${minuteInWords(breaker.since)}; GET /admin/teams/{team}/limits says which`;

export const ceilingInWords = ({ kind, place }: CeilingName, { perMinute, inFlight, message }: Ceiling): string => {
  const where = kind === "account" ? `the relay ${place}` : `mail to ${place}`;
  const mails = Math.max(1, Math.floor(perMinute));
  const rate = `${mails} ${mails === 1 ? "mail" : "mails"} a minute, ${inFlight} at the same time`;
  return `${where} is limited to ${rate}, because the relay asked for fewer mails: ${message}`;
};

export const warmupInWords = (domain: string, { step }: Warmup): string =>
  `the sending domain ${domain} is new, so at most ${capOf(step)} mails leave from it on this day`;
