import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const theme = async (styles: object = {}) => (await team.post("/themes", { name: "Brand", styles })).json.id as string;
const component = async (lmx: string, name = "Footer") =>
  (await team.post("/components", { name, lmx })).json.id as string;

const write = async (lmx: string) => {
  const { id, draftEmailMessageId: draft } = (await team.post("/transactional-emails", { name: "Mail" })).json;
  const fields = { subject: "Hello", fromName: "Acme", fromEmail: "hello", lmx };
  const answer = await team.post(`/email-messages/${draft}`, fields);
  expect(answer.status, answer.text).toBe(200);
  // Within the limit of the content operations.
  advance(3_000);
  return { id: id as string, draft: draft as string };
};
const publish = async (id: string) =>
  expect((await team.post(`/transactional-emails/${id}/publish`, {})).status).toBe(200);

const drawn = async (draft: string) => {
  const [row] = await team.rows(
    `SELECT r.compiled, p.compiled AS sent FROM email_messages m JOIN message_revisions r ON r.n = m.revision
     LEFT JOIN templates t ON t.n = m.template LEFT JOIN message_revisions p ON p.n = t.published WHERE m.id = '${draft}'`,
  );
  const html = (compiled: unknown) =>
    compiled == null ? undefined : (JSON.parse(String(compiled)) as { html: unknown[] }).html.join("");
  return { html: html(row?.compiled) ?? "", sent: html(row?.sent) };
};

const settle = async (): Promise<number> => {
  for (let runs = 1; runs < 200; runs++) {
    advance(2_000);
    expect(await runDurableObjectAlarm(team.stub)).toBe(true);
    const [{ waiting } = { waiting: 0 }] = await team.rows("SELECT count(*) AS waiting FROM stale_messages");
    if (waiting === 0) return runs;
  }
  throw new Error("messages wait for ever");
};

describe("a change of a theme", () => {
  it("reaches drafts and published messages, except values that a message sets itself", async () => {
    const id = await theme({ textLinkColor: "#111111", buttonBodyColor: "#222222" });
    const body =
      '<Button href="https://example.com">Go</Button><Paragraph><Link href="https://example.com">a</Link></Paragraph>';
    const published = await write(`<Style themeId="${id}" />${body}`);
    await publish(published.id);
    const own = await write(`<Style themeId="${id}" buttonBodyColor="#333333" />${body}`);
    const other = await write(body);
    const before = await drawn(other.draft);

    const { json } = await team.post(`/themes/${id}`, { styles: { buttonBodyColor: "#abcdef" } });
    expect(json).toMatchObject({ affectedEmailCount: 2, pendingEmailCount: 2 });
    expect((await drawn(published.draft)).sent).toContain("#222222");
    await settle();

    const after = await drawn(published.draft);
    expect(after.html).toContain("#abcdef");
    expect(after.html).not.toContain("#222222");
    expect(after.sent).toBe(after.html);
    const kept = (await drawn(own.draft)).html;
    expect([kept.includes("#333333"), kept.includes("#abcdef")]).toEqual([true, false]);
    expect(await drawn(other.draft)).toEqual(before);
    expect((await team.get(`/themes/${id}`)).json.pendingEmailCount).toBe(0);
  });

  it("changes neither the revision id of the author nor the time of the message", async () => {
    const id = await theme();
    const { draft } = await write(`<Style themeId="${id}" /><Paragraph>Hello</Paragraph>`);
    const before = (await team.get(`/email-messages/${draft}`)).json;
    await team.post(`/themes/${id}`, { styles: { textBaseColor: "#123456" } });
    await settle();
    expect((await team.get(`/email-messages/${draft}`)).json).toEqual(before);
    const edit = { subject: "Hi", expectedRevisionId: before.contentRevisionId };
    const after = (await team.post(`/email-messages/${draft}`, edit)).json;
    expect(after.contentRevisionId).not.toBe(before.contentRevisionId);
  });

  it("leaves a revision that was sent as it was", async () => {
    const id = await theme();
    const { id: email } = await write(`<Style themeId="${id}" /><Paragraph>Hello</Paragraph>`);
    await publish(email);
    await team.post("/transactional", { transactionalId: email, email: "ada@example.com" });
    const sent = () => team.rows("SELECT r.* FROM sends s JOIN message_revisions r ON r.n = s.revision");
    const before = await sent();
    expect(before).toHaveLength(1);
    await team.post(`/themes/${id}`, { styles: { textBaseColor: "#123456" } });
    await settle();
    expect(await sent()).toEqual(before);
    const [now] = await team.rows("SELECT published FROM templates WHERE published IS NOT NULL");
    expect(now?.published).not.toBe(before[0]?.n);
  });

  it("reaches messages that name no theme when it is the default theme", async () => {
    const [standard] = (await team.get("/themes")).json.data;
    expect(standard).toMatchObject({ isDefault: true, name: "Default" });
    const { draft } = await write("<H1>Hello</H1>");
    const named = await write(`<Style themeId="${await theme()}" /><H1>Hello</H1>`);
    const { json } = await team.post(`/themes/${standard.id}`, { styles: { heading1Color: "#13579b" } });
    expect(json.affectedEmailCount).toBe(1);
    await settle();
    expect((await drawn(draft)).html).toContain("#13579b");
    expect((await drawn(named.draft)).html).not.toContain("#13579b");
  });

  it("does not reach a message that another one has replaced", async () => {
    const id = await theme();
    const { id: email, draft: first } = await write(`<Style themeId="${id}" /><Paragraph>One</Paragraph>`);
    await publish(email);
    await team.post(`/transactional-emails/${email}/draft`, {});
    await publish(email);
    const before = await drawn(first);
    expect((await team.post(`/themes/${id}`, { styles: { textBaseColor: "#123456" } })).json.affectedEmailCount).toBe(
      1,
    );
    await settle();
    expect((await drawn(first)).html).toBe(before.html);
    expect((await drawn(first)).sent).toContain("#123456");
  });

  it("takes several runs of the alarm for many messages, and none for a change of the name", async () => {
    const id = await theme();
    for (let i = 0; i < 60; i++) await write(`<Style themeId="${id}" /><Paragraph>${i}</Paragraph>`);
    expect((await team.post(`/themes/${id}`, { name: "New" })).json).toMatchObject({
      name: "New",
      affectedEmailCount: 0,
      pendingEmailCount: 0,
    });
    await team.post(`/themes/${id}`, { styles: { textBaseColor: "#123456" } });
    expect(await settle()).toBe(2);
  });
});

