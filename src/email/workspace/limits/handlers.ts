import { isoOf } from "../../../lib/util/dates.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { readGuard } from "./breaker.ts";
import { droppedAt } from "./ceiling.ts";
import { readBreakers, readCeilings } from "./limit-rows.ts";
import { breakerInWords, ceilingInWords, publicProblem } from "./limit-words.ts";
import { sendLimitProblem, shownWindows } from "./windows/shown-windows.ts";

export const listLimits = ({ sql, now }: Context) => ({
  body: {
    ceilings: readCeilings(sql, now).map(({ name, ceiling }) => ({
      class: name.mailClass,
      kind: name.kind,
      destination: name.destination,
      perMinute: Math.max(1, Math.floor(ceiling.perMinute)),
      inFlight: ceiling.inFlight,
      since: isoOf(ceiling.since),
      throttledAt: isoOf(ceiling.throttledAt),
      endsAt: isoOf(droppedAt(ceiling)),
      meaning: sentence(ceilingInWords(name, ceiling)),
    })),
    breakers: readBreakers(sql, now).map(({ route, breaker }) => ({
      ...readGuard(route),
      since: isoOf(breaker.since),
      nextAttemptAt: isoOf(breaker.probeAt),
      meaning: sentence(breakerInWords(route, breaker)),
    })),
    sending: shownWindows(sql, now),
  },
});

export const senderProblems = (sql: SqlStorage, now: number): string[] =>
  readBreakers(sql, now).map(({ route, breaker }) => publicProblem(route, breaker));

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type Queued = { class: string; domain: string; due: number | null };

/** Returns why a queued mail waits for its mail provider or a send limit. */
export const whyItWaits = (sql: SqlStorage, now: number, { domain, due, ...mail }: Queued): string | undefined => {
  const found = readBreakers(sql, now).find(({ breaker }) => breaker.uses.includes(`${mail.class} ${domain}`));
  if (found) return breakerInWords(found.route, found.breaker);
  return mail.class === "marketing" && due !== null && due <= now ? sendLimitProblem(sql, now) : undefined;
};

export const limits: AdminHandlers<"limits"> = { list: listLimits };
