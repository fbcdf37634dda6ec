import { beforeEach, describe, expect, it } from "vitest";
import { admin, arranged, createTeam, type Team } from "../../bench.ts";

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
    ...{ team, theme, footer, outer, email: json.id, draft: again.draftEmailMessageId },
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
    ...{ emailMessageId: made.published, kind: "transactional", id: made.email, name: "Receipt", state: "published" },
    ...{ waits: false, kept: null },
  },
  {
    ...{ emailMessageId: made.draft, kind: "transactional", id: made.email, name: "Receipt", state: "draft" },
    ...{ waits: false, kept: null },
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
      ...{ id: "upl_3", url: "https://mail.example.com/assets/pic_3.gif", contentType: "image/gif", bytes: 300 },
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