describe("a change of a component", () => {
  it("reaches messages that use it, also through another component", async () => {
    const inner = await component("<Paragraph>1 Main Street</Paragraph>", "Address");
    const outer = await component(`<Divider /><Section><Component componentId="${inner}" /></Section>`);
    const { draft, id } = await write(`<Paragraph>Hello</Paragraph><Component componentId="${outer}" />`);
    await publish(id);
    const { json } = await team.post(`/components/${inner}`, { lmx: "<Paragraph>2 Side Street</Paragraph>" });
    expect(json).toMatchObject({ name: "Address", affectedEmailCount: 1, pendingEmailCount: 1 });
    await settle();
    const { html, sent } = await drawn(draft);
    expect([html.includes("2 Side Street"), html.includes("1 Main Street")]).toEqual([true, false]);
    expect(sent).toBe(html);
  });

  it("that messages cannot be sent with is refused with their names, and changes nothing", async () => {
    const id = await component("<Paragraph>Hello</Paragraph>");
    const live = await write(`<Component componentId="${id}" />`);
    await publish(live.id);
    const other = await write(`<H1>Hi</H1><Component componentId="${id}" />`);
    await write(`<Component componentId="${id}"><Paragraph>Mine</Paragraph></Component>`);
    const before = await team.everything();
    const change = { lmx: "<Paragraph>{contact.firstName}</Paragraph>" };
    const { status, json } = await team.post(`/components/${id}`, change);
    expect([status, json.code, json.path]).toEqual([422, "breaks_messages", "lmx"]);
    const reason = expect.stringMatching(/^lmx:1:\d+: .*\{contact\.firstName\} is not available in transactional mail/);
    expect(json.brokenEmails).toEqual([
      { transactionalId: live.id, emailMessageId: live.draft, name: "Mail", reason },
      { transactionalId: other.id, emailMessageId: other.draft, name: "Mail", reason },
    ]);
    expect(json).toMatchObject({ checkedEmailCount: 2, affectedEmailCount: 2 });
    expect(json.message).toMatch(/^lmx: 2 of 2 messages that were checked could not be sent with this content\./);
    expect(await team.everything()).toBe(before);
  });

  it("that gets too deep for a message that uses it through others is refused", async () => {
    const nested = (id: string) => `<Section><Component componentId="${id}" /></Section>`;
    const inner = await component("<Paragraph>Hello</Paragraph>");
    let outer = inner;
    for (let depth = 0; depth < 3; depth++) outer = await component(nested(outer));
    const { id: email } = await write(`<Component componentId="${outer}" />`);
    const more = await component("<Paragraph>More</Paragraph>");
    const { status, json } = await team.post(`/components/${inner}`, { lmx: nested(more) });
    expect([status, json.code, json.brokenEmails?.[0].transactionalId]).toEqual([422, "breaks_messages", email]);
  });

  it("cannot stop mail: a published message with a new variable needs a fallback before", async () => {
    const id = await component("<Paragraph>Hello</Paragraph>");
    const { id: email } = await write(`<Component componentId="${id}" />`);
    const send = () => team.post("/transactional", { transactionalId: email, email: "ada@example.com" });
    await publish(email);
    const change = { lmx: "<Paragraph>Hello {data.newOne}</Paragraph>" };
    const { status, json } = await team.post(`/components/${id}`, change);
    expect([status, json.code, json.brokenEmails]).toEqual([
      422,
      "breaks_messages",
      [expect.objectContaining({ transactionalId: email, reason: expect.stringContaining("{data.newOne}") })],
    ]);
    expect((await send()).status).toBe(200);

    const { draftEmailMessageId: draft } = (await team.post(`/transactional-emails/${email}/draft`, {})).json;
    await team.post(`/email-messages/${draft}`, { dataVariablesFallbacks: { newOne: "friend" } });
    await publish(email);
    expect((await team.post(`/components/${id}`, change)).status).toBe(200);
    await settle();
    expect((await team.get(`/transactional-emails/${email}`)).json.dataVariables).toEqual(["newOne"]);
    expect((await send()).status).toBe(200);
  });

  it("may add a variable to a draft, and one that the published message needs already", async () => {
    const id = await component("<Paragraph>Hello</Paragraph>");
    await write(`<Component componentId="${id}" />`);
    const live = await write(`<Paragraph>{data.name}</Paragraph><Component componentId="${id}" />`);
    await publish(live.id);
    const change = { lmx: "<Paragraph>Hello {data.name}</Paragraph>" };
    expect((await team.post(`/components/${id}`, change)).status).toBe(200);
  });
});

