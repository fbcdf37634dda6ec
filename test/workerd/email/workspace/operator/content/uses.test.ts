import { beforeEach, describe, expect, it } from "vitest";
import { admin, arranged, createTeam, type Team } from "../../../bench.ts";

const FILE = "pic_00000000000000000001.png";

type Made = {
  team: Team;
  theme: string;
  footer: string;
  outer: string;
  email: string;
  draft: string;
  published: string;
};

const arrangement = arranged(async (): Promise<Made> => {
  const team = await createTeam();
  const idOf = async (path: string, body: unknown): Promise<string> => {
    const { status, json, text } = await team.post(path, body);
    expect(status, text).toBe(201);
    return json.id;
  };
  const theme = await idOf("/themes", { name: "Brand" });
  const footer = await idOf("/components", { name: "Footer", lmx: "<Paragraph>Acme</Paragraph>" });
  const outer = await idOf("/components", {
    name: "Outer",
    lmx: `<Section><Component componentId="${footer}" /></Section>`,
  });
  const { json } = await team.post("/transactional-emails", { name: "Receipt" });
  const write = (id: string, lmx: string) =>
    team.post(`/email-messages/${id}`, { subject: "Receipt", fromName: "Acme", fromEmail: "hello", lmx });
  const lmx = `<Style themeId="${theme}" />\n<Paragraph>Hi</Paragraph><Component componentId="${outer}" /><Image src="https://mail.example.com/assets/${FILE}" alt="Logo" />`;
  const saved = await write(json.draftEmailMessageId, lmx);
  expect(saved.status, saved.text).toBe(200);
  const published = await team.post(`/transactional-emails/${json.id}/publish`, undefined);
  expect(published.status, published.text).toBe(200);
  const { json: again } = await team.post(`/transactional-emails/${json.id}/draft`, undefined);
  await team.run(
    `INSERT INTO uploads (n, id, file, content_type, size, arrived_at, completed_at) VALUES (1, 'upl_1', '${FILE}', 'image/png', 100, 1, 1)`,
  );
  return {
    team,
    theme,
    footer,
    outer,
    email: json.id,
    draft: again.draftEmailMessageId,
    published: published.json.publishedEmailMessageId,
  };
});
let made: Made;
beforeEach(() => {
  made = arrangement();
});

const usage = async (path: string) => {
  const { status, json, text } = await made.team.admin("GET", `${path}/usage`);
  expect(status, text).toBe(200);
  return json as { total: number; data: object[]; components: { id: string; name: string }[] };
};

const both = () => [
  {
    emailMessageId: made.published,
    kind: "transactional",
    id: made.email,
    name: "Receipt",
    state: "published",
    waits: false,
    kept: null,
  },
  {
    emailMessageId: made.draft,
    kind: "transactional",
    id: made.email,
    name: "Receipt",
    state: "draft",
    waits: false,
    kept: null,
  },
];

describe("the usage of a theme", () => {
  it("names the messages with it, those that are sent first", async () => {
    expect(await usage(`/themes/${made.theme}`)).toEqual({ total: 2, data: both(), components: [] });
  });

  it("says which messages wait, and counts as many as a change says it reaches", async () => {
    const { json } = await made.team.post(`/themes/${made.theme}`, { styles: { bodyColor: "#eeeeee" } });
    const { total, data } = await usage(`/themes/${made.theme}`);
    expect([total, data]).toEqual([json.affectedEmailCount, both().map((one) => ({ ...one, waits: true }))]);
  });

  it("is empty for a theme that nothing uses", async () => {
    const { json } = await made.team.post("/themes", { name: "Unused" });
    expect(await usage(`/themes/${json.id}`)).toEqual({ total: 0, data: [], components: [] });
  });

  it("is refused for a theme that is not there", async () => {
    const { status, json } = await made.team.admin("GET", "/themes/thm_none/usage");
    expect([status, json.code]).toEqual([404, "theme_not_found"]);
    expect((await admin("GET", "/admin/teams/ghost/themes/thm_1/usage")).status).toBe(404);
  });
});

describe("the usage of a component", () => {
  it("names the messages with it, also through another component, and the components that name it", async () => {
    const components = [{ id: made.outer, name: "Outer" }];
    expect(await usage(`/components/${made.footer}`)).toEqual({ total: 2, data: both(), components });
    expect((await usage(`/components/${made.outer}`)).components).toEqual([]);
  });

  it("leaves out campaigns that were sent, which a change does not reach", async () => {
    const { json } = await made.team.post("/campaigns", { name: "Spring" });
    const saved = await made.team.post(`/email-messages/${json.emailMessageId}`, {
      lmx: `<Component componentId="${made.footer}" />`,
    });
    expect(saved.status, saved.text).toBe(200);
    const names = async () =>
      (await usage(`/components/${made.footer}`)).data.map((one) => (one as { kind: string }).kind);
    expect(await names()).toEqual(["transactional", "campaign", "transactional"]);
    await made.team.run("UPDATE campaigns SET status = 'Sent'");
    expect(await names()).toEqual(["transactional", "transactional"]);
  });

  it("is refused for a component that is not there", async () => {
    const { status, json } = await made.team.admin("GET", "/components/cmp_none/usage");
    expect([status, json.code]).toEqual([404, "component_not_found"]);
  });
});

