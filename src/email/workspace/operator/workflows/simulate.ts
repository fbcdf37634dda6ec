import type { Refusal } from "../../../../lib/contract/errors.ts";
import { DAY_MS, isoOf } from "../../../../lib/util/dates.ts";
import { type History, isTriggered, refusalOfEntry, triggerOf } from "../../../policy/workflows/run/entry.ts";
import { type NotEntered, refusedEntry } from "../../../policy/workflows/run/explain-entry.ts";
import { wordsOfTrigger } from "../../../policy/workflows/run/run-words.ts";
import { travel } from "../../../policy/workflows/run/travel.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { activityOf } from "../../segments/activity.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import { flowTeamOf } from "../../workflows/runs/flow.ts";
import { historyOf } from "../../workflows/runs/trigger.ts";
import { findWorkflow, type StoredWorkflow } from "../../workflows/workflow-rows.ts";
import { assumptionsOf, changedContact, strangerAt } from "./assume.ts";
import { findContact } from "./contact.ts";
import { shownLine } from "./explain.ts";
import { createProspects } from "./prospect.ts";

/** The allowed delay of the caller's clock, in ms. */
const LATE_MS = 60_000;

type Input = AdminInput<"insight.simulate">;
type Answer = { body: unknown } | { refusal: Refusal };

export const simulate = async (context: Context, input: Input): Promise<Answer> => {
  const { sql, now } = context;
  const { at = now, days } = input;
  if (at < now - LATE_MS) {
    const message = "at: must not be in the past, because contacts are known only as they are now.";
    return { refusal: { code: "invalid_request", path: "at", message } };
  }
  const known = findWorkflow(context, input.workflowId);
  if ("refusal" in known) return known;
  const found = input.contact === undefined ? undefined : await findContact(sql, input.contact, "contact");
  if (found && "refusal" in found) return found;
  const base = found?.contact ?? strangerAt(at);
  const changed = changedContact(context, base, input.properties ?? {});
  if ("refusal" in changed) return changed;
  const assumed = assumptionsOf(context, input.assume, { from: at, days });
  if ("refusal" in assumed) return assumed;

  const { workflow } = known;
  const { contact } = changed;
  const reason = reasonNotToEnter(context, workflow, { contact, event: input.event?.name, at });
  if (reason) return { body: { entered: false, reason, lines: [], mails: [], end: null } };
  const prospects = createProspects(context, workflow);
  const hasActivity = activityOf(sql, contact.n);
  const played = travel({
    graph: workflow.graph,
    list: workflow.list,
    team: flowTeamOf(sql),
    contact,
    hasActivity,
    from: at,
    days,
    assume: assumed.assumptions,
    nameOf: prospects.nameOf,
    rowOf: prospects.rowOf,
    prospectOf: prospects.ofContact(input.event?.properties ?? {}),
  });
  const dayOf = (time: number) => Math.round(((time - at) / DAY_MS) * 1_000) / 1_000;
  const end = at + days * DAY_MS;
  const lines = [
    ...played.lines,
    ...assumed.lines.filter((line) => line.at <= (played.run.ended ? played.run.since : end)),
  ];
  const idOf = new Map(Object.entries(workflow.graph.nodes).map(([id, { k }]) => [k, id]));
  return {
    body: {
      entered: true,
      lines: lines.sort((line, two) => line.at - two.at).map((line) => ({ ...shownLine(line), day: dayOf(line.at) })),
      mails: played.mails.map(({ at: time, node, message, isSent, text }) => ({
        at: isoOf(time),
        day: dayOf(time),
        nodeId: idOf.get(node) ?? "",
        emailMessageId: message,
        subject: prospects.nameOf(message) ?? "",
        isSent,
        text,
      })),
      end: { code: played.code, text: played.text },
    },
  };
};

type Entering = { contact: StoredContact; event: string | undefined; at: number };

/** Returns why the contact would not enter a started workflow. Without an event, the trigger counts as fulfilled. */
const reasonNotToEnter = (
  { sql }: Context,
  workflow: StoredWorkflow,
  { contact, event, at }: Entering,
): NotEntered | undefined => {
  const entrance = { ...workflow, trigger: triggerOf(workflow.graph) };
  const words = wordsOfTrigger(entrance.trigger);
  if (words === undefined)
    return { code: "no_trigger", text: "No contact enters, because the trigger of the workflow is not complete." };
  const write = { before: contact, after: contact, ...(event === undefined ? {} : { eventName: event }) };
  if (event !== undefined && !isTriggered(entrance, write, teamFactsOf(sql))) {
    return { code: "no_trigger", text: `The contact does not enter: the workflow starts with ${words}.` };
  }
  const history: History = contact.n === 0 ? { total: 0, active: 0 } : historyOf(sql, contact.n, workflow.n);
  const refused = refusalOfEntry({ ...entrance, status: "Sending", pausedAt: null }, contact, () => history, at);
  return refused && refusedEntry(refused);
};
