import { beforeEach, describe, expect, it } from "vitest";
import { addressDigest } from "../../../../src/email/mail/links/address.ts";
import { createToken } from "../../../../src/email/mail/links/link-token.ts";
import { LINK_PATHS } from "../../../../src/email/mail/links/urls.ts";
import type { LinkKind, LinkTarget } from "../../../../src/email/types/recipient.ts";
import { unsubscribeReasonsOf } from "../../../../src/email/workspace/sending/marketing/unsubscribes.ts";
import { pictureOf } from "../../../pictures.ts";
import { app, arranged, bindings, createTeam, type Team } from "../bench.ts";

const ADA = { email: "ada@example.com" };
const png = pictureOf("image/png");

const arrangement = arranged(async () => {
  const team = await createTeam({ name: "Fieldnote" });
  const { json } = await team.admin("POST", "/lists", { name: "News", visibility: "public" });
  await team.post("/contacts/create", { ...ADA, mailingLists: { [json.id]: true } });
  return { team, list: json.id as string };
});

let team: Team;
let list: string;
beforeEach(() => {
  ({ team, list } = arrangement());
});

const targetOf = async (more: Partial<LinkTarget> = {}): Promise<LinkTarget> => {
  const [row] = (await team.rows("SELECT n, id FROM contacts")) as { n: number; id: string }[];
  if (!row) throw new Error("There is no contact.");
  return { team: "acme", send: 1, row: row.n, contact: row.id, address: addressDigest(ADA.email), ...more };
};

const link = async (kind: LinkKind, more: Partial<LinkTarget> = {}) =>
  `${LINK_PATHS[kind]}/${await createToken(bindings.API_KEY_SECRET, kind, await targetOf(more))}`;

