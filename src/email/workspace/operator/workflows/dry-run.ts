import type { Refusal } from "../../../../lib/contract/errors.ts";
import { DAY_MS, isoOf } from "../../../../lib/util/dates.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import { type History, triggerOf } from "../../../policy/workflows/run/entry.ts";
import { flowOf } from "../../../policy/workflows/run/flow.ts";
import { type Replay, replay } from "../../../policy/workflows/run/replay.ts";
import { wordsOfTrigger } from "../../../policy/workflows/run/run-words.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactInRow, type StoredContact } from "../../contacts/contact-rows.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context } from "../../core/context.ts";
import { activityUntil } from "../../segments/activity.ts";
import { flowTeamOf } from "../../workflows/runs/flow.ts";
import { findWorkflow } from "../../workflows/workflow-rows.ts";
import { createTally } from "./dry-run-counts.ts";
import { propertiesOfEvent, readEvents, type StoredEvent } from "./past-events.ts";
import { createProspects } from "./prospect.ts";

const MOST = 100_000;
const SLICE = 100;

type Answer = { body: unknown } | { refusal: Refusal };

/** Plays stored events of the last days through a workflow and counts the results. */
export const dryRun = async (
  context: Context,
  { workflowId, days }: AdminInput<"insight.dryRun">,
  most = MOST,
): Promise<Answer> => {
  const { sql, now: until } = context;
  const known = findWorkflow(context, workflowId);
  if ("refusal" in known) return known;
  const { workflow } = known;
  const { n, graph, list } = workflow;
  const name = eventOf(graph);
  if (name === undefined) return { refusal: noEventTrigger(graph) };
  const asked = until - Math.round(days * DAY_MS);
  const { byContact, count, first, isCut } = await readEvents(sql, name, { from: asked, until, most });
  const from = isCut ? first : asked;

  const team = flowTeamOf(sql);
  const flow = flowOf(graph, list, team);
  const prospects = createProspects(context, workflow);
  const tally = createTally(graph, prospects.nameOf, until);
  const pause = createPause();
  let done = 0;
  for (const [row, events] of byContact) {
    const contact = contactInRow(sql, row);
    if (!contact) continue;
    const own = tally.of(contact);
    const played = replay<StoredEvent>({
      flow,
      team,
      contact,
      events,
      until,
      rowOf: prospects.rowOf,
      historyAt: (at) => historyBefore(sql, row, n, { from, at }),
      hasActivity: activityBefore(sql, contact, prospects.own, from),
      prospectOf: (event) => prospects.ofContact(propertiesOfEvent(sql, event.n)),
    });
    for (const happened of played) {
      own.count(happened);
      if (++done % SLICE === 0) await pause();
    }
    own.end();
  }
  return {
    body: {
      from: isoOf(from),
      until: isoOf(until),
      events: count,
      ...tally.result(),
      notes: notesOf(isCut, from, most),
    },
  };
};

const eventOf = (graph: Graph): string | undefined => {
  const trigger = triggerOf(graph);
  return trigger.typeName === "EventTrigger" ? (trigger.eventName ?? undefined) : undefined;
};

const noEventTrigger = (graph: Graph): Refusal => {
  const words = wordsOfTrigger(triggerOf(graph));
  const why = words === undefined ? "its trigger is not complete" : `it starts with ${words}`;
  const message = `A dry run needs an EventTrigger with an event, because only events are stored. This workflow has none: ${why}. POST …/simulate plays it for one contact.`;
  return { code: "no_event_trigger", path: "workflowId", message };
};

const historyBefore = (
  sql: SqlStorage,
  contact: number,
  workflow: number,
  { from, at }: { from: number; at: number },
): History =>
  sql
    .exec<History>(
      `SELECT count(*) AS total, count(iif(wake IS NOT NULL OR since > ?4, 1, NULL)) AS active FROM runs
       WHERE contact = ?1 AND workflow = ?2 AND entered_at < ?3`,
      contact,
      workflow,
      from,
      at,
    )
    .one();

/** Mails that the workflow sent during the dry run do not count, because they are played again. */
const activityBefore = (
  sql: SqlStorage,
  contact: StoredContact,
  own: ReadonlySet<number>,
  from: number,
): Replay<StoredEvent>["hasActivity"] => {
  const hasActivity = activityUntil(sql, contact.n);
  return (messages, action, now) => {
    if (action !== "sent") return hasActivity(messages, action, now);
    const others = messages.filter((message) => !own.has(message));
    const earlier = messages.filter((message) => own.has(message));
    return hasActivity(others, action, now) || hasActivity(earlier, action, from - 1);
  };
};

const notesOf = (isCut: boolean, from: number, most: number): string[] => [
  ...(isCut ? [`There are more than ${most} events. The newest ${most} were played, from ${isoOf(from)} on.`] : []),
  "The workflow is played as it is now, as if it had been sending all the time. Passages that really began in this time do not count.",
  "Subscriptions, lists and filters see contacts as they are now, because earlier values are not stored. Opens and clicks count from their real time.",
  "Only events are stored, so other triggers cannot be played.",
  "Contacts that were deleted are left out, with their events.",
];
