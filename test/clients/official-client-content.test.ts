import { type AudienceFilter, type LoopsClient, RateLimitExceededError } from "loops";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { defaultTheme } from "../../src/lib/lmx/language/theme.ts";
import { pictureOf } from "../pictures.ts";
import { type Mailspan, PUBLIC_URL, startMailspan, until } from "../system/mailspan.ts";
import {
  type Answer,
  failure,
  isCampaignMethod,
  isContentMethod,
  isWorkflowMethod,
  methodsOf,
  operator,
  pacedClient,
  pagination,
  transactional,
} from "./official.ts";
import { expectShape, type Shape } from "./shapes.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startMailspan();
});
afterAll(() => mailspan.stop());

const used = new Set<string>();

/** A new team for each test: the rate limit is 10 requests a second for each team. */
let team: string;
let client: LoopsClient;
let serial = 0;
beforeEach(async () => {
  team = `content-${serial++}`;
  await operator(mailspan, "", { id: team, name: "Content" });
  const { key } = await operator(mailspan, `/${team}/keys`, { name: "test" });
  client = pacedClient(mailspan, key, used);
});

type Message = Answer<"getEmailMessage">;
const message: Shape<Required<Omit<Message, "campaignId" | "warnings">>> = {
  id: { string: true },
  transactionalId: { string: true },
  subject: { string: true },
  previewText: { string: true },
  fromName: { string: true },
  fromEmail: { string: true },
  replyToEmail: { string: true },
  lmx: { string: true },
  ccEmail: { string: true },
  bccEmail: { string: true },
  languageCode: { string: true },
  emailFormat: { string: true },
  contentRevisionId: { string: true, null: true },
  updatedAt: { string: true },
  contactPropertiesFallbacks: { object: true },
  eventPropertiesFallbacks: { object: true },
  dataVariablesFallbacks: { object: true },
};
const theme: Shape<Answer<"getTheme">> = {
  id: { string: true },
  name: { string: true },
  styles: { object: true },
  isDefault: { boolean: true },
  createdAt: { string: true },
  updatedAt: { string: true },
};
const component: Shape<Answer<"getComponent">> = {
  id: { string: true },
  name: { string: true },
  lmx: { string: true },
};
const group: Shape<Answer<"getCampaignGroup">> = {
  id: { string: true },
  name: { string: true },
  description: { string: true },
  createdAt: { string: true },
  updatedAt: { string: true },
};

const content = {
  subject: "Order {data.number}",
  previewText: "On its way",
  fromName: "Acme",
  fromEmail: "orders",
  replyToEmail: "help@example.com",
  languageCode: "en",
  emailFormat: "styled" as const,
  lmx: "<Paragraph>Hello {data.name}, order {data.number} is on its way.</Paragraph>",
};

