import { describe, expect, it } from "vitest";
import type { JudgedMail } from "../../../../../src/email/policy/readiness/faults.ts";
import { type ReadinessTeam, readinessOf } from "../../../../../src/email/policy/workflows/readiness.ts";
import type { AudienceFilter } from "../../../../../src/lib/contract/audience/filter.ts";
import type { Graph, WorkflowNode } from "../../../../../src/lib/workflow-graph/types.ts";

type Fields = { [key: string]: unknown; typeName: WorkflowNode["typeName"] };

const graphOf = (nodes: Record<string, [Fields, ...string[]]>): Graph => {
  const all = { ...nodes, exit: [{ typeName: "ExitAction" }] as [Fields, ...string[]] };
  return {
    root: Object.keys(nodes)[0] ?? "",
    exit: "exit",
    lastK: Object.keys(all).length,
    nodes: Object.fromEntries(
      Object.entries(all).map(([id, [fields, ...nextNodeIds]], i) => [
        id,
        { ...fields, k: i + 1, nextNodeIds } as never,
      ]),
    ),
  };
};

const good: JudgedMail = { subject: "Hello", errors: [], unfilled: [], warnings: [] };
const plan: AudienceFilter = {
  match: "all",
  conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }],
};

const team = (changes: Partial<ReadinessTeam> = {}): ReadinessTeam => ({
  types: new Map([["plan", "string"]]),
  messagesOf: (_, id) => (id === "known" ? [1] : undefined),
  segmentOf: (id) => (id === "seg_1" ? plan : undefined),
  mailOf: (id) => (id === "msg_1" ? good : undefined),
  isArchived: (list) => list === "lst_old",
  wasReceived: (event) => event === "paid",
  obstacles: [],
  hasPostalAddress: true,
  ...changes,
});

const event: Fields = { typeName: "EventTrigger", eventName: "paid", reEligible: false };
const mail: Fields = { typeName: "SendEmailAction", emailMessageId: "msg_1" };
const signup: Fields = { typeName: "SignupTrigger" };
const filter = (more: object = {}): Fields => ({
  typeName: "AudienceFilter",
  audienceFilter: null,
  audienceSegmentId: null,
  appliesDownstream: false,
  ...more,
});
const condition = (one: object) => filter({ audienceFilter: { match: "all", conditions: [one] } });
const property = (key: string, operator = "equals") => condition({ type: "property", key, operator, value: "x" });
const experiment = (samplingRate: number): Fields => ({ typeName: "ExperimentBranchNode", samplingRate });
const variant = (isControl: boolean): Fields => ({ typeName: "VariantNode", isControl });
const query = (key: string) => ({ key, is: { operator: "any", value: "" }, was: { operator: "any", value: "" } });

const from = (trigger: Fields) => graphOf({ start: [trigger, "mail"], mail: [mail, "exit"] });
const between = (nodes: Record<string, [Fields, ...string[]]>) =>
  graphOf({ start: [event, Object.keys(nodes)[0] ?? ""], ...nodes, mail: [mail, "exit"] });

const found = (graph: Graph, changes: Partial<ReadinessTeam> = {}, list: string | null = null) => {
  const { problems, warnings } = readinessOf({ graph, list }, team(changes));
  for (const { message } of [...problems, ...warnings]) expect(message).toMatch(/^[A-Z].{20,}\.$/s);
  const short = (all: typeof problems) => all.map(({ nodeId, code }) => [nodeId, code]);
  return { problems: short(problems), warnings: short(warnings) };
};

it("a workflow with a trigger and a good mail has no problem and no warning", () => {
  expect(found(from(event))).toEqual({ problems: [], warnings: [] });
});

type Case = {
  graph: Graph;
  found: [nodeId: string | null, code: string][];
  team?: Partial<ReadinessTeam>;
  list?: string;
};

const propertyTrigger = (contactPropertyQuery: object | null): Fields => ({
  typeName: "ContactPropertyTrigger",
  contactPropertyQuery,
  reEligible: false,
});
const joins: Fields = { typeName: "AddToListTrigger", reEligible: false };
const activity = (target: string) =>
  between({ one: [condition({ type: "activity", action: "sent", negate: false, target, id: "gone" }), "mail"] });
const broken = (...errors: JudgedMail["errors"]) => ({ mailOf: () => ({ ...good, errors }) });