describe("a message that could not be checked before its component was changed, and cannot be sent with it", () => {
  const SEND = { emails: ["ada@example.com"] };
  /** A published message with a component that changes after too many other checks. */
  const crowd = async (lmx: string) => {
    const part = await component("<Paragraph>Old</Paragraph>");
    const first = await write(`<Component componentId="${part}" />`);
    await publish(first.id);
    await team.run(`UPDATE components SET lmx = '${lmx}' WHERE id = '${part}'`);
    await team.run(`INSERT INTO stale_messages SELECT message FROM message_uses WHERE used = '${part}'`);
    await runInDurableObject(team.stub, (_, { storage }) => storage.setAlarm(Date.now() + 1_000));
    return { part, ...first };
  };

  it("is found by the alarm when 20 others have been checked", async () => {
    const part = await component("<Paragraph>Old</Paragraph>");
    const first = await write(`<Component componentId="${part}" />`);
    await publish(first.id);
    for (let n = 0; n < 20; n++) {
      const { id, draft } = await write(`<Component componentId="${part}" />`);
      await team.post(`/email-messages/${draft}`, { dataVariablesFallbacks: { newOne: "friend" } });
      await publish(id);
      advance(3_000);
    }
    const { status, json } = await team.post(`/components/${part}`, { lmx: "<Paragraph>{data.newOne}</Paragraph>" });
    expect([status, json.affectedEmailCount, json.pendingEmailCount, json.failedEmailCount]).toEqual([200, 21, 21, 0]);
    await settle();
    expect((await team.get(`/components/${part}`)).json).toMatchObject({ pendingEmailCount: 0, failedEmailCount: 1 });
    expect((await drawn(first.draft)).sent).toContain("Old");
  });

  it.each([
    ["{contact.firstName}", "{contact.firstName} is not available in transactional mail"],
    ["{data.newOne}", "would need {data.newOne}"],
  ])("keeps its content and says so: %s", async (variable, reason) => {
    const { part, id, draft } = await crowd(`<Paragraph>New ${variable}</Paragraph>`);
    await settle();
    const counts = { pendingEmailCount: 0, failedEmailCount: 1 };
    expect((await team.get(`/components/${part}`)).json).toMatchObject(counts);
    expect((await team.get("/components")).json.data).toMatchObject([counts]);
    const kept = { rule: "mailspan.changeNotTaken", severity: "warning", path: "lmx" };
    const { warnings } = (await team.get(`/email-messages/${draft}`)).json;
    expect(warnings[0]).toEqual({ ...kept, message: expect.stringContaining(reason) });
    const verdict = (await team.get(`/email-messages/${draft}/guardian`)).json;
    expect(verdict.warnings[0]).toMatchObject({ rule: kept.rule, items: [{ fix: warnings[0].message }] });
    const send = { transactionalId: id, email: "ada@example.com" };
    expect((await team.post("/transactional", send)).status).toBe(200);
    expect((await team.post(`/email-messages/${draft}/preview`, SEND)).status).toBe(200);
    expect((await drawn(draft)).sent).toContain("Old");

    expect((await team.post(`/components/${part}`, { lmx: "<Paragraph>Newer</Paragraph>" })).status).toBe(200);
    await settle();
    expect((await team.get(`/components/${part}`)).json.failedEmailCount).toBe(0);
    expect((await team.get(`/email-messages/${draft}`)).json.warnings).toBeUndefined();
    expect((await drawn(draft)).sent).toContain("Newer");
  });

  it("is fixed by an edit: the draft of it cannot be previewed or published before", async () => {
    const { part, id } = await crowd("<Paragraph>New {contact.firstName}</Paragraph>");
    await settle();
    const { draftEmailMessageId: draft } = (await team.post(`/transactional-emails/${id}/draft`, {})).json;
    const refused = await team.post(`/transactional-emails/${id}/publish`, {});
    expect([refused.status, refused.json.code]).toEqual([422, "invalid_content"]);
    const preview = () => team.post(`/email-messages/${draft}/preview`, SEND);
    const { status, json } = await preview();
    expect([status, json.code, json.path]).toEqual([400, "draft_not_sendable", "emailMessageId"]);
    expect(json.message).toContain("{contact.firstName}");
    expect((await team.post(`/email-messages/${draft}`, { lmx: "<Paragraph>Mine</Paragraph>" })).status).toBe(200);
    expect((await preview()).status).toBe(200);
    await publish(id);
    expect((await drawn(draft)).sent).toContain("Mine");
    await settle();
    expect((await team.get(`/components/${part}`)).json.failedEmailCount).toBe(0);
  });

  it("takes a new variable when its author publishes a draft", async () => {
    const { part, id } = await crowd("<Paragraph>New {data.newOne}</Paragraph>");
    await settle();
    const { draftEmailMessageId: draft } = (await team.post(`/transactional-emails/${id}/draft`, {})).json;
    const { warnings } = (await team.get(`/email-messages/${draft}/guardian`)).json;
    expect(warnings.map(({ rule }: { rule: string }) => rule)).toContain("missingRequiredDataVariables");
    await publish(id);
    expect((await team.get(`/transactional-emails/${id}`)).json.dataVariables).toEqual(["newOne"]);
    await settle();
    expect((await team.get(`/transactional-emails/${id}`)).json.dataVariables).toEqual(["newOne"]);
    expect((await team.get(`/components/${part}`)).json.failedEmailCount).toBe(0);
  });
});