it("writes, publishes, sends and changes a transactional email", async () => {
  const { id: transactionalGroupId } = await client.createTransactionalGroup({ name: "Orders" });
  const created = await client.createTransactionalEmail({ name: "Order shipped", transactionalGroupId });
  expectShape(created, { ...transactional, draftEmailMessageContentRevisionId: { string: true, null: true } });
  expect(created).toMatchObject({ name: "Order shipped", transactionalGroupId, publishedEmailMessageId: null });
  const draft = created.draftEmailMessageId as string;
  const expectedRevisionId = created.draftEmailMessageContentRevisionId as string;

  const written = await client.updateEmailMessage(draft, {
    ...content,
    expectedRevisionId,
    dataVariablesFallbacks: { name: "there", gone: "x" },
  });
  expectShape(written as Required<Message>, message);
  expect(written).toMatchObject({ ...content, id: draft, transactionalId: created.id });
  expect(written.contentRevisionId).not.toBe(expectedRevisionId);
  const emptied = await client.updateEmailMessage(draft, { dataVariablesFallbacks: { gone: null } });
  expect(emptied.dataVariablesFallbacks).toEqual({ name: "there" });
  expect(await client.getEmailMessage(draft)).toEqual(emptied);

  const stale = await failure(client.updateEmailMessage(draft, { subject: "Late", expectedRevisionId }));
  expect([stale.statusCode, stale.json]).toMatchObject([
    409,
    { code: "revision_conflict", path: "expectedRevisionId", contentRevisionId: emptied.contentRevisionId },
  ]);
  expect(stale.message).toContain(emptied.contentRevisionId);
  const bad = await failure(client.updateEmailMessage(draft, { lmx: "<Paragraph>" }));
  expect([bad.statusCode, bad.json]).toMatchObject([422, { code: "invalid_content", path: "lmx" }]);

  const published = await client.publishTransactionalEmail(created.id);
  expectShape(published, transactional);
  expect(published).toMatchObject({
    draftEmailMessageId: null,
    publishedEmailMessageId: draft,
    dataVariables: ["number", "name"],
  });
  const email = `ada@${team}.example`;
  await client.sendTransactionalEmail({ transactionalId: created.id, email, dataVariables: { number: "7" } });
  const { id } = await until("the mail", async () => (await mailspan.inbox()).mails.find(({ to }) => to === email));
  expect(await mailspan.mail(id)).toMatchObject({
    subject: "Order 7",
    html: expect.stringContaining("Hello there, order 7 is on its way."),
  });

  const twice = await failure(client.publishTransactionalEmail(created.id));
  expect([twice.statusCode, twice.json]).toMatchObject([409, { code: "no_draft" }]);
  const again = await client.ensureTransactionalEmailDraft(created.id);
  expect(again).toMatchObject({ publishedEmailMessageId: draft });
  expect(again.draftEmailMessageId).not.toBe(draft);
  expect(await client.updateTransactionalEmail(created.id, { name: "Sent" })).toMatchObject({
    id: created.id,
    name: "Sent",
    transactionalGroupId,
  });
});

it("creates, lists, gets and changes themes, and a change reaches a message", async () => {
  const created = await client.createTheme({ name: "Brand", styles: { textLinkColor: "#4f46e5", bodyXPadding: 32 } });
  expectShape(created, theme);
  expect(created).toMatchObject({
    name: "Brand",
    isDefault: false,
    styles: { ...defaultTheme, textLinkColor: "#4f46e5", bodyXPadding: 32 },
  });
  expect(await client.getTheme(created.id)).toEqual(created);
  const { draftEmailMessageId } = await client.createTransactionalEmail({ name: "Mail" });
  const lmx = `<Style themeId="${created.id}" />${content.lmx}`;
  await client.updateEmailMessage(draftEmailMessageId as string, { ...content, lmx });

  const changed = await client.updateTheme(created.id, { styles: { ...created.styles, textLinkColor: "#112233" } });
  expectShape(changed, { ...theme, affectedEmailCount: { number: true } });
  expect(changed).toMatchObject({ affectedEmailCount: 1, styles: { textLinkColor: "#112233", bodyXPadding: 32 } });
  const renamed = await client.updateTheme(created.id, { name: "House" });
  expect(renamed).toMatchObject({ name: "House", affectedEmailCount: 0, styles: changed.styles });
  const page = await client.listThemes({ perPage: 10 });
  expectShape(page.pagination, pagination);
  for (const one of page.data) expectShape(one, theme);
  expect(page.data.map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ["House", false],
    ["Default", true],
  ]);

  const wrong = await failure(client.updateTheme(created.id, { styles: { bodyColor: "reddish" } }));
  expect([wrong.statusCode, wrong.json]).toMatchObject([400, { path: "styles.bodyColor" }]);
  expect((await failure(client.getTheme("thm_none"))).statusCode).toBe(404);
  expect((await failure(client.listThemes({ cursor: "nonsense" }))).statusCode).toBe(400);
});

