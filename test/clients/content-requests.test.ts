import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { png, put, startWithPictures } from "../system/pictures.ts";
import { createTeam, EMAIL, pause } from "./team.ts";

// The content requests of the PHP client 3.3.0 and the Ruby client 2.3.0, which no registry here has: each of their
// methods that requests.test.ts lacks, as their code writes them.

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startWithPictures();
});
afterAll(() => mailspan.stop());

// biome-ignore lint/suspicious/noExplicitAny: each path answers with another shape
type Json = any;
type Call = (method: string, path: string, body?: unknown) => Promise<Json>;

/** `json_encode` of PHP escapes slashes and every letter beyond ASCII, and an empty map is a list. */
const phpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("{}", "[]");

/** Both clients know 200 and 201 alone as success, and send Content-Type with every request. */
const client = async (name: string, agent: string, write: (value: unknown) => string) => {
  const { key, list } = await createTeam(mailspan, name, true);
  const call: Call = async (method, path, body) => {
    await pause();
    const response = await fetch(`${mailspan.emailUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "User-Agent": agent, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: write(body) }),
    });
    const text = await response.text();
    expect([200, 201], `${method} ${path}: ${response.status} ${text}`).toContain(response.status);
    return JSON.parse(text);
  };
  return { call, list };
};

const lmx = '<Paragraph>Grüße {data.name} 😀</Paragraph>\n<Button href="https://acme.example/a/b">Go</Button>\n';
const filter = { match: "all", conditions: [{ type: "property", key: "userGroup", operator: "equals", value: "pro" }] };
const LISTS = ["themes", "components", "campaigns", "campaign-groups", "audience-segments", "workflows"];

const groups = async (call: Call, noun: string): Promise<string> => {
  const { id } = await call("POST", `/${noun}`, { name: "News", description: "About/news" });
  expect(await call("POST", `/${noun}/${id}`, { description: "Monthly" })).toMatchObject({ name: "News" });
  expect(await call("GET", `/${noun}/${id}`)).toMatchObject({ id, description: "Monthly" });
  return id;
};

const transactional = async (call: Call, transactionalGroupId: string): Promise<string> => {
  const created = await call("POST", "/transactional-emails", { name: "Shipped", transactionalGroupId });
  const { id, draftEmailMessageId: message, draftEmailMessageContentRevisionId: expectedRevisionId } = created;
  expect(created).toMatchObject({ name: "Shipped", publishedEmailMessageId: null, dataVariables: [] });
  const changes = { subject: "Ihr Päckchen", fromName: "Acme", fromEmail: "hello", emailFormat: "styled", lmx };
  const changed = await call("POST", `/email-messages/${message}`, {
    expectedRevisionId,
    ...changes,
    dataVariablesFallbacks: { name: "you" },
  });
  expect(changed).toMatchObject({ ...changes, dataVariablesFallbacks: { name: "you" }, transactionalId: id });
  expect(changed.contentRevisionId).not.toBe(expectedRevisionId);
  expect(await call("POST", `/email-messages/${message}`, { dataVariablesFallbacks: { name: null } })).toMatchObject({
    subject: changes.subject,
  });
  expect(await call("GET", `/email-messages/${message}`)).toMatchObject({ lmx });
  const preview = { emails: ["me@example.com"], dataVariables: { name: "Ada" } };
  await call("POST", `/email-messages/${message}/preview`, preview);
  expect(await call("POST", `/transactional-emails/${id}/publish`)).toMatchObject({ dataVariables: ["name"] });
  const { draftEmailMessageId } = await call("POST", `/transactional-emails/${id}/draft`);
  expect(draftEmailMessageId).toMatch(/^msg_/);
  expect(await call("POST", `/transactional-emails/${id}`, { name: "Sent" })).toMatchObject({ name: "Sent" });
  expect(await call("GET", `/transactional-emails/${id}`)).toMatchObject({ draftEmailMessageId });
  const mail = { transactionalId: id, email: EMAIL, addToAudience: false, dataVariables: { name: "Ada" } };
  expect(await call("POST", "/transactional", { ...mail, attachments: [] })).toMatchObject({ success: true });
  return message;
};

const campaigns = async (call: Call, given: Record<string, string | undefined>) => {
  const created = await call("POST", "/campaigns", { name: "Sale", ...given, scheduling: { method: "now" } });
  expect(created).toMatchObject({ status: "Draft", ...given, scheduling: { method: "now", timestamp: null } });
  const scheduling = { method: "schedule", timestamp: new Date(Date.now() + 86_400_000).toISOString() };
  const at = `/campaigns/${created.id}`;
  expect(await call("POST", at, { name: "Big sale", audienceFilter: filter, scheduling })).toMatchObject({
    name: "Big sale",
    audienceFilter: filter,
    audienceSegmentId: null,
    scheduling,
  });
  return at;
};

/** `move`: how a client changes the query on its way. */
const upload = async (call: Call, move: (url: string) => string) => {
  const created = await call("POST", "/uploads", { contentType: "image/png", contentLength: png.length });
  expect((await put(move(created.presignedUrl))).status).toBe(200);
  const { finalUrl } = await call("POST", `/uploads/${created.emailAssetId}/complete`);
  expect(new Uint8Array(await (await fetch(finalUrl)).arrayBuffer())).toEqual(png);
};

it("every content method of the PHP client gets the answer that it expects", async () => {
  const { call, list } = await client("content-php", "GuzzleHttp/7", phpJson);
  const group = await groups(call, "transactional-groups");
  const message = await transactional(call, group);
  expect(await call("GET", `/email-messages/${message}/guardian`)).toMatchObject({ errors: [] });
  const campaignGroupId = await groups(call, "campaign-groups");
  const segment = await call("POST", "/audience-segments", { name: "Pro", filter });
  expect(await call("GET", `/audience-segments/${segment.id}`)).toMatchObject({ id: segment.id, name: "Pro" });
  const at = await campaigns(call, { campaignGroupId, mailingListId: list, audienceSegmentId: segment.id });
  expect(await call("POST", at, { mailingListId: null, audienceFilter: null })).toMatchObject({ mailingListId: null });
  expect(await call("GET", at)).toMatchObject({ name: "Big sale", audienceFilter: null });

  const styles = { backgroundColor: "#111827", bodyColor: "#1f2937" };
  const theme = await call("POST", "/themes", { name: "Dark", styles });
  expect(await call("POST", `/themes/${theme.id}`, { styles: [] })).toMatchObject({ name: "Dark", styles });
  expect(await call("GET", `/themes/${theme.id}`)).toMatchObject({ styles });
  const component = await call("POST", "/components", { name: "Header", lmx: "<Paragraph>Hi</Paragraph>" });
  await call("POST", `/components/${component.id}`, { lmx: "<Paragraph>Hello</Paragraph>" });
  expect((await call("GET", `/components/${component.id}`)).lmx).toContain("Hello");
  for (const noun of [...LISTS, "transactional-groups", "transactional-emails"])
    expect(await call("GET", `/${noun}?perPage=10`), noun).toMatchObject({ pagination: { perPage: 10 } });
  await call("POST", "/events/send", { email: EMAIL, eventName: "Deal won/lost", eventProperties: {} });
  expect(await call("GET", "/event-patterns/by-name/Deal%20won%2Flost")).toMatchObject({ eventName: "Deal won/lost" });
  await upload(call, (url) => url);
});

it("every workflow method of the PHP client gets the answer that it expects", async () => {
  const { call, list } = await client("workflows-php", "GuzzleHttp/7", phpJson);
  const created = await call("POST", "/workflows", { name: "Trial", description: "Nurture", mailingListId: list });
  const { id, rootNodeId: root } = created;
  const [exit] = created.nodes[root].nextNodeIds;
  let expectedRevisionId = created.workflowRevisionId;
  const change = async (method: string, path: string, fields: object = {}) => {
    const json = await call(method, `/workflows/${id}${path}`, { expectedRevisionId, ...fields });
    expectedRevisionId = json.workflow?.workflowRevisionId ?? json.workflowRevisionId ?? expectedRevisionId;
    return json;
  };
  expect(await change("POST", "", { name: "Trial nurture" })).toMatchObject({ name: "Trial nurture" });
  const place = { insertMode: "between", nodeTypeName: "TimerAction", fromNodeId: root, toNodeId: exit };
  const timer = (await change("POST", "/nodes", place)).node.id;
  expect(await change("POST", `/nodes/${timer}`, { payload: { amount: 2, unit: "d" } })).toMatchObject({ amount: 2 });
  const before = { insertMode: "before", nodeTypeName: "BranchNode", beforeNodeId: exit };
  const branch = (await change("POST", "/nodes", before)).node;
  const path = (await change("POST", `/nodes/${branch.id}/add-branch`)).node;
  expect(await call("GET", `/workflows/${id}/nodes/${path.id}`)).toMatchObject({ typeName: "AudienceFilter" });
  expect(await change("POST", "/mailing-list", { mailingListId: null, dryRun: true })).toMatchObject({
    status: "dryRun",
    queuedContactCount: 0,
  });
  const queued = { queuedContactPolicy: "discard" };
  expect(await change("DELETE", `/nodes/${timer}`, queued)).toMatchObject({ status: "deleted", nodeIds: [timer] });
  expect(await change("DELETE", `/nodes/${branch.id}/recursive`, { dryRun: true })).toMatchObject({ status: "dryRun" });
  expect(await change("DELETE", `/nodes/${branch.id}/recursive`)).toMatchObject({ status: "deleted" });
  expect(await call("GET", `/workflows/${id}`)).toMatchObject({ description: "Nurture", mailingListId: list });
  expect((await call("GET", "/workflows")).data).toMatchObject([{ id }]);
});

it("every content method of the Ruby client gets the answer that it expects", async () => {
  const { call, list } = await client("content-ruby", "Faraday v2.9.0", JSON.stringify);
  const group = await groups(call, "transactional-groups");
  await transactional(call, group);
  const campaignGroupId = await groups(call, "campaign-groups");
  const at = await campaigns(call, { campaignGroupId, mailingListId: list });
  expect(await call("GET", at)).toMatchObject({ name: "Big sale" });
  const segment = await call("POST", "/audience-segments", { name: "Pro", filter });
  const workflow = await call("POST", "/workflows", { name: "Trial" });
  const theme = await call("POST", "/themes", { name: "Dark" });
  const component = await call("POST", "/components", { name: "Header", lmx });
  for (const noun of [...LISTS, "transactional-groups", "transactional-emails"])
    expect(await call("GET", `/${noun}?cursor&perPage=20`), noun).toMatchObject({ pagination: { perPage: 20 } });
  for (const [noun, { id }] of Object.entries({ "audience-segments": segment, workflows: workflow, themes: theme }))
    expect(await call("GET", `/${noun}/${id}`), noun).toMatchObject({ id });
  expect(await call("GET", `/components/${component.id}`)).toMatchObject({ lmx });
  expect(await call("GET", `/workflows/${workflow.id}/nodes/${workflow.rootNodeId}`)).toMatchObject({
    id: workflow.rootNodeId,
  });
  await upload(call, (text) => {
    const url = new URL(text);
    url.searchParams.sort();
    return url.href;
  });
});
