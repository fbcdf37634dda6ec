import { minuteInWords } from "../../../lib/util/dates.ts";
import { withoutAddresses } from "../../mail/bounces/mask-names.ts";
import { waveId } from "../waves/wave-rows.ts";
import { type Breaker, readGuard } from "./breaker.ts";
import type { Ceiling } from "./ceiling.ts";
import type { CeilingName } from "./limit-rows.ts";
import { capOf, type Warmup } from "./warmup.ts";

const MAX_ANSWER = 300;

/** Returns a provider's answer without addresses, because it is kept with other people's mail. */
export const excerptOf = (answer: string): string => withoutAddresses(answer).slice(0, MAX_ANSWER);

export const breakerInWords = (name: string, { since, probeAt, message }: Breaker): string => {
  const { domain } = readGuard(name);
  const what =
    domain === undefined
      ? `the mail provider ${name} has not answered`
      : `a setting keeps mail from ${domain} from leaving`;
  const last = message === "" ? "" : `. The last failure: ${message}`;
  return `${what} since ${minuteInWords(since)}; next attempt ${minuteInWords(probeAt)}${last}`;
};

/** Omits the team's domain and the provider's text, because GET /health is public. */
export const publicProblem = (name: string, breaker: Breaker): string =>
  readGuard(name).domain === undefined
    ? breakerInWords(name, { ...breaker, message: "" })
    : `a setting keeps mail from a sending domain from leaving since ${minuteInWords(breaker.since)}; GET /admin/teams/{team}/limits says which`;

export const ceilingInWords = (
  { kind, destination }: CeilingName,
  { perMinute, inFlight, message }: Ceiling,
): string => {
  const where = kind === "account" ? `the mail provider ${destination}` : `mail to ${destination}`;
  const mails = Math.max(1, Math.floor(perMinute));
  const rate = `${mails} ${mails === 1 ? "mail" : "mails"} a minute, ${inFlight} at the same time`;
  return `${where} is limited to ${rate}, because the mail provider asked for fewer mails: ${message}`;
};

/** `wave`: n. Waiting mails are found by these words. */
export const waveInWords = (wave: number, destination: string): string =>
  `${destination} said of several addresses in a row that they do not exist, and a person has to decide about the wave ${waveId(wave)}`;

export const warmupInWords = (domain: string, { step }: Warmup): string =>
  `the sending domain ${domain} is new, so at most ${capOf(step)} mails leave from it on this day`;