it("creates, lists, gets and changes components, and a change reaches a message", async () => {
  const footer = { name: "Footer", lmx: "<Paragraph>Acme, 1 Main Street</Paragraph>" };
  const created = await client.createComponent(footer);
  expectShape(created, component);
  expect(created).toMatchObject(footer);
  expect(await client.getComponent(created.id)).toEqual(created);
  const { draftEmailMessageId, id } = await client.createTransactionalEmail({ name: "Mail" });
  const lmx = `<Component componentId="${created.id}" />`;
  await client.updateEmailMessage(draftEmailMessageId as string, { ...content, lmx });
  await client.publishTransactionalEmail(id);

  const changed = await client.updateComponent(created.id, { lmx: "<Paragraph>Acme, 2 Side Street</Paragraph>" });
  expectShape(changed, { ...component, affectedEmailCount: { number: true } });
  expect(changed).toMatchObject({ ...footer, affectedEmailCount: 1, lmx: expect.stringContaining("2 Side Street") });
  expect(await client.updateComponent(created.id, { name: "Foot" })).toMatchObject({
    name: "Foot",
    affectedEmailCount: 0,
  });
  const page = await client.listComponents();
  expectShape(page.pagination, pagination);
  expect(page.data).toMatchObject([{ id: created.id, name: "Foot" }]);
  await until("the message compiled again", async () => {
    const { data } = await client.listComponents();
    return (data[0] as unknown as { pendingEmailCount: number }).pendingEmailCount === 0 ? true : undefined;
  });
  const email = `ada@${team}.example`;
  await client.sendTransactionalEmail({ transactionalId: id, email, dataVariables: { number: "7" } });
  const mail = await until("the mail", async () => (await mailspan.inbox()).mails.find(({ to }) => to === email));
  expect((await mailspan.mail(mail.id)).html).toContain("2 Side Street");

  const bad = await failure(client.createComponent({ name: "Bad", lmx: "<Blink>" }));
  expect([bad.statusCode, bad.json]).toMatchObject([422, { code: "invalid_content", path: "lmx" }]);
});

it.each([
  // Every team has a first group of campaigns.
  ["Campaign", "campaign", ["News", "Unsorted"]],
  ["Transactional", "transactional", ["News"]],
] as const)("creates, lists, gets and changes %s groups", async (kind, word, names) => {
  const created = await client[`create${kind}Group`]({ name: "News", description: "Monthly" });
  expectShape(created, group);
  expect(created).toMatchObject({ name: "News", description: "Monthly" });
  expect(await client[`get${kind}Group`](created.id)).toEqual(created);
  expect(await client[`update${kind}Group`](created.id, { description: "Weekly" })).toMatchObject({
    id: created.id,
    name: "News",
    description: "Weekly",
  });
  const page = await client[`list${kind}Groups`]({ perPage: 10 });
  expectShape(page.pagination, pagination);
  expect(page.data.map(({ name }) => name)).toEqual(names);
  expect(page.data[0]?.id).toBe(created.id);
  const none = await failure(client[`update${kind}Group`]("grp_none", { name: "x" }));
  expect([none.statusCode, none.json]).toMatchObject([404, { code: "group_not_found", path: `${word}GroupId` }]);
});

it("sends a preview", async () => {
  const { draftEmailMessageId } = await client.createTransactionalEmail({ name: "Mail" });
  const draft = draftEmailMessageId as string;
  await client.updateEmailMessage(draft, content);
  const emails = [`ada@${team}.example`, `bo@${team}.example`];
  const sent = await client.sendEmailMessagePreview(draft, { emails, dataVariables: { name: "Ada", number: 7 } });
  expect(sent.id).toBe(draft);
  for (const email of emails) {
    const found = await until("the mail", async () => (await mailspan.inbox()).mails.find(({ to }) => to === email));
    expect((await mailspan.mail(found.id)).html).toContain("Hello Ada, order 7 is on its way.");
  }
  const lacking = await failure(client.sendEmailMessagePreview(draft, { emails }));
  expect([lacking.statusCode, lacking.message]).toEqual([400, expect.stringContaining("name")]);
  const none = await failure(client.sendEmailMessagePreview("msg_none", { emails }));
  expect([none.statusCode, none.json]).toMatchObject([
    404,
    { code: "email_message_not_found", path: "emailMessageId" },
  ]);
});

it("asks the guardian", async () => {
  const { draftEmailMessageId, id } = await client.createTransactionalEmail({ name: "Mail" });
  const draft = draftEmailMessageId as string;
  const found = await client.runEmailMessageGuardian(draft);
  expectShape(found, { errors: { array: true }, warnings: { array: true } });
  expect(found.errors.length).toBeGreaterThan(0);
  for (const one of [...found.errors, ...found.warnings]) {
    const text = { string: true } as const;
    expectShape(one, { rule: text, title: text, description: text, items: { array: true } });
    for (const item of one.items) expect(item.label).toEqual(expect.any(String));
  }
  const refused = await failure(client.publishTransactionalEmail(id));
  expect([refused.statusCode, refused.json]).toMatchObject([422, { code: "invalid_content" }]);
  await client.updateEmailMessage(draft, content);
  expect((await client.runEmailMessageGuardian(draft)).errors).toEqual([]);
  expect((await failure(client.runEmailMessageGuardian("msg_none"))).statusCode).toBe(404);
});

