import { describe, expect, it } from "vitest";
import { triggerOf } from "../../../../../../src/email/policy/workflows/run/entry.ts";
import { explain, type StoredRun } from "../../../../../../src/email/policy/workflows/run/explain.ts";
import {
  explainEntry,
  explainPast,
  type Past,
} from "../../../../../../src/email/policy/workflows/run/explain-entry.ts";
import { step } from "../../../../../../src/email/policy/workflows/run/step.ts";
import type { End, RunContact } from "../../../../../../src/email/policy/workflows/run/types.ts";
import type { SendRow } from "../../../../../../src/email/workspace/sends/send-rows.ts";
import { meaningOf } from "../../../../../../src/email/workspace/sends/send-state-words.ts";
import type { Graph, WorkflowStatus } from "../../../../../../src/lib/workflow-graph/types.ts";
import { contactOf, DAY, factsOf, flow, graphOf, k, planIs, runAt, START, withPlan } from "./graphs.ts";

const nameOf = (message: string) => ({ msg_e1: "Welcome", msg_e2: "How is it going?" })[message];

const graph = graphOf(
  ["t", "EventTrigger", ["e1"]],
  ["e1", "SendEmailAction", ["d"]],
  ["d", "TimerAction", ["b"], { amount: 3 }],
  ["b", "BranchNode", ["f1", "f2"]],
  ["f1", "AudienceFilter", ["e2"], { audienceFilter: planIs("pro"), appliesDownstream: true }],
  ["f2", "AudienceFilter", ["x"], { audienceSegmentId: "seg_gone" }],
  ["e2", "SendEmailAction", ["x"]],
);

const played = (one: Graph, contact: RunContact): StoredRun => {
  const before = { ...runAt(one, "t"), enteredAt: START, wake: START, ended: null };
  const after = (run: StoredRun, who: RunContact, now: number): StoredRun => {
    const { visits, position } = step(flow(one), run, factsOf(who), now);
    return { ...run, wake: null, ...position, path: [...run.path, ...visits] };
  };
  return after(after(before, contactOf(), START), contact, START + 3 * DAY);
};

const versions = [{ at: START - DAY, graph }];
const told = (run: StoredRun, mails: { message: string; meaning: string }[] = [], now = START + 4 * DAY) =>
  explain({ run, versions, mails, nameOf, now });
const waiting: StoredRun = { ...runAt(graph, "d", ["e1", "d"]), enteredAt: START, wake: START + 3 * DAY, ended: null };