const ask = async (path: string, body?: string) => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const response = await app.request(path, body === undefined ? {} : { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const upload = async (): Promise<{ id: string; file: string }> => {
  const { json } = await team.post("/uploads", { contentType: "image/png", contentLength: png.length });
  const id = json.emailAssetId as string;
  const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}`, "Content-Type": "image/png" };
  await app.request(`/admin/teams/acme/uploads/${id}/file`, { method: "PUT", headers, body: png });
  const done = await team.post(`/uploads/${id}/complete`, undefined);
  return { id, file: (done.json.finalUrl as string).split("/").at(-1) ?? "" };
};

const policyOf = ({ headers }: { headers: Headers }) => headers.get("Content-Security-Policy") ?? "";

describe("the sender on the pages of its recipients", () => {
  it("is the team with its color, its address and a way to write to it", async () => {
    const plain = await ask(await link("unsubscribe"));
    expect(plain.text).toContain("--brand:light-dark(#0f1a1d,#e8eff0)");
    expect(plain.text).not.toContain("mailto:");
    const given = { brandColor: "#B84A16", postalAddress: "12 Quay Street\nBristol", replyToEmail: "hi@field.example" };
    expect((await team.admin("POST", "", given)).json).toMatchObject({ brandColor: "#b84a16", logo: null });
    for (const kind of ["unsubscribe", "preferences", "confirm"] as const) {
      const page = await ask(await link(kind));
      expect(page.text).toMatch(/--brand:light-dark\(#b84a16,#[0-9a-f]{6}\)/);
      expect(page.text).toMatch(
        /<footer dir="auto">Fieldnote, 12 Quay Street, Bristol\s+<a href="mailto:hi@field\.example">/,
      );
      expect(policyOf(page)).not.toContain("img-src");
    }
  });

  it("is shown when the contact is deleted, so that an old link has a way to it", async () => {
    await team.admin("POST", "", { replyToEmail: "hi@field.example" });
    const path = await link("preferences");
    await team.post("/contacts/delete", ADA);
    const { text } = await ask(path);
    expect(text).toContain("has no subscription for this link any more");
    expect(text).toContain('<a href="mailto:hi@field.example">');
  });

  it("has its logo, a picture of its own uploads, until that is deleted", async () => {
    const { id, file } = await upload();
    expect((await team.admin("POST", "", { logo: id })).json).toMatchObject({ logo: file });
    const path = await link("unsubscribe");
    const page = await ask(path);
    expect(page.text).toContain(`<img src="/assets/${file}" alt="">`);
    expect(policyOf(page)).toContain("; img-src 'self';");
    expect((await app.request(`/assets/${file}`)).status).toBe(200);
    await team.admin("DELETE", `/uploads/${id}`);
    expect((await ask(path)).text).not.toContain("<img");
    expect((await team.admin("POST", "", { logo: null })).json).toMatchObject({ logo: null });
  });

  it.each([
    [{ brandColor: "red" }, "brandColor", "invalid_request"],
    [{ brandColor: "#fff" }, "brandColor", "invalid_request"],
    [{ brandColor: "#12345;}body{display:none" }, "brandColor", "invalid_request"],
    [{ logo: "https://evil.example/x.png" }, "logo", "upload_not_found"],
    [{ logo: "upl_00000000000000000000" }, "logo", "upload_not_found"],
    [{ logo: "" }, "logo", "invalid_request"],
  ])("is not changed by %j", async (given, path, code) => {
    const refused = await team.admin("POST", "", given);
    expect([refused.status, refused.json.code, refused.json.path]).toEqual([
      code === "invalid_request" ? 400 : 404,
      code,
      path,
    ]);
    expect((await team.admin("GET", "")).json).toMatchObject({ brandColor: null, logo: null });
  });
});

describe("undo on the page that says that one is unsubscribed", () => {
  it("takes back what the link did, for everything and for a list", async () => {
    const before = await team.find(ADA);
    for (const more of [{}, { list }]) {
      const path = await link("unsubscribe", more);
      expect((await ask(path, "do=leave")).text).toContain('<button name="do" value="undo" class="main">');
      const undone = await ask(path, "do=undo");
      expect(undone.text).toContain("<h1>You stay subscribed</h1>");
      expect(await team.find(ADA)).toEqual({ ...before, updatedAt: expect.any(String) });
      expect((await ask(path)).text).toContain("<h1>Unsubscribe?</h1>");
      await ask(path, "do=unsubscribe");
      await ask(path, "do=undo");
      expect(await team.find(ADA)).toMatchObject({ subscribed: true, mailingLists: { [list]: true } });
    }
  });

  it("is not offered, and does nothing, for a former address and for an archived list", async () => {
    await team.put("/contacts/update", { ...ADA, userId: "u1" });
    const [path, ofList] = [await link("unsubscribe"), await link("unsubscribe", { list })];
    await team.admin("POST", `/lists/${list}`, { isArchived: true });
    expect((await ask(ofList, "do=leave")).text).not.toContain('value="undo"');
    await ask(ofList, "do=undo");
    expect((await team.find(ADA)).mailingLists).toEqual({});
    await team.put("/contacts/update", { userId: "u1", email: "new@example.com" });
    expect((await ask(path, "do=leave")).text).not.toContain('value="undo"');
    await ask(path, "do=undo");
    expect((await team.find({ userId: "u1" })).subscribed).toBe(false);
  });
});

describe("the reason for leaving", () => {
  const counted = () => team.inside((sql) => unsubscribeReasonsOf(sql, 7));
  let path: string;
  beforeEach(async () => {
    const { row } = await targetOf();
    await team.run("INSERT INTO engagement (contact, message, run, send, sent_at) VALUES (?, 7, 0, 1, 0)", row);
    path = await link("unsubscribe");
  });

  it("is asked after leaving, counted once, and gone with an undo", async () => {
    expect((await ask(path)).text).not.toContain('name="why"');
    expect((await ask(path, "do=leave")).text.match(/name="why" value="\w+"/g)).toHaveLength(4);
    const answered = await ask(path, "why=too_many");
    expect(answered.text).toContain('role="status">Thank you for the answer.</p>');
    expect(answered.text).not.toContain('name="why"');
    await ask(path, "why=not_for_me");
    expect(await counted()).toEqual([{ reason: "too_many", people: 1 }]);
    await ask(path, "do=undo");
    expect(await counted()).toEqual([]);
    await ask(path, "do=leave");
    await ask(path, "why=something_else");
    expect(await counted()).toEqual([{ reason: "something_else", people: 1 }]);
  });

  it("is not taken from who has not left, and not asked where no mail keeps it", async () => {
    await ask(path, "why=too_many");
    expect(await counted()).toEqual([]);
    expect((await team.find(ADA)).subscribed).toBe(true);
    const other = await link("unsubscribe", { send: 2 });
    expect((await ask(other, "do=leave")).text).not.toContain('name="why"');
  });
});
