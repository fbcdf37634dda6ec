import { isoOf } from "../../../../lib/util/dates.ts";
import { fullOf, lastOf, leftOf, notLaterThan, type Window, windowsOf } from "./window.ts";
import { readClaimed, readSendLimits } from "./window-rows.ts";

const windowsAt = (sql: SqlStorage, now: number): Window[] =>
  windowsOf(readSendLimits(sql), notLaterThan(readClaimed(sql), now), now);

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

const limitInWords = ({ span, limit }: Window): string =>
  `${limit} ${limit === 1 ? "mail" : "mails"} ${span === "hour" ? "an" : "a"} ${span}`;

const fullInWords = (window: Window): string =>
  `the team may send ${limitInWords(window)}, and has sent ${window.used}. The next marketing mail may leave at ${timeOf(window.opensAt)}`;

/** Returns the send limits and their use for the admin API. */
export const shownWindows = (sql: SqlStorage, now: number) =>
  windowsAt(sql, now).map((window) => ({
    per: window.span,
    limit: window.limit,
    used: window.used,
    left: leftOf([window]),
    nextMailAt: isoOf(window.opensAt || now),
    meaning:
      window.opensAt === 0
        ? `The team may send ${limitInWords(window)}, and has sent ${window.used}.`
        : `${sentence(fullInWords(window))}.`,
  }));

/** Estimates the wait for send limits. `lastAt`: Unix ms of the last mail. `isFull`: the hour or day limit is full. */
export const waitForLimits = (sql: SqlStorage, now: number, mails: number): { lastAt: number; isFull: boolean } => {
  const limits = readSendLimits(sql);
  if (Object.values(limits).every((limit) => limit === null)) return { lastAt: now, isFull: false };
  const claims = notLaterThan(readClaimed(sql), now);
  const isFull = windowsOf({ ...limits, second: null }, claims, now).some(({ opensAt }) => opensAt > 0);
  return { lastAt: lastOf(limits, claims, now, mails), isFull };
};

/** Returns why marketing mail waits for a send limit, or undefined. */
export const sendLimitProblem = (sql: SqlStorage, now: number): string | undefined => {
  const full = fullOf(windowsAt(sql, now));
  return full && fullInWords(full);
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
