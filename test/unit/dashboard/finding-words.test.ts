import { expect, it } from "vitest";
import { findingWords, fixWords, variableOfPath } from "../../../src/dashboard/app/parts/finding-words.ts";
import { readinessOf } from "../../../src/email/policy/campaigns/readiness.ts";
import { readinessOf as workflowReadiness } from "../../../src/email/policy/workflows/readiness.ts";

const MISSING = "is required to publish";
const begun = { id: "cmp_1", name: "Winter", startedAt: 0 };

const findings = () => {
  const mail = {
    subject: 'Say "hi": now',
    errors: [
      ...["fromName", "fromEmail"].map((field) => ({ field, fix: MISSING })),
      { field: "lmx:1:1", fix: MISSING },
      { field: "lmx:12:3", fix: "close the tag" },
      { field: "replyToEmail", fix: "is no address" },
    ],
    unfilled: ["contact.plan"],
    warnings: [{ field: "previewText", fix: "give it one" }],
  };
  const team = {
    mail,
    segmentOf: () => undefined,
    listFault: undefined,
    obstacles: [],
    hasPostalAddress: false,
    recipients: 0,
    recent: begun,
    same: undefined,
  };
  const campaign = { list: null, segment: null, segmentFilter: null, filter: null, scheduledAt: 1 };
  const { problems, warnings } = readinessOf(campaign, team as never, 2);
  return [...problems, ...warnings];
};

it("what sending lacks is said with the names that the page has, and none of the API", () => {
  const said = findings().map(findingWords);
  expect(said.join("\n")).not.toMatch(
    /\b(fromName|fromEmail|replyToEmail|previewText|lmx|postalAddress|negate|method)\b|Fallbacks/,
  );
  const began = new Date(1).toLocaleString("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  expect(said.slice(0, 6)).toEqual([
    'The mail "Say "hi": now" has no name of its sender. Give it at "Sender\'s name" of the mail, or in the settings of the team.',
    'The mail "Say "hi": now" has no address of its sender. Give it at "Sender\'s address" of the mail, or in the settings of the team.',
    'The mail "Say "hi": now" has no content. Write it on the page of the mail.',
    'The mail "Say "hi": now": Content, line 12: close the tag.',
    'The mail "Say "hi": now": Replies to: is no address.',
    `The campaign was to start at ${began}, which has passed. Give it another time, or "Send now".`,
  ]);
});

it("a sentence of another code, and one that has other words by now, stay as they are", () => {
  for (const code of ["no_recipients", "mail_not_ready", "no_postal_address"])
    expect(findingWords({ code, message: "Something else." })).toBe("Something else.");
  const message = 'The audienceFilter has a condition that cannot be checked. There is no property "gone".';
  expect(findingWords({ code: "unknown_property", message })).toBe(
    'One of the conditions of the campaign cannot be checked. There is no property "gone".',
  );
});

const ofWorkflow = (nodes: Record<string, { typeName: string; nextNodeIds?: string[]; [field: string]: unknown }>) => {
  const all = { ...nodes, exit: { typeName: "ExitAction", nextNodeIds: [] } };
  const graph = {
    root: Object.keys(nodes)[0],
    exit: "exit",
    lastK: 9,
    nodes: Object.fromEntries(
      Object.entries(all).map(([id, one], k) => [id, Object.assign({ k, nextNodeIds: ["exit"] }, one)]),
    ),
  };
  const team = {
    types: new Map(),
    segmentOf: () => undefined,
    mailOf: () => undefined,
    isArchived: () => false,
    wasReceived: () => true,
    obstacles: [],
    hasPostalAddress: true,
    messagesOf: () => undefined,
  };
  const { problems, warnings } = workflowReadiness({ graph, list: null } as never, team as never);
  return [...problems, ...warnings].map(findingWords);
};

it("what a workflow lacks is said without names of the API", () => {
  const found = [
    ...ofWorkflow({ start: { typeName: "BlankTrigger" } }),
    ...ofWorkflow({ start: { typeName: "EventTrigger", eventName: null } }),
    ...ofWorkflow({ start: { typeName: "ContactPropertyTrigger", contactPropertyQuery: null } }),
    ...ofWorkflow({
      start: { typeName: "AddToListTrigger", nextNodeIds: ["fork"] },
      fork: { typeName: "BranchNode", nextNodeIds: ["wait"] },
      wait: { typeName: "TimerAction" },
    }),
    ...ofWorkflow({
      start: { typeName: "SignupTrigger", nextNodeIds: ["fork"] },
      fork: { typeName: "ExperimentBranchNode", samplingRate: 50, nextNodeIds: ["mail"] },
      mail: { typeName: "SendEmailAction", emailMessageId: "msg_1" },
    }),
    ...ofWorkflow({
      start: { typeName: "SignupTrigger", nextNodeIds: ["fork"] },
      fork: { typeName: "ExperimentBranchNode", samplingRate: 50, nextNodeIds: ["only"] },
      only: { typeName: "VariantNode", isControl: true },
    }),
  ];
  expect(found.join("\n")).not.toMatch(/[a-z][A-Z]|\b(typeName|eventName|undefined)\b/);
  expect(found).toEqual(
    expect.arrayContaining([
      'Nothing starts the workflow, so that no contact enters. Choose it at "It starts when".',
      'The workflow sends no mail. Add a step "Send a mail", if it should.',
      "A branch leads to filters, and this path begins with a wait. Insert a filter before it.",
      "An experiment leads to variants, and this path begins with a mail. Insert a variant before it.",
      "The control group gets 50 % of the contacts, and the experiment has no control. Make one variant the control, or set the share in the experiment to 100 %.",
    ]),
  );
});

it("what the guardian says of fallbacks has the variable, and no field of the API", () => {
  const fix = "Give a fallback in contactPropertiesFallbacks: a contact without a value does not get the mail";
  expect(fixWords(fix)).toBe(
    "Give it a fallback in the table of variables: a contact without a value does not get the mail",
  );
  expect(fixWords("Close the tag")).toBe("Close the tag");
  expect(variableOfPath("dataVariablesFallbacks.name")).toBe("data.name");
  for (const path of ["subject", "lmx:1:2", "other.name"]) expect(variableOfPath(path)).toBeUndefined();
});