it("a preview of a draft that waits to be compiled has the newest component, as the guardian has", async () => {
  const id = await component("<Paragraph>Old</Paragraph>");
  const { draft } = await write(`<Component componentId="${id}" />`);
  await team.post(`/components/${id}`, { lmx: "<Paragraph>New</Paragraph>" });
  expect((await team.post(`/email-messages/${draft}/preview`, { emails: ["ada@example.com"] })).status).toBe(200);
  expect((await drawn(draft)).html).toContain("New");
  expect((await team.get(`/components/${id}`)).json.pendingEmailCount).toBe(0);
});

describe("themes", () => {
  it("show all values, and null sets one back", async () => {
    const created = await team.post("/themes", {
      name: "Brand",
      styles: { bodyXPadding: 32, textLinkColor: "#4f46e5" },
    });
    expect([created.status, created.json.isDefault]).toEqual([201, false]);
    expect(created.json.styles).toMatchObject({ bodyXPadding: 32, textLinkColor: "#4f46e5", heading1FontSize: 28 });
    const { json } = await team.post(`/themes/${created.json.id}`, { styles: { bodyXPadding: null } });
    expect(json.styles).toMatchObject({ bodyXPadding: 40, textLinkColor: "#4f46e5" });
    expect((await team.post(`/themes/${json.id}`, { styles: json.styles })).json.styles).toEqual(json.styles);
  });

  it.each([
    ["styles.wobble", { wobble: 1 }],
    ["styles.bodyColor", { bodyColor: "reddish" }],
    ["styles.bodyXPadding", { bodyXPadding: "32" }],
    ["styles.bodyXPadding", { bodyXPadding: 1e9 }],
    ["styles.__proto__", JSON.parse('{"__proto__": 1}')],
  ])("refuse %s %j", async (path, styles) => {
    const before = await team.everything();
    for (const answer of [
      await team.post("/themes", { name: "Brand", styles }),
      await team.post(`/themes/${(await team.get("/themes")).json.data[0].id}`, { styles }),
    ])
      expect([answer.status, answer.json.path], answer.text).toEqual([400, path]);
    expect(await team.everything()).toBe(before);
  });

  it("that do not exist are 404, and so are those in a document 422", async () => {
    expect((await team.get("/themes/thm_none")).json).toMatchObject({ code: "theme_not_found", path: "themeId" });
    expect((await team.post("/themes/thm_none", { name: "A" })).status).toBe(404);
    const { draftEmailMessageId: draft } = (await team.post("/transactional-emails", { name: "Mail" })).json;
    const { status, json } = await team.post(`/email-messages/${draft}`, { lmx: '<Style themeId="thm_none" />' });
    expect([status, json.errors[0].rule]).toEqual([422, "unknown_theme"]);
  });
});

