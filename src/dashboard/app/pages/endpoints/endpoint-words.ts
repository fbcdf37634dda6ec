import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { EVENT_TYPES } from "../../../../lib/contract/outgoing-events.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";

export type Endpoint = Response<AdminContract["webhooks"]["list"]>["data"][number];
export type Notification = Response<AdminContract["webhooks"]["get"]>["data"][number];
export type Attempt = Notification["lastAttempts"][number];

/** Selectable event types. Test events always arrive. */
export const TYPES: readonly string[] = EVENT_TYPES.filter((type) => type !== "testing.testEvent");

export const stateOf = ({ enabled, failingSince }: Pick<Endpoint, "enabled" | "failingSince">): string => {
  if (!enabled) return "disabled";
  return failingSince === null ? "enabled" : "failing";
};

export const eventsInWords = ({ events }: Pick<Endpoint, "events">): string => {
  if (events.length === 0) return "all";
  const [first = "", second] = events;
  return second === undefined ? first : `${first} and ${events.length - 1} more`;
};

/** Result of an attempt: status, or the error. */
export const outcomeOf = ({ status, error }: Attempt): string =>
  status === undefined ? (error ?? "no answer") : `HTTP ${status}`;

/** Causes of undelivered events by newest attempt, most frequent first. */
export const causesOf = (
  notifications: readonly Notification[],
): { cause: string; events: number; example: string }[] => {
  const causes = new Map<string, { events: number; example: string }>();
  for (const { state, lastAttempts } of notifications) {
    const last = lastAttempts.at(-1);
    if (!last || (state !== "waiting" && state !== "failed")) continue;
    const cause = outcomeOf(last);
    const before = causes.get(cause) ?? { events: 0, example: last.response ?? "" };
    causes.set(cause, { ...before, events: before.events + 1 });
  }
  return [...causes].map(([cause, rest]) => ({ cause, ...rest })).toSorted((a, b) => b.events - a.events);
};

/** Typed webhook fields. `isAll`: all events, including future types. */
export type Draft = { url: string; description: string; isAll: boolean; events: readonly string[] };

export const EMPTY: Draft = { url: "", description: "", isAll: true, events: [] };

/** Form values of a stored webhook. */
export const draftOf = ({ url, description, events }: Endpoint): Draft => ({
  url,
  description,
  isAll: events.length === 0,
  events,
});

/** True if no event is selected. For the service, an empty list means all. */
export const lacksEvents = ({ isAll, events }: Draft): boolean => !isAll && events.length === 0;

/** Request fields of a form. */
export const fieldsOf = ({ url, description, isAll, events }: Draft) => ({
  url: url.trim(),
  description: description.trim(),
  events: isAll ? [] : TYPES.filter((type) => events.includes(type)),
});

/** Changed fields only, because an unchanged address needs no proof. */
export const changesOf = (endpoint: Endpoint, draft: Draft): Partial<ReturnType<typeof fieldsOf>> => {
  const fields = fieldsOf(draft);
  const sameEvents = [...endpoint.events].sort().join() === [...fields.events].sort().join();
  return {
    ...(fields.url === endpoint.url ? {} : { url: fields.url }),
    ...(fields.description === endpoint.description ? {} : { description: fields.description }),
    ...(sameEvents ? {} : { events: fields.events }),
  };
};

/** Replay selection. Times are `datetime-local` values in the browser's zone. */
export type Span = { what: "failed" | "span"; since: string; until: string };

/** Request fields, undefined while the time is missing. */
export const replayFields = ({ what, since, until }: Span): Record<string, unknown> | undefined => {
  if (what === "failed") return { failed: true };
  if (since === "" || Number.isNaN(Date.parse(since))) return undefined;
  return {
    since: new Date(since).toISOString(),
    ...(until === "" ? {} : { until: new Date(until).toISOString() }),
  };
};

export const replayInWords = (events: number): string =>
  events === 0
    ? "No event would be delivered again."
    : `${counted(events, "event")} would be delivered again, with ${events === 1 ? "its id" : "their ids"}: your endpoint can tell that it had ${events === 1 ? "it" : "them"}.`;
