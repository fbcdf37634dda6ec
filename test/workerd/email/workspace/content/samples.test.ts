import { describe, expect, it, vi } from "vitest";
import { admin, createTeam, isolated, request, type Team } from "../../bench.ts";

isolated();

const THEMES = ["thm_calm", "thm_bold"];
const TEMPLATES = [
  "tpl_welcome",
  "tpl_magic_link",
  "tpl_password_reset",
  "tpl_security_notice",
  "tpl_invitation",
  "tpl_receipt",
  "tpl_payment_failed",
  "tpl_trial_ending",
  "tpl_cancellation",
  "tpl_ended_unpaid",
];
type Sample = { id: string; added: boolean };

const themesOf = async (team: Team): Promise<{ id: string; name: string; isDefault: boolean }[]> =>
  (await team.get("/themes")).json.data;
const messageOf = async (team: Team, id: string) => {
  const { json } = await team.get(`/transactional-emails/${id}`);
  return (await team.get(`/email-messages/${json.publishedEmailMessageId}`)).json;
};
const captured = () =>
  vi.waitFor(async () => {
    const { mails } = (await request("GET", "/inbox.json")).json;
    expect(mails).toHaveLength(1);
    return (await request("GET", `/inbox/${mails[0].id}.json`)).json;
  });

describe("the samples of a new team", () => {
  it("are two themes and ten published templates, which use the team's default theme and its name", async () => {
    const team = await createTeam({ name: "Globex", samples: true });
    expect(await themesOf(team)).toMatchObject([
      { id: "thm_bold", name: "Bold", isDefault: false },
      { id: "thm_calm", name: "Calm", isDefault: true },
    ]);
    const { json } = await team.get("/transactional-emails");
    expect(json.data.map(({ id }: Sample) => id)).toEqual(TEMPLATES);
    for (const id of TEMPLATES) {
      const message = await messageOf(team, id);
      expect(message.warnings).toBeUndefined();
      expect(message.dataVariablesFallbacks.company).toBe("Globex");
    }
    const { json: theme } = await team.post("/themes/thm_calm", { styles: { buttonBodyColor: "#0f766e" } });
    expect(theme.affectedEmailCount).toBe(TEMPLATES.length);
  });

  it("can be sent with no other values than a rule gives", async () => {
    const team = await createTeam({ name: "Globex", samples: true });
    const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
    expect((await team.post("/transactional", mail)).status).toBe(200);
    const { headers, html, text } = await captured();
    expect(headers).toMatchObject({ From: '"Globex" <hello@mailspan.localhost>', Subject: "Welcome to Globex" });
    expect(html).toContain('href="https://example.com"');
    expect(text).toContain("Hi Ada, your account is ready.");
  });
});

describe("POST /admin/teams/{team}/samples", () => {
  it("gives a team without messages the same as a new one", async () => {
    const team = await createTeam();
    await team.admin("POST", "/samples", {});
    const other = await createTeam({ id: "other", samples: true });
    expect(await themesOf(team)).toMatchObject([{ id: "thm_bold" }, { id: "thm_calm", isDefault: true }]);
    expect((await themesOf(team)).map(({ id }) => id)).toEqual((await themesOf(other)).map(({ id }) => id));
  });

  it("adds what an existing team lacks, and leaves its default theme alone", async () => {
    const team = await createTeam();
    await team.post("/transactional-emails", { name: "Ours" });
    const { status, json } = await team.admin("POST", "/samples", {
      company: "Globex",
      website: "https://globex.example/app",
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      themes: [
        { id: "thm_calm", name: "Calm", added: true },
        { id: "thm_bold", name: "Bold", added: true },
      ],
      templates: TEMPLATES.map((id) => ({ id, name: expect.any(String), added: true })),
    });
    expect((await themesOf(team)).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: "Default" }]);
    expect((await messageOf(team, "tpl_receipt")).dataVariablesFallbacks).toEqual({
      company: "Globex",
      name: "there",
      link: "https://globex.example/app",
    });
    expect((await messageOf(team, "tpl_welcome")).dataVariablesFallbacks.website).toBe("https://globex.example/app");
  });

  it("never changes what the team has, edited or not", async () => {
    const team = await createTeam({ samples: true });
    const { json: draft } = await team.post("/transactional-emails/tpl_receipt/draft", {});
    await team.post(`/email-messages/${draft.draftEmailMessageId}`, { subject: "Edited" });
    await team.post("/transactional-emails/tpl_receipt/publish", {});
    await team.post("/themes/thm_calm", { name: "Ours", styles: { bodyColor: "#fffbeb" } });
    await team.run("DELETE FROM templates WHERE id IN ('tpl_welcome', 'tpl_invitation')");
    await team.run("DELETE FROM themes WHERE id = 'thm_bold'");

    const { json } = await team.admin("POST", "/samples", {});
    const added = (samples: Sample[]) => samples.flatMap((sample) => (sample.added ? [sample.id] : []));
    expect([added(json.themes), added(json.templates)]).toEqual([["thm_bold"], ["tpl_welcome", "tpl_invitation"]]);
    expect(json.themes.map(({ id }: Sample) => id)).toEqual(THEMES);
    expect((await messageOf(team, "tpl_receipt")).subject).toBe("Edited");
    expect((await themesOf(team)).find(({ id }) => id === "thm_calm")).toMatchObject({ name: "Ours", isDefault: true });

    const before = await team.everything();
    const { json: again } = await team.admin("POST", "/samples", {
      company: "Other",
      website: "https://other.example",
    });
    expect([added(again.themes), added(again.templates)]).toEqual([[], []]);
    expect(await team.everything()).toBe(before);
  });

  it.each([
    [{ website: "acme.example" }, "website", "website: must be an address that starts with https:// or http://"],
    [
      { website: 'https://a.example/"><script>' },
      "website",
      "website: must be an address that starts with https:// or http://",
    ],
    [{ website: `https://a.example/${"x".repeat(500)}` }, "website", "website: must be at most 500 characters"],
    [{ company: "" }, "company", expect.stringContaining("company: ")],
  ])("refuses %j", async (body, path, message) => {
    const team = await createTeam();
    const { status, json } = await team.admin("POST", "/samples", body);
    expect([status, json.code, json.path, json.message]).toEqual([400, "invalid_request", path, message]);
    expect((await team.get("/transactional-emails")).json.data).toEqual([]);
  });

  it("is 404 for a team that does not exist", async () => {
    expect(await admin("POST", "/admin/teams/nobody/samples", {})).toMatchObject({
      status: 404,
      json: { code: "not_found", path: "team" },
    });
  });
});