describe("components", () => {
  it("are refused with every error and its place, and so is a cycle", async () => {
    const bad = await team.post("/components", {
      name: "A",
      lmx: "<Paragraph>a</Paragraph>\n<Blink>b</Blink><Wobble />",
    });
    expect([bad.status, bad.json.code, bad.json.path]).toEqual([422, "invalid_content", "lmx"]);
    expect(bad.json.errors.map(({ path }: { path: string }) => path)).toEqual(["lmx:2:1", "lmx:2:17"]);
    const id = await component("<Paragraph>a</Paragraph>");
    const cycle = await team.post(`/components/${id}`, { lmx: `<Component componentId="${id}" />` });
    expect([cycle.status, cycle.json.errors[0].rule]).toEqual([422, "component_cycle"]);
    const large = await team.post("/components", { name: "A", lmx: `<Paragraph>${"x".repeat(100_000)}</Paragraph>` });
    expect([large.status, large.json.path]).toEqual([413, "lmx"]);
    expect((await team.get("/components/cmp_none")).json).toMatchObject({ code: "component_not_found" });
    expect((await team.post("/components/cmp_none", { name: "A" })).status).toBe(404);
  });

  it("are listed newest first", async () => {
    const first = await component("<Paragraph>a</Paragraph>", "A");
    const second = await component("<Paragraph>b</Paragraph>", "B");
    expect((await team.get("/components")).json.data).toEqual([
      { id: second, name: "B", lmx: "<Paragraph>b</Paragraph>", pendingEmailCount: 0, failedEmailCount: 0 },
      { id: first, name: "A", lmx: "<Paragraph>a</Paragraph>", pendingEmailCount: 0, failedEmailCount: 0 },
    ]);
  });
});
