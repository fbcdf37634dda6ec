import { beforeEach, describe, expect, it } from "vitest";
import { readyOf } from "../../../../../../src/email/workspace/workflows/runs/workflow-readiness.ts";
import { findWorkflow, type StoredWorkflow } from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { advance, createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";
import { addReady, edit, pay, type Ready } from "./bench.ts";

isolated();

// test/unit/email/policy/workflows/readiness.test.ts has each problem. Here they come from the data of a team.

let team: Team;
let workflow: Ready;
beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
});

type Found = { nodeId: string | null; code: string; message: string }[];

const trial = async (): Promise<{ problems: Found; warnings: Found }> => {
  advance(1_000);
  const { json } = await team.admin("POST", `/workflows/${workflow.id}/start`, { dryRun: true });
  return json;
};
const codes = (found: Found) => found.map(({ nodeId, code }) => [nodeId, code]);
const write = async (content: object) => {
  advance(1_100);
  const { status, text } = await team.post(`/email-messages/${workflow.mail}`, content);
  expect(status, text).toBe(200);
};

it("a new team lacks a postal address, and an event that no request has sent", async () => {
  const { problems, warnings } = await trial();
  expect([codes(problems), codes(warnings)]).toEqual([
    [],
    [
      [null, "no_postal_address"],
      [workflow.root, "event_never_received"],
    ],
  ]);
  await team.admin("POST", "", { postalAddress: "1 Main Street" });
  await pay(team, "ada@example.com");
  expect(await trial()).toMatchObject({ problems: [], warnings: [] });
});

it("an event that was received stays known when it has no properties", async () => {
  await pay(team, "ada@example.com");
  await team.run("DELETE FROM events");
  expect(codes((await trial()).warnings)).toEqual([[null, "no_postal_address"]]);
});

it("a new SendEmailAction has an empty mail: each missing field is a problem", async () => {
  const { node } = await edit(team, workflow.id, "/nodes", {
    insertMode: "after",
    nodeTypeName: "SendEmailAction",
    fromNodeId: workflow.timer,
  });
  const { problems } = await trial();
  expect(codes(problems)).toEqual([
    [node.id, "mail_without_subject"],
    [node.id, "mail_not_ready"],
    [node.id, "mail_not_ready"],
    [node.id, "mail_not_ready"],
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    "The mail has no subject. Give it one.",
    "The mail without a subject has no name of its sender. Set the field fromName of the message, or of the team.",
    "The mail without a subject has no address of its sender. Set the field fromEmail of the message, or of the team.",
    "The mail without a subject has no content. Set the field lmx of the message.",
  ]);
});

it("an error of the guardian is a problem, and the guardian finds the same one", async () => {
  await write({ lmx: "<Paragraph>Hello</Paragraph><Button>Open</Button>" });
  const { json } = await team.get(`/email-messages/${workflow.mail}/guardian`);
  const fixes = json.errors.flatMap(({ items }: { items: { fix: string }[] }) => items.map(({ fix }) => fix));
  expect(fixes).toHaveLength(1);
  const { problems } = await trial();
  expect(codes(problems)).toEqual([[workflow.email, "mail_not_ready"]]);
  expect(problems[0]?.message).toContain(fixes[0]);
});

it("a variable without a fallback is a warning, until it has one", async () => {
  await write({ subject: "Hello {contact.firstName}", lmx: "<Paragraph>{event.plan}</Paragraph>" });
  const unfilled = async () => (await trial()).warnings.filter(({ code }) => code === "variable_without_fallback");
  expect((await unfilled()).map(({ nodeId, message }) => [nodeId, /uses (\S+) without/.exec(message)?.[1]])).toEqual([
    [workflow.email, "{contact.firstName}"],
    [workflow.email, "{event.plan}"],
  ]);
  await write({ contactPropertiesFallbacks: { firstName: "you" }, eventPropertiesFallbacks: { plan: "none" } });
  expect(await unfilled()).toEqual([]);
});

it("a list that was archived since, and a property that is gone, are problems", async () => {
  const { id: list } = (await team.admin("POST", "/lists", { name: "News" })).json;
  await team.post("/contacts/properties", { name: "plan", type: "string" });
  await edit(team, workflow.id, "/mailing-list", { mailingListId: list });
  await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { typeName: "AddToListTrigger" } });
  const { node } = await edit(team, workflow.id, "/nodes", {
    insertMode: "after",
    nodeTypeName: "AudienceFilter",
    fromNodeId: workflow.root,
  });
  const condition = { type: "property", key: "plan", operator: "equals", value: "pro" };
  const payload = { audienceFilter: { match: "all", conditions: [condition] } };
  await edit(team, workflow.id, `/nodes/${node.id}`, { payload });
  expect((await trial()).problems).toEqual([]);
  await team.admin("POST", `/lists/${list}`, { isArchived: true });
  await team.run("DELETE FROM properties WHERE name = 'plan'");
  expect(codes((await trial()).problems)).toEqual([
    [workflow.root, "mailing_list_archived"],
    [node.id, "unknown_property"],
  ]);
});

describe("a team whose mail cannot leave", () => {
  const problemsOf = (mail: object) =>
    team.inside((sql) => {
      const context = { ...contextOf(sql) };
      const { workflow: stored } = findWorkflow(context, workflow.id) as { workflow: StoredWorkflow };
      return readyOf({ ...context, mail: { ...context.mail, ...mail } }, stored).problems;
    });

  it("has a problem when it has no sending domain, in the words of a refused send", async () => {
    expect(await problemsOf({ inboxOnly: ["marketing"] })).toEqual([]);
    expect(await problemsOf({ inboxOnly: [] })).toEqual([
      { nodeId: null, code: "domain_not_verified", message: expect.stringContaining("no domain to send from") },
    ]);
  });

  it("has a problem when the service has no sender for it, or no address for its links", async () => {
    expect(await problemsOf({ inboxOnly: ["marketing"], marketingObstacle: "PUBLIC_URL is not set" })).toEqual([
      {
        nodeId: null,
        code: "mail_cannot_leave",
        message: "No marketing mail leaves this service: PUBLIC_URL is not set.",
      },
    ]);
  });
});