it("uploads a picture", async () => {
  const bytes = pictureOf("image/png");
  const upload = await client.createUpload({ contentType: "image/png", contentLength: bytes.length });
  expectShape(upload, { emailAssetId: { string: true }, presignedUrl: { string: true } });
  const put = { method: "PUT", headers: { "Content-Type": "image/png" }, body: bytes };
  const early = await failure(client.completeUpload(upload.emailAssetId));
  expect([early.statusCode, early.json]).toMatchObject([400, { code: "upload_not_arrived" }]);
  expect((await fetch(upload.presignedUrl, put)).status).toBe(200);
  const completed = await client.completeUpload(upload.emailAssetId);
  expectShape(completed, { emailAssetId: { string: true }, finalUrl: { string: true } });
  const shown = completed.finalUrl.replace(PUBLIC_URL, mailspan.emailUrl);
  expect((await fetch(shown)).headers.get("Content-Type")).toBe("image/png");
  const svg = await failure(client.createUpload({ contentType: "image/svg+xml", contentLength: 10 }));
  expect([svg.statusCode, svg.json]).toMatchObject([400, { maxBytes: 4_000_000 }]);
  expect((await failure(client.completeUpload("upl_none"))).statusCode).toBe(404);
});

it("creates, shows and lists audience segments", async () => {
  const filter: AudienceFilter = {
    match: "all",
    conditions: [
      { type: "property", key: "createdAt", operator: "between", value: { from: "2026-01-01", to: "2026-12-31" } },
      { type: "property", key: "subscribed", operator: "isTrue" },
      { type: "optIn", status: null },
    ],
  };
  const created = await client.createAudienceSegment({ name: "This year", filter });
  const text = { string: true } as const;
  expectShape(created, {
    id: text,
    name: text,
    description: { string: true, null: true },
    filter: { object: true, null: true },
    createdAt: text,
    updatedAt: text,
  });
  expect(created).toMatchObject({ name: "This year", description: null, filter });
  expect(await client.getAudienceSegment(created.id)).toEqual(created);
  expect((await client.listAudienceSegments({ perPage: 10 })).data).toEqual([created]);
  const again = await failure(client.createAudienceSegment({ name: "this year", filter }));
  expect([again.statusCode, again.json]).toMatchObject([400, { code: "segment_name_taken" }]);
  expect((await failure(client.getAudienceSegment("seg_none"))).statusCode).toBe(404);
});

it("walks pages of themes by their cursor", async () => {
  for (let i = 0; i < 11; i++) await client.createTheme({ name: `Theme ${i}` });
  const first = await client.listThemes({ perPage: 10 });
  expect(first.pagination).toMatchObject({ totalResults: 12, returnedResults: 10, totalPages: 2 });
  await client.createTheme({ name: "Added meanwhile" });
  const second = await client.listThemes({ perPage: 10, cursor: first.pagination.nextCursor as string });
  expect(second.data.map(({ name }) => name)).toEqual(["Theme 0", "Default"]);
});

it("shows the limit of 60 content requests in 60 s as its rate limit error", async () => {
  const requests = Array.from({ length: 61 }, () => () => client.getTransactionalEmail("tpl_none").catch((e) => e));
  const answers: unknown[] = [];
  for (const request of requests) answers.push(await request());
  expect(answers.slice(0, 60).filter((answer) => answer instanceof RateLimitExceededError)).toEqual([]);
  expect(answers[60]).toBeInstanceOf(RateLimitExceededError);
  expect(answers[60]).toMatchObject({ limit: 60, remaining: 0 });
});

it("got an answer for every method of the operations for content", () => {
  const own = methodsOf().filter((name) => isContentMethod(name) && !isCampaignMethod(name) && !isWorkflowMethod(name));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((name) => !used.has(name))).toEqual([]);
});