describe("an explanation", () => {
  it("tells a passage in order, with each mail's state", () => {
    const { lines, code, text } = told(played(graph, withPlan("pro")), [
      { message: "msg_e1", meaning: "Accepted by the mail provider. No bounce so far." },
    ]);
    expect(lines.map((line) => `${new Date(line.at).toISOString().slice(0, 10)} ${line.node} ${line.text}`)).toEqual([
      "2026-11-22 null Entered the workflow.",
      '2026-11-22 e1 Queued the mail "Welcome". Accepted by the mail provider. No bounce so far.',
      "2026-11-22 d Started to wait at the timer of 3 days.",
      "2026-11-25 b Reached the branch.",
      '2026-11-25 f1 Matched the filter ("plan" must be "pro").',
      '2026-11-25 e2 Queued the mail "How is it going?". Its row is deleted, because it is older than 30 days.',
      "2026-11-25 x The contact went through the whole workflow.",
    ]);
    expect({ code, text }).toEqual({ code: "completed", text: "The contact went through the whole workflow." });
  });

  it("names the node of a visit that a clock which was set back puts before the edit that added it", () => {
    const run = played(graph, withPlan("pro"));
    const { d: _, ...nodes } = graph.nodes;
    const edited = [
      { at: START - DAY, graph: { ...graph, nodes } as Graph },
      { at: START + 5 * DAY, graph },
    ];
    const { lines } = explain({ run, versions: edited, mails: [], nameOf, now: START + 6 * DAY });
    expect(lines.map(({ node }) => node)).toEqual([null, "e1", "d", "b", "f1", "e2", "x"]);
  });

  it("does not say that a mail is queued where a run reaches the node again", () => {
    const run = { ...runAt(graph, "d", ["e1", "d", "e1", "d"]), enteredAt: START, wake: START + 3 * DAY, ended: null };
    const mails = [{ message: "msg_e1", meaning: "Accepted by the mail provider. No bounce so far." }];
    expect(told(run, mails).lines.map((line) => line.text)).toEqual([
      "Entered the workflow.",
      'Queued the mail "Welcome". Accepted by the mail provider. No bounce so far.',
      "Started to wait at the timer of 3 days.",
      'Passed the mail "Welcome": it was queued for this contact before.',
      "Started to wait at the timer of 3 days.",
    ]);
  });

  it("says what a run waits for", () => {
    expect(told(waiting, [], START)).toMatchObject({
      code: "waits",
      text: "The contact waits at the timer of 3 days. Its next step is due at 2026-11-25 12:00 UTC.",
    });
    expect(told({ ...waiting, node: k(graph, "t"), path: [] })).toMatchObject({
      code: "queued",
      text: "The contact has entered. Its first step is due.",
    });
  });

  it("reads each node in the version that was live at the time", () => {
    const shorter = { ...graph, nodes: { ...graph.nodes, d: { ...graph.nodes.d, amount: 1 } } } as Graph;
    const later = [...versions, { at: START + DAY, graph: shorter }];
    const { lines, text } = explain({ run: waiting, versions: later, mails: [], nameOf, now: START + DAY });
    expect(lines.at(-1)?.text).toBe("Started to wait at the timer of 3 days.");
    expect(text).toContain("The contact waits at the timer of 1 day.");
  });

  it("gives the condition and the value for a branch without a match, for each filter", () => {
    const { lines, code, text } = told(played(graph, withPlan("free")));
    expect(code).toBe("no_branch");
    expect(text).toBe(
      'The contact left the workflow at a branch, because it matched none of the filters: "plan" must be "pro", and was "free"; its segment no longer exists.',
    );
    expect(lines.at(-1)?.text).toBe(text);
  });

  it("gives the condition and the value for a filter", () => {
    const one = graphOf(
      ["t", "EventTrigger", ["d"]],
      ["d", "TimerAction", ["f"], { amount: 3 }],
      ["f", "AudienceFilter", ["x"], { audienceFilter: planIs("pro") }],
    );
    const run = played(one, contactOf());
    expect(explain({ run, versions: [{ at: 0, graph: one }], mails: [], nameOf, now: START }).text).toBe(
      'The contact left the workflow at a filter that it did not match: "plan" must be "pro", and was empty.',
    );
  });

  it("gives the condition and the value for a filter that applies downstream", () => {
    const run = runAt(graph, "d", ["f1", "d"]);
    const { visits, position } = step(flow(graph), run, factsOf(withPlan("free")), START + 3 * DAY);
    expect(
      told({
        ...run,
        ...position,
        path: [...run.path, ...visits],
        enteredAt: START,
        wake: null,
        ended: "filter_stopped",
      }).text,
    ).toBe(
      'The contact left the workflow, because it no longer matched a filter that applies to all later nodes: "plan" must be "pro", and was "free".',
    );
  });

  it("says that a contact was not sampled", () => {
    const one = graphOf(
      ["t", "EventTrigger", ["d"]],
      ["d", "TimerAction", ["n"], { amount: 3 }],
      ["n", "ExperimentBranchNode", ["v"], { samplingRate: 0 }],
      ["v", "VariantNode", ["x"]],
    );
    const { code, text } = explain({
      run: played(one, contactOf()),
      versions: [{ at: 0, graph: one }],
      mails: [],
      nameOf,
      now: START,
    });
    expect({ code, text }).toEqual({
      code: "not_sampled",
      text: "The contact left the workflow at an experiment: it was not sampled, and the experiment has no control group.",
    });
  });

  it.each([
    ["unsubscribed", "The contact left the workflow, because it was unsubscribed when its next step was due."],
    [
      "not_confirmed",
      "The contact left the workflow, because the subscription was not confirmed when the next step was due.",
    ],
    [
      "left_list",
      "The contact left the workflow, because it was not on the workflow's mailing list when its next step was due.",
    ],
    [
      "list_changed",
      "The contact was removed, because the workflow was given another mailing list, and the contact was not on it.",
    ],
    ["node_deleted", "The contact was removed, because the node where it waited was deleted."],
    ["removed", "An operator removed the contact from the workflow."],
    [
      "fault",
      "The workflow gave up on this contact after 5 failures in a row at the same node. The log of the service has the error, in lines run_failed.",
    ],
  ] satisfies [End, string][])("for %s", (ended, text) => {
    const { lines, ...state } = told({ ...waiting, since: START + DAY, wake: null, ended });
    expect(state).toEqual({ code: ended, text });
    expect(lines.slice(-2)).toEqual([
      { at: START, node: "d", text: "Started to wait at the timer of 3 days." },
      { at: START + DAY, node: "d", text },
    ]);
  });

  it("says why a step that is due is not taken", () => {
    const obstacle = "the workflow is paused";
    const said = (run: StoredRun, now: number) => explain({ run, versions, mails: [], nameOf, obstacle, now }).text;
    expect(said(waiting, START + 4 * DAY)).toBe(
      "The contact waits at the timer of 3 days. Its next step is due, but the workflow is paused.",
    );
    expect(said(waiting, START)).toBe(
      "The contact waits at the timer of 3 days. Its next step is due at 2026-11-25 12:00 UTC. Now the workflow is paused.",
    );
    expect(said({ ...waiting, path: [] }, START)).toBe(
      "The contact has entered. Its first step is due, but the workflow is paused.",
    );
  });
});