describe("uploads", () => {
  it("are listed with their public addresses, newest first, page by page", async () => {
    for (const n of [2, 3])
      await made.team.run(
        `INSERT INTO uploads (n, id, file, content_type, size, arrived_at, completed_at)
         VALUES (${n}, 'upl_${n}', 'pic_${n}.gif', 'image/gif', ${n}00, 1, ${n}000)`,
      );
    const { json } = await made.team.admin("GET", "/uploads?perPage=10&cursor=");
    expect(json.data?.map(({ id }: { id: string }) => id)).toEqual(["upl_3", "upl_2", "upl_1"]);
    expect(json.data[0]).toEqual({
      id: "upl_3",
      url: "https://mail.example.com/assets/pic_3.gif",
      contentType: "image/gif",
      bytes: 300,
      completedAt: "1970-01-01T00:00:03.000Z",
    });
  });

  it("that are pending or deleted are not listed", async () => {
    await made.team.post("/uploads", { contentType: "image/png", contentLength: 100 });
    await made.team.admin("DELETE", "/uploads/upl_1");
    expect((await made.team.admin("GET", "/uploads")).json).toEqual({ data: [], next: null });
    expect((await made.team.admin("GET", "/uploads/upl_1/usage")).status).toBe(404);
  });

  it("are refused with a cursor that no list gave", async () => {
    const { status, json } = await made.team.admin("GET", "/uploads?cursor=nonsense");
    expect([status, json.path]).toEqual([400, "cursor"]);
  });

  it("are used by the messages and components with the file, sent campaigns too: their mails show it", async () => {
    const lmx = `<Image src="https://mail.example.com/assets/${FILE}" alt="Logo" />`;
    await made.team.post("/components", { name: "Logo", lmx });
    const { json } = await made.team.post("/campaigns", { name: "Spring" });
    await made.team.post(`/email-messages/${json.emailMessageId}`, { lmx });
    await made.team.run("UPDATE campaigns SET status = 'Sent'");
    const { total, data, components } = await usage("/uploads/upl_1");
    expect(total).toBe(3);
    expect(data).toContainEqual(expect.objectContaining({ kind: "campaign", name: "Spring", state: "Sent" }));
    expect(components.map(({ name }) => name)).toEqual(["Logo"]);
  });
});

describe("a theme or component", () => {
  const remove = (path: string) => made.team.admin("DELETE", path);
  const names = async (path: string): Promise<string[]> =>
    ((await made.team.get(path)).json.data as { id: string }[]).map(({ id }) => id);

  it("that is in use is not deleted, and the refusal names what uses it", async () => {
    const theme = await remove(`/themes/${made.theme}`);
    expect([theme.status, theme.json.code, theme.json.path]).toEqual([409, "theme_in_use", "themeId"]);
    expect(theme.json.message).toBe(
      'The theme "Brand" is in use by transactional email "Receipt", transactional email "Receipt". Take it out of their content first.',
    );
    expect(theme.json).toMatchObject({ total: 2, data: both(), components: [] });
    const outer = await remove(`/components/${made.outer}`);
    expect([outer.status, outer.json.code, outer.json.path]).toEqual([409, "component_in_use", "componentId"]);
    expect((await names("/themes")).length).toBe(2);
    expect((await names("/components")).length).toBe(2);
  });

  it("is in use by a component that names it, also while no message has that", async () => {
    const { json: inner } = await made.team.post("/components", { name: "Inner", lmx: "<Paragraph>x</Paragraph>" });
    const lmx = `<Section><Component componentId="${inner.id}" /></Section>`;
    const { json: around } = await made.team.post("/components", { name: "Around", lmx });
    const refused = await remove(`/components/${inner.id}`);
    expect(refused.json).toMatchObject({
      code: "component_in_use",
      message: 'The component "Inner" is in use by component "Around". Take it out of their content first.',
      components: [{ id: around.id, name: "Around" }],
    });
    for (const { id } of [around, inner]) {
      const { status, json } = await remove(`/components/${id}`);
      expect([status, json]).toEqual([200, { success: true }]);
      expect((await made.team.get(`/components/${id}`)).status).toBe(404);
    }
  });

  it("is deleted once nothing uses it; a revision that named it can be looked at, and is restored without it only", async () => {
    for (const id of [made.draft]) {
      const { status, text } = await made.team.post(`/email-messages/${id}`, { lmx: "<Paragraph>Plain</Paragraph>" });
      expect(status, text).toBe(200);
    }
    expect((await remove(`/themes/${made.theme}`)).json).toMatchObject({ code: "theme_in_use", total: 1 });
    await made.team.post(`/transactional-emails/${made.email}/publish`, undefined);
    expect((await remove(`/themes/${made.theme}`)).json).toEqual({ success: true });
    expect((await remove(`/components/${made.outer}`)).json).toEqual({ success: true });
    const { json } = await made.team.admin("GET", `/email-messages/${made.draft}/revisions`);
    const old = (json.data as { id: string; isCurrent: boolean }[]).at(-1);
    const shown = await made.team.admin("GET", `/email-messages/${made.draft}/revisions/${old?.id}`);
    expect(shown.status).toBe(200);
    expect((await remove(`/themes/${made.theme}`)).json.code).toBe("theme_not_found");
    expect((await remove(`/components/${made.outer}`)).json.code).toBe("component_not_found");
  });

  it("of messages that name none is not deleted", async () => {
    const [byDefault] = ((await made.team.get("/themes")).json.data as { id: string; isDefault: boolean }[]).filter(
      ({ isDefault }) => isDefault,
    );
    const { status, json } = await remove(`/themes/${byDefault?.id}`);
    expect([status, json.code]).toEqual([409, "default_theme"]);
  });

  it("of another team is not there", async () => {
    const other = await createTeam({ id: "other" });
    for (const path of [`/themes/${made.theme}`, `/components/${made.outer}`])
      expect((await other.admin("DELETE", path)).status).toBe(404);
    expect((await made.team.get(`/themes/${made.theme}`)).status).toBe(200);
  });
});