const problems: Record<string, Case> = {
  "a trigger without a type": { graph: from({ typeName: "BlankTrigger" }), found: [["start", "no_trigger"]] },
  "an event trigger without an event": {
    graph: from({ ...event, eventName: null }),
    found: [["start", "trigger_without_event"]],
  },
  "a property trigger without a property": {
    graph: from(propertyTrigger(null)),
    found: [["start", "trigger_without_property"]],
  },
  "a property trigger whose property is gone": {
    graph: from(propertyTrigger(query("seats"))),
    found: [["start", "unknown_property"]],
  },
  "a list trigger without a list": { graph: from(joins), found: [["start", "trigger_without_list"]] },
  "a list trigger with an archived list": {
    graph: from(joins),
    list: "lst_old",
    found: [["start", "mailing_list_archived"]],
  },
  "a path of a branch that begins with no filter": {
    graph: between({ branch: [{ typeName: "BranchNode" }, "yes", "mail"], yes: [property("plan"), "mail"] }),
    found: [["mail", "branch_without_filter"]],
  },
  "each path to the right of a filter that matches everyone": {
    graph: between({
      branch: [{ typeName: "BranchNode" }, "yes", "open", "late", "later"],
      yes: [property("plan"), "mail"],
      open: [filter(), "mail"],
      late: [property("plan"), "mail"],
      later: [filter(), "mail"],
    }),
    found: [
      ["late", "path_never_taken"],
      ["later", "path_never_taken"],
    ],
  },
  "a path of an experiment that begins with no variant": {
    graph: between({
      test: [experiment(50), "one", "control", "mail"],
      one: [variant(false), "mail"],
      control: [variant(true), "mail"],
    }),
    found: [["mail", "experiment_without_variant_node"]],
  },
  "an experiment below 100 % without a control": {
    graph: between({ test: [experiment(99), "one"], one: [variant(false), "mail"] }),
    found: [["test", "experiment_without_control"]],
  },
  "an experiment above 0 % without a variant": {
    graph: between({ test: [experiment(1), "control"], control: [variant(true), "mail"] }),
    found: [["test", "experiment_without_variant"]],
  },
  "a mail that is gone": {
    graph: from(event),
    team: { mailOf: () => undefined },
    found: [["mail", "email_message_not_found"]],
  },
  "a mail without a subject": {
    graph: from(event),
    team: { mailOf: () => ({ ...good, subject: " ", errors: [{ field: "subject", fix: "is required" }] }) },
    found: [["mail", "mail_without_subject"]],
  },
  "each error of a mail": {
    graph: from(event),
    team: broken({ field: "fromName", fix: "is required" }, { field: "lmx:1:1", fix: "The link has no address" }),
    found: [
      ["mail", "mail_not_ready"],
      ["mail", "mail_not_ready"],
    ],
  },
  "a filter whose property is gone": {
    graph: between({ one: [property("seats"), "mail"] }),
    found: [["one", "unknown_property"]],
  },
  "a filter whose operator does not fit its property": {
    graph: between({ one: [property("plan", "greaterThan"), "mail"] }),
    found: [["one", "invalid_filter"]],
  },
  "each condition that names something that is gone": {
    graph: between({
      one: [
        filter({
          audienceFilter: {
            match: "any",
            conditions: ["a", "b"].map((key) => ({ type: "property", key, operator: "empty" })),
          },
        }),
        "mail",
      ],
    }),
    found: [
      ["one", "unknown_property"],
      ["one", "unknown_property"],
    ],
  },
  "a filter whose segment is gone": {
    graph: between({ one: [filter({ audienceSegmentId: "seg_none" }), "mail"] }),
    found: [["one", "segment_not_found"]],
  },
  "a filter whose segment names a property that is gone": {
    graph: between({ one: [filter({ audienceSegmentId: "seg_1" }), "mail"] }),
    team: { types: new Map() },
    found: [["one", "unknown_property"]],
  },
  "a filter about a workflow that is gone": { graph: activity("workflow"), found: [["one", "workflow_not_found"]] },
  "a filter about a campaign that is gone": { graph: activity("campaign"), found: [["one", "campaign_not_found"]] },
  "a filter about a mail that is gone": {
    graph: activity("workflowEmail"),
    found: [["one", "email_message_not_found"]],
  },
  "a team that cannot send": {
    graph: from(event),
    team: {
      obstacles: [
        { code: "domain_not_verified", message: "This team has no domain to send from." },
        { code: "mail_cannot_leave", message: "No marketing mail leaves this service: no sender is configured." },
      ],
    },
    found: [
      [null, "domain_not_verified"],
      [null, "mail_cannot_leave"],
    ],
  },
};