describe("the conditions of a filter in words", () => {
  it.each([
    [
      { type: "property", key: "seats", operator: "greaterThan", value: 5 },
      '"seats" must be greater than 5, and was 3',
    ],
    [{ type: "property", key: "invited", operator: "isTrue" }, '"invited" must be true, and was empty'],
    [
      { type: "property", key: "trialEndsAt", operator: "between", value: { from: "2026-01-01", to: "2026-02-01" } },
      '"trialEndsAt" must be between 2026-01-01 and 2026-02-01, and was empty',
    ],
    [{ type: "optIn", status: "accepted" }, 'the opt-in status must be "accepted"'],
    [
      { type: "activity", action: "opened", negate: false, target: "workflow", id: "wfl_1" },
      "a mail of the workflow wfl_1 must have been opened",
    ],
    [
      { type: "activity", action: "clicked", negate: false, target: "workflowEmail", id: "msg_1" },
      "the mail with the id msg_1 must have been clicked",
    ],
  ] as const)("%j", (condition, words) => {
    const one = graphOf(
      ["t", "EventTrigger", ["d"]],
      ["d", "TimerAction", ["f"], { amount: 3 }],
      ["f", "AudienceFilter", ["x"], { audienceFilter: { match: "all", conditions: [condition] } }],
    );
    const run = played(one, contactOf({ properties: { seats: 3 } }));
    const { text } = explain({ run, versions: [{ at: 0, graph: one }], mails: [], nameOf, now: START });
    expect(text).toBe(`The contact left the workflow at a filter that it did not match: ${words}.`);
  });
});

describe("a mail of a workflow that was not sent", () => {
  it.each([
    ["suppressed", "It was not sent, because the address was suppressed."],
    ["unsubscribed", "It was not sent, because the person had unsubscribed."],
    ["not_confirmed", "It was not sent, because the person has not confirmed the subscription."],
    ["no_email", "It was not sent, because the contact had no address."],
    ["not_on_list", "It was not sent, because the contact was not on the mailing list."],
    ["message_deleted", "It was not sent, because its message was deleted."],
    [
      "No value for contact.firstName. The message has no fallback for it.",
      "It was not sent: No value for contact.firstName. The message has no fallback for it.",
    ],
  ])("%s", (error, meaning) => {
    const mail = { message: "msg_e1", meaning: meaningOf({ state: "not_sent", error } as SendRow) };
    expect(told(waiting, [mail]).lines[1]?.text).toBe(`Queued the mail "Welcome". ${meaning}`);
  });
});

