import type { TeamFacts } from "../../segments/facts.ts";
import { type Entrance, type EntryRefusal, type History, isTriggered, refusalOfEntry, triggerOf } from "./entry.ts";
import type { StoredRun } from "./explain.ts";
import { enteredRun, moveOn, type Prospect } from "./travel.ts";
import type { Flow, QueuedMail, RunContact, RunFacts } from "./types.ts";

/** `at`: Unix ms. */
export type PastEvent = { name: string; at: number };

/**
 * Events are oldest first. `historyAt`: earlier runs. `hasActivity`: activity without this replay. `until`: Unix ms.
 */
export type Replay<Event extends PastEvent> = {
  flow: Flow;
  team: TeamFacts;
  contact: RunContact;
  events: readonly Event[];
  historyAt(at: number): History;
  hasActivity(...of: [...Parameters<RunFacts["hasActivity"]>, now: number]): boolean;
  rowOf(message: string): number | undefined;
  prospectOf(event: Event): (message: string, contact: RunContact) => Prospect;
  until: number;
};

/** `moved`: one step of a run, with its mails. */
export type Replayed =
  | { what: "refused"; reason: EntryRefusal }
  | { what: "entered"; at: number }
  | { what: "moved"; run: StoredRun; mails: (QueuedMail & Prospect)[] };

type Active<Event> = { run: StoredRun; event: Event };

/**
 * Replays events as if the workflow had been sending; stores nothing. Runs advance together, because mails affect
 * other filters.
 */
export function* replay<Event extends PastEvent>(given: Replay<Event>): Generator<Replayed, void> {
  const { flow, team, contact, events, until } = given;
  const { graph, list } = flow;
  const entrance: Entrance = { trigger: triggerOf(graph), list, status: "Sending", pausedAt: null };
  const sent = new Set<number>();
  const active: Active<Event>[] = [];
  let entered = 0;
  const historyAt = (at: number): History => {
    const before = given.historyAt(at);
    return { total: before.total + entered, active: before.active + active.length };
  };
  const enter = (event: Event): Replayed | undefined => {
    const { name: eventName, at } = event;
    if (!isTriggered(entrance, { before: contact, after: contact, eventName }, team)) return undefined;
    const reason = refusalOfEntry(entrance, contact, () => historyAt(at), at);
    if (reason !== undefined) return { what: "refused", reason };
    active.push({ run: enteredRun(graph, at), event });
    entered += 1;
    return { what: "entered", at };
  };
  const move = (one: Active<Event>, now: number): Replayed => {
    const facts: RunFacts = {
      contact,
      hasActivity: (messages, action) =>
        (action === "sent" && messages.some((message) => sent.has(message))) ||
        given.hasActivity(messages, action, now),
    };
    const { run, mails } = moveOn(flow, one.run, facts, now);
    const expected = mails.map((mail) => ({ ...mail, ...given.prospectOf(one.event)(mail.message, contact) }));
    for (const { isSent, message } of expected) if (isSent) sent.add(given.rowOf(message) ?? -1);
    one.run = run;
    if (run.ended !== null) active.splice(active.indexOf(one), 1);
    return { what: "moved", run, mails: expected };
  };

  for (let next = 0; ; ) {
    const due = earliest(active);
    const wake = due?.run.wake ?? Number.POSITIVE_INFINITY;
    const event = events[next];
    if (event !== undefined && event.at <= wake) {
      next += 1;
      const happened = enter(event);
      if (happened) yield happened;
    } else if (due !== undefined && wake <= until) yield move(due, wake);
    else return;
  }
}

const earliest = <Event>(active: readonly Active<Event>[]): Active<Event> | undefined => {
  let first: Active<Event> | undefined;
  for (const one of active) if (!first || (one.run.wake ?? 0) < (first.run.wake ?? 0)) first = one;
  return first;
};
