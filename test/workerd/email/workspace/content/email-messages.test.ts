import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
let id: string;
let path: string;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  const { json } = await team.post("/transactional-emails", { name: "Order shipped" });
  id = json.id;
  path = `/email-messages/${json.draftEmailMessageId}`;
});

const content = {
  subject: "Order {data.number}",
  fromName: "Acme",
  fromEmail: "orders",
  replyToEmail: "help@example.com",
  lmx: "<Paragraph>Hello {data.name}, order {data.number} is on its way.</Paragraph>",
};
const publish = () => team.post(`/transactional-emails/${id}/publish`, {});
const send = (dataVariables: Record<string, string>) =>
  team.post("/transactional", { transactionalId: id, email: "ada@example.com", dataVariables });

describe("a new transactional email", () => {
  it("is a draft with an empty message, in its group", async () => {
    const group = (await team.post("/transactional-groups", { name: "Orders" })).json;
    const { status, json } = await team.post("/transactional-emails", { name: "A", transactionalGroupId: group.id });
    expect([status, json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^tpl_[0-9a-z]{20}$/),
        name: "A",
        transactionalGroupId: group.id,
        url: `http://localhost/v1/transactional-emails/${json.id}`,
        draftEmailMessageId: expect.stringMatching(/^msg_/),
        publishedEmailMessageId: null,
        dataVariables: [],
        draftEmailMessageContentRevisionId: expect.stringMatching(/^rev_\d+$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const message = (await team.get(`/email-messages/${json.draftEmailMessageId}`)).json;
    expect(message).toEqual({
      id: json.draftEmailMessageId,
      transactionalId: json.id,
      subject: "",
      previewText: "",
      lmx: "",
      fromName: "",
      fromEmail: "",
      replyToEmail: "",
      ccEmail: "",
      bccEmail: "",
      languageCode: "",
      emailFormat: "styled",
      contentRevisionId: json.draftEmailMessageContentRevisionId,
      updatedAt: expect.any(String),
      contactPropertiesFallbacks: {},
      eventPropertiesFallbacks: {},
      dataVariablesFallbacks: {},
      warnings: [{ rule: "empty_document", severity: "warning", message: expect.any(String), path: "lmx:1:1" }],
    });
  });

  it("is renamed and moved to another group", async () => {
    const group = (await team.post("/transactional-groups", { name: "Orders" })).json.id;
    await team.post(`/transactional-emails/${id}`, { transactionalGroupId: group });
    expect((await team.post(`/transactional-emails/${id}`, { name: "Sent" })).json).toMatchObject({
      name: "Sent",
      transactionalGroupId: group,
    });
    for (const body of [{}, { name: "" }])
      expect((await team.post(`/transactional-emails/${id}`, body)).json).toMatchObject({ path: "name" });
    const other = (await team.post("/campaign-groups", { name: "News" })).json.id;
    expect(await team.post(`/transactional-emails/${id}`, { transactionalGroupId: other })).toMatchObject({
      status: 404,
      json: { code: "group_not_found", path: "transactionalGroupId" },
    });
  });

  it("is not created in a group that does not exist", async () => {
    const before = await team.everything();
    const answer = await team.post("/transactional-emails", { name: "A", transactionalGroupId: "grp_none" });
    expect([answer.status, answer.json.code]).toEqual([404, "group_not_found"]);
    expect(await team.everything()).toBe(before);
  });
});

describe("writing, publishing and sending", () => {
  it("sends what was published, with its Reply-To", async () => {
    expect((await team.post(path, content)).json).toMatchObject({ ...content, transactionalId: id });
    expect((await send({ name: "Ada", number: "7" })).json.code).toBe("template_not_published");
    const published = await publish();
    expect(published.json).toMatchObject({
      draftEmailMessageId: null,
      publishedEmailMessageId: path.split("/")[2],
      dataVariables: ["number", "name"],
    });
    expect((await team.get("/transactional")).json.data.map((one: { id: string }) => one.id)).toContain(id);
    expect((await send({ name: "Ada", number: "7" })).status).toBe(200);
  });

  it("changes a copy until the copy is published", async () => {
    await team.post(path, content);
    await publish();
    const draft = (await team.post(`/transactional-emails/${id}/draft`, {})).json;
    expect(draft.draftEmailMessageId).not.toBe(draft.publishedEmailMessageId);
    expect((await team.post(`/transactional-emails/${id}/draft`, {})).json).toEqual(draft);
    const copy = (await team.get(`/email-messages/${draft.draftEmailMessageId}`)).json;
    expect(copy).toMatchObject(content);
    await team.post(`/email-messages/${draft.draftEmailMessageId}`, { lmx: "<H1>Shipped: {data.number}</H1>" });
    expect((await team.get(`/transactional-emails/${id}`)).json.dataVariables).toEqual(["number", "name"]);
    expect((await publish()).json).toMatchObject({
      publishedEmailMessageId: draft.draftEmailMessageId,
      draftEmailMessageId: null,
      dataVariables: ["number"],
    });
    expect((await team.get(path)).json).toMatchObject(content);
  });

  it("publishes neither twice nor what lacks a subject, a sender or a text", async () => {
    const { status, json } = await publish();
    expect([status, json.code, json.path]).toEqual([422, "invalid_content", "subject"]);
    expect(json.errors.map(({ path, rule }: { path: string; rule: string }) => [path, rule])).toEqual([
      ...["subject", "fromName", "fromEmail"].map((field) => [field, "mailspan.emptyFields"]),
      ["lmx:1:1", "mailspan.emptyFields"],
    ]);
    expect(json.message).toBe("subject: is required to publish (3 more in errors)");
    await team.post(path, content);
    await publish();
    const again = await publish();
    expect([again.status, again.json.code]).toEqual([409, "no_draft"]);
  });

  it("uses a fallback where a send gives no value, and removes one that is null", async () => {
    await team.post(path, { ...content, dataVariablesFallbacks: { name: "there", number: "?" } });
    const { json } = await team.post(path, { dataVariablesFallbacks: { number: null } });
    expect(json.dataVariablesFallbacks).toEqual({ name: "there" });
    await publish();
    expect((await send({})).json.message).toContain("number");
    expect((await send({ number: "7" })).status).toBe(200);
    const [row] = await team.rows("SELECT variables FROM sends ORDER BY n DESC LIMIT 1");
    const settled = row?.variables === null;
    if (!settled) expect(JSON.parse(String(row?.variables))).toEqual({ "data.name": "there", "data.number": "7" });
  });
});

describe("the lock", () => {
  it("refuses an edit of a revision that is not the current one, and names that one", async () => {
    const first = (await team.get(path)).json.contentRevisionId;
    const second = (await team.post(path, { subject: "One", expectedRevisionId: first })).json.contentRevisionId;
    expect(second).not.toBe(first);
    const { status, json } = await team.post(path, { subject: "Two", expectedRevisionId: first });
    expect([status, json.code, json.path, json.contentRevisionId]).toEqual([
      409,
      "revision_conflict",
      "expectedRevisionId",
      second,
    ]);
    expect(json.message).toContain(second);
    expect((await team.get(path)).json).toMatchObject({ subject: "One", contentRevisionId: second });
    expect((await team.post(path, { subject: "Three" })).status).toBe(200);
  });

  it("makes no revision where nothing changes", async () => {
    const before = await team.post(path, content);
    const after = await team.post(path, { subject: content.subject });
    expect(after.json).toEqual(before.json);
  });

  it("refuses to edit what is published", async () => {
    await team.post(path, content);
    await publish();
    const { status, json } = await team.post(path, { subject: "Changed" });
    expect([status, json.code]).toEqual([409, "message_published"]);
    expect(json.message).toContain(`/transactional-emails/${id}/draft`);
  });
});

describe("content that is refused", () => {
  it.each([
    ["lmx", { lmx: "<Paragraph>Hello {name}</Paragraph>" }, "lmx:1:18", "unprefixed_variable"],
    ["lmx", { lmx: "<H1>Hello</H1>\n<Paragraph>" }, /^lmx:\d+:\d+$/, expect.any(String)],
    ["subject", { subject: "Hello\nworld" }, "subject", "line_break"],
    ["fromName", { fromName: "{contact.name}" }, "fromName", "wrong_namespace"],
  ])("has an error in %s", async (field, body, place, rule) => {
    const before = await team.everything();
    const { status, json } = await team.post(path, body);
    expect([status, json.code, json.path]).toEqual([422, "invalid_content", field]);
    expect(json.errors[0]).toEqual({
      rule,
      path: typeof place === "string" ? place : expect.stringMatching(place),
      message: expect.any(String),
    });
    expect(json.message.startsWith(`${json.errors[0].path}: `)).toBe(true);
    expect(await team.everything()).toBe(before);
  });

  it.each([
    [400, "fromEmail", { fromEmail: "me@example.com" }],
    [400, "fromEmail", { fromEmail: "a b" }],
    [400, "replyToEmail", { replyToEmail: "no address" }],
    [400, "ccEmail", { ccEmail: "no address" }],
    [400, "bccEmail", { bccEmail: "no address" }],
    [400, "languageCode", { languageCode: "English (UK)" }],
    [400, "emailFormat", { emailFormat: "html" }],
    [400, "dataVariablesFallbacks.a", { dataVariablesFallbacks: { a: 1 } }],
    [413, "lmx", { lmx: `<Paragraph>${"ü".repeat(50_000)}</Paragraph>` }],
  ])("is %i at %s", async (status, field, body) => {
    const before = await team.everything();
    const answer = await team.post(path, body);
    expect([answer.status, answer.json.path]).toEqual([status, field]);
    expect(await team.everything()).toBe(before);
  });

  it("shows warnings, and saves", async () => {
    const { status, json } = await team.post(path, { lmx: '<Paragraph wobble="1">Hello</Paragraph>' });
    expect(status).toBe(200);
    expect(json.warnings).toEqual([
      { rule: expect.any(String), severity: "warning", message: expect.stringContaining("wobble"), path: "lmx:1:12" },
    ]);
    expect((await team.get(path)).json.warnings).toEqual(json.warnings);
  });
});
