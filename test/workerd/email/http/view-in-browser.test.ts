import { beforeEach, describe, expect, it } from "vitest";
import { SCANNERS } from "../../../fixtures/email/scanners.ts";
import { arranged, createTeam, type Team } from "../bench.ts";
import { accept, addMarketingMessage, linksApp, SITE, sendTo, visit } from "../marketing.ts";

const ADA = { email: "ada@example.com", firstName: "Ada & <Grace>" };
const LINK = '<Paragraph><Link href="{system.view_in_browser_link}">View in browser</Link></Paragraph>';
const LMX = `${LINK}<Paragraph>Dear {contact.firstName}, <Link href="https://acme.example/new">read on</Link></Paragraph>`;

const arrangement = arranged(async () => {
  const team = await createTeam({ name: "Acme" });
  await team.admin("POST", "", { postalAddress: "12 Quay Street" });
  await team.post("/contacts/create", ADA);
  return team;
});
let team: Team;
beforeEach(() => {
  team = arrangement();
});

type Sent = { html: string; text: string };

const send = async (lmx = LMX): Promise<{ mail: Sent; link: string; revision: number }> => {
  const revision = await addMarketingMessage(team, lmx);
  await accept(team, revision, ADA.email);
  const mail = (await sendTo(team, ADA.email)) as Sent;
  const [link = ""] = /https:\/\/mail\.example\.com\/v\/[\w-]+/.exec(mail.html) ?? [];
  return { mail, link, revision };
};

const page = async (link: string, headers: Record<string, string> = {}) => {
  const response = await linksApp.request(link, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Removes tracked links, and the picture that counts opens. */
const untracked = (html: string): string =>
  html
    .replace(/<img [^>]*\/t\/o\/[^>]*>\n?/, "")
    .replaceAll(/https:\/\/mail\.example\.com\/t\/c\/[^"]*/g, "https://acme.example/new");

describe("a mail in a browser", () => {
  it("is the mail as its recipient got it, without tracking, with the recipient's links", async () => {
    const { mail, link } = await send();
    expect(mail.html).toContain("/t/c/");
    expect(mail.text).toContain(link);
    const { status, text } = await page(link);
    expect(status).toBe(200);
    expect(text).toContain("Dear Ada &amp; &lt;Grace&gt;");
    expect(text).not.toContain("/t/");
    expect(text).toBe(untracked(mail.html));
    const [unsubscribe = ""] = /https:\/\/mail\.example\.com\/u\/[\w-]+/.exec(text) ?? [];
    await linksApp.request(unsubscribe, { method: "POST" });
    expect((await team.find({ email: ADA.email })).subscribed).toBe(false);
  });

  it("shows what the mail said, after the contact was changed, the address was, and the contact and mail are gone", async () => {
    const { link } = await send();
    const before = await page(link);
    await team.put("/contacts/update", { email: ADA.email, firstName: "Bo", userId: "u1" });
    await team.put("/contacts/update", { userId: "u1", email: "other@example.com" });
    expect((await page(link)).text).toBe(before.text);
    await team.post("/contacts/delete", { userId: "u1" });
    await team.run("DELETE FROM sends");
    expect((await page(link)).text).toBe(before.text);
  });

  it("changes nothing, whoever opens it, and answers no other method", async () => {
    const { link } = await send();
    const before = await team.everything();
    for (const agent of Object.values(SCANNERS)) expect((await visit(link, agent)).status).toBe(200);
    expect((await visit(link, undefined, "HEAD")).status).toBe(200);
    const posted = await visit(link, undefined, "POST");
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET"]);
    expect(await team.everything()).toBe(before);
  });

  it("runs nothing, has no origin, and is not stored, framed or indexed", async () => {
    const { headers } = await page((await send()).link);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox allow-popups [a-z -]+$/);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|allow-forms|script-src|connect-src/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  });

  it("has the names of values that are too long for a link, and says so in the reader's language", async () => {
    await team.put("/contacts/update", { email: ADA.email, firstName: "ä".repeat(499), lastName: "ä".repeat(499) });
    const { mail, link } = await send(`${LINK}<Paragraph>{contact.firstName} {contact.lastName}</Paragraph>`);
    expect(mail.html).toContain("ä".repeat(499));
    expect(link.length).toBeLessThan(2_083);
    const { text } = await page(link, { "Accept-Language": "de" });
    expect(text).toContain("{contact.firstName} {contact.lastName}");
    expect(text).toMatch(/<body[^>]*><p lang="de" dir="ltr" style="[^"]*">Persönliche Angaben/);
    expect(text).not.toContain("ää");
  });

  it("fits a link with as many values as it may have", async () => {
    await team.put("/contacts/update", {
      email: ADA.email,
      firstName: "x y ".repeat(27).trim(),
      lastName: "z".repeat(300),
    });
    const { mail, link } = await send(`${LINK}<Paragraph>{contact.firstName} {contact.lastName}</Paragraph>`);
    expect(link.length).toBeLessThan(2_083);
    expect((await page(link)).text).toBe(untracked(mail.html));
  });

  it("says that it is no longer kept, and who sent it, once its content is deleted", async () => {
    const { link, revision } = await send();
    await team.run("DELETE FROM message_revisions WHERE n = ?", revision);
    const { status, text } = await page(link);
    expect(status).toBe(410);
    expect(text).toContain("<h1>This mail is no longer kept</h1>");
    expect(text).toContain("Acme, 12 Quay Street");
  });

  it("is 404 for a link that is forged, cut, or of another kind", async () => {
    const { mail, link } = await send();
    const [unsubscribe = ""] = /\/u\/[\w-]+/.exec(mail.html) ?? [];
    const token = link.slice(`${SITE}/v/`.length);
    for (const path of [
      "/v/x",
      `/v/${token.slice(0, -1)}`,
      `/v/${unsubscribe.slice(3)}`,
      `/u/${token}`,
      `/p/${token}`,
    ]) {
      const { status, text } = await page(SITE + path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain("<h1>This link does not work</h1>");
    }
  });

  it("costs no link in a mail that has none", async () => {
    const { mail } = await send("<Paragraph>Hello</Paragraph>");
    expect(mail.html).not.toContain("/v/");
  });
});