describe("these keep a workflow from its start:", () => {
  it.each(Object.entries(problems))("%s", (_, { graph, team: changes = {}, list = null, found: expected }) => {
    expect(found(graph, changes, list)).toEqual({ problems: expected, warnings: [] });
  });
});

const only = (graph: Graph, changes: Partial<ReadinessTeam> = {}) => found(graph, changes);
const unfilled = (...names: string[]) => ({ mailOf: () => ({ ...good, unfilled: names }) });

describe("these are warnings only:", () => {
  it("a workflow that sends nothing, which needs no domain and no address", () => {
    const graph = graphOf({ start: [signup, "exit"] });
    const nothing = {
      hasPostalAddress: false,
      obstacles: [{ code: "domain_not_verified", message: "There is none." }],
    };
    expect(only(graph, nothing)).toEqual({ problems: [], warnings: [[null, "no_mail"]] });
  });

  it("a team without a postal address", () => {
    expect(only(from(event), { hasPostalAddress: false })).toEqual({
      problems: [],
      warnings: [[null, "no_postal_address"]],
    });
  });

  it("an event that was never received", () => {
    expect(only(from({ ...event, eventName: "Paid" }))).toEqual({
      problems: [],
      warnings: [["start", "event_never_received"]],
    });
  });

  it("each variable without a fallback; an event variable says when there is no event", () => {
    const names = unfilled("contact.plan", "event.amount");
    const twice = {
      problems: [],
      warnings: [
        ["mail", "variable_without_fallback"],
        ["mail", "variable_without_fallback"],
      ],
    };
    expect(only(from(event), names)).toEqual(twice);
    expect(only(from(signup), names)).toEqual(twice);
    const messages = (trigger: Fields) =>
      readinessOf({ graph: from(trigger), list: null }, team(names)).warnings.map(({ message }) => message);
    expect(messages(event)).toEqual([
      'The mail "Hello" uses {contact.plan} without a fallback: a contact whose data has no value does not get the mail. Give a fallback in contactPropertiesFallbacks.',
      'The mail "Hello" uses {event.amount} without a fallback: a contact whose event has no value does not get the mail. Give a fallback in eventPropertiesFallbacks.',
    ]);
    expect(messages(signup)[1]).toContain("this workflow does not start on an event");
  });
});

it("these are none: an empty filter as the last path, all to the control, no control at 100 %, an archived list of another trigger", () => {
  const branch = between({
    branch: [{ typeName: "BranchNode" }, "yes", "open"],
    yes: [property("plan"), "mail"],
    open: [filter(), "mail"],
  });
  const control = between({ test: [experiment(0), "control"], control: [variant(true), "mail"] });
  const all = between({ test: [experiment(100), "one"], one: [variant(false), "mail"] });
  for (const graph of [branch, control, all, from(event)]) {
    expect(found(graph, {}, "lst_old")).toEqual({ problems: [], warnings: [] });
  }
});

it("all problems and warnings are found at once, in the order of the nodes", () => {
  const graph = graphOf({
    start: [{ ...event, eventName: null }, "branch"],
    branch: [{ typeName: "BranchNode" }, "open", "late", "test"],
    open: [filter(), "mail"],
    late: [property("seats"), "lost"],
    test: [experiment(50), "one", "mail"],
    one: [filter({ audienceSegmentId: "seg_none" }), "mail"],
    lost: [{ ...mail, emailMessageId: "msg_none" }, "mail"],
    mail: [mail, "exit"],
  });
  const changes: Partial<ReadinessTeam> = {
    hasPostalAddress: false,
    obstacles: [{ code: "domain_not_verified", message: "This team has no domain." }],
    mailOf: (id) =>
      id === "msg_1"
        ? { ...good, subject: "", errors: [{ field: "subject", fix: "x" }], unfilled: ["contact.plan"] }
        : undefined,
  };
  expect(found(graph, changes)).toEqual({
    problems: [
      [null, "domain_not_verified"],
      ["start", "trigger_without_event"],
      ["late", "path_never_taken"],
      ["test", "branch_without_filter"],
      ["late", "unknown_property"],
      ["one", "experiment_without_variant_node"],
      ["mail", "experiment_without_variant_node"],
      ["test", "experiment_without_control"],
      ["test", "experiment_without_variant"],
      ["mail", "mail_without_subject"],
      ["lost", "email_message_not_found"],
      ["one", "segment_not_found"],
    ],
    warnings: [
      [null, "no_postal_address"],
      ["mail", "variable_without_fallback"],
    ],
  });
});