describe("a contact that never entered", () => {
  const workflow = (status: WorkflowStatus, list: string | null = null) => ({
    trigger: triggerOf(graph),
    list,
    status,
    pausedAt: START,
  });
  const never = (status: WorkflowStatus, contact = contactOf(), total = 0, list: string | null = null) =>
    explainEntry(workflow(status, list), contact, { total, active: 0 }, START + 2 * DAY);

  it.each([
    [
      never("Draft"),
      "not_published",
      "The contact does not enter: the workflow was never started. It takes contacts from its start on.",
    ],
    [
      never("PausedAndQueueing"),
      "paused",
      "The contact does not enter: the workflow is paused. It queued new contacts for 24 hours, until 2026-11-23 12:00 UTC.",
    ],
    [
      never("Paused"),
      "paused",
      "The contact does not enter: the workflow is stopped. It takes new contacts again when it is started.",
    ],
    [
      never("Sending", contactOf({ subscribed: false })),
      "unsubscribed",
      "The contact does not enter: the contact is unsubscribed.",
    ],
    [
      never("Sending", contactOf({ optInStatus: "pending" })),
      "not_confirmed",
      "The contact does not enter: the person has not confirmed the subscription.",
    ],
    [
      never("Sending", contactOf(), 0, "lst_1"),
      "left_list",
      "The contact does not enter: the contact is not on the workflow's mailing list.",
    ],
    [
      never("Sending", contactOf(), 1),
      "entered_before",
      "The contact does not enter: it was in the workflow before, and each contact enters once.",
    ],
    [
      never("Sending"),
      "no_trigger",
      'The contact has not entered. The workflow starts with the event "trialStarted". It has not started for this contact yet.',
    ],
  ])("%#", (answer, code, text) => {
    expect(answer).toEqual({ code, text });
  });
});

describe("what may have started a workflow in the past", () => {
  const past = (more: Partial<Past>) =>
    explainPast({
      changes: [{ at: START, status: "Sending" as const }],
      versions: [{ at: START - DAY, graph, list: null }],
      entries: [],
      causes: [{ at: START + DAY, event: "trialStarted" }],
      gate: undefined,
      ...more,
    });
  const paused = (at: number) => [
    { at: START, status: "Sending" as const },
    { at, status: "PausedAndQueueing" as const },
  ];
  const received = 'The event "trialStarted" was received.';

  it.each([
    [{ entries: [{ run: 2, at: START + DAY, until: null }] }, "It started run 2."],
    [{ changes: [] }, "The workflow was a draft then, and took no contacts."],
    [{ changes: paused(START - DAY) }, "The workflow was paused then, and took no contacts."],
    [{ changes: [{ at: START, status: "Paused" }] }, "The workflow was stopped then, and took no contacts."],
    [
      { changes: paused(START + DAY / 2) },
      "The subscription of the contact did not let it enter then, and that state is not kept. Now its subscription would let it enter.",
    ],
    [
      { versions: [{ at: START, graph, list: "lst_1" }], gate: "left_list" },
      "The subscription or mailing lists of the contact did not let it enter then, and that state is not kept. Now it is not on the workflow's mailing list, which keeps it out.",
    ],
    [
      { gate: "unsubscribed" },
      "The subscription of the contact did not let it enter then, and that state is not kept. Now it is unsubscribed, which keeps it out.",
    ],
    [
      { gate: "not_confirmed" },
      "The subscription of the contact did not let it enter then, and that state is not kept. Now its subscription is not confirmed, which keeps it out.",
    ],
    [
      { entries: [{ run: 1, at: START, until: START + 1 }] },
      "The contact had been in the workflow before, and each contact enters once.",
    ],
    [
      { versions: [{ at: START, graph: graphOf(["t", "SignupTrigger", ["x"]]), list: null }] },
      "The workflow had another trigger then.",
    ],
  ] satisfies [Partial<Past>, string][])("%#", (more, text) => {
    expect(past(more)).toEqual([{ at: START + DAY, node: null, text: `${received} ${text}` }]);
  });

  it("says that an event has another name by its upper and lower case", () => {
    expect(past({ causes: [{ at: START + DAY, event: "TrialStarted" }] })[0]?.text).toBe(
      'The event "TrialStarted" was received. The workflow starts with "trialStarted": upper and lower case count.',
    );
  });

  it("knows a contact that was in the workflow 100 times", () => {
    const again = graphOf(["t", "EventTrigger", ["x"], { reEligible: true }]);
    const entries = Array.from({ length: 100 }, (_, run) => ({ run, at: START + run, until: null }));
    expect(past({ versions: [{ at: START, graph: again, list: null }], entries })[0]?.text).toBe(
      `${received} The contact was in the workflow 100 times already.`,
    );
  });
});
