import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const BUTTON = '<Paragraph>Hi</Paragraph><Button href="{data.link}">Reset</Button>';

const write = async (lmx: string, dataVariablesFallbacks = {}) => {
  const { id, draftEmailMessageId } = (await team.post("/transactional-emails", { name: "Reset" })).json;
  const content = { subject: "Reset", fromName: "Acme", fromEmail: "team", lmx, dataVariablesFallbacks };
  return { id, message: draftEmailMessageId, ...(await team.post(`/email-messages/${draftEmailMessageId}`, content)) };
};

const publish = async (lmx: string, dataVariablesFallbacks = {}) => {
  const { id, ...written } = await write(lmx, dataVariablesFallbacks);
  expect(written.status, written.text).toBe(200);
  const published = await team.post(`/transactional-emails/${id}/publish`, {});
  expect(published.status, published.text).toBe(200);
  return async (dataVariables: object) => {
    const body = { transactionalId: id, email: "ada@example.com", dataVariables };
    const { status, json } = await team.post("/transactional", body);
    return { status, code: json.code, path: json.path, message: json.message };
  };
};

describe("a link of a transactional mail", () => {
  it.each([
    "www.example.com/reset?t=1",
    "myapp://reset/1",
    "javascript:alert(1)",
    "",
    7,
    "https://",
    "http://",
    "https:///x",
    "https://?x=1",
    "https://#a",
    "https://acme",
    "https://exa mple.com",
    "https://example.com:99999/",
    "https://.example.com",
    "https://a..example.com/",
    "https://example.com and more",
    "mailto:",
    "mailto:ada",
    "mailto:?",
    "tel:",
    "tel:none",
    "https://exa\nmple.com",
  ])("that would lead nowhere with %j is refused by the name of its variable", async (link) => {
    const send = await publish(BUTTON);
    const refused = await send({ link });
    expect(refused).toMatchObject({ status: 400, code: "invalid_request", path: "dataVariables.link" });
    expect(refused.message).toContain("https://example.com");
    if (String(link).length > 8) expect(refused.message).not.toContain(String(link));
    expect(await team.rows("SELECT count(*) AS sends FROM sends")).toEqual([{ sends: 0 }]);
  });

  it("leads to every address that a reader can open", async () => {
    const send = await publish(BUTTON);
    for (const link of [
      "https://example.com",
      " HTTPS://Example.com:8443/a b?c=d e#f ",
      "http://localhost:3000/reset",
      "http://app.localhost",
      "https://[::1]/",
      "http://192.168.1.7",
      "https://bücher.example/ä",
      "mailto:ada@example.com?subject=Hi there",
      "mailto:?subject=Hi",
      "tel:+49 30 12345",
    ])
      expect(await send({ link }), link).toMatchObject({ status: 200 });
  });

  it.each(["www.example.com", "https://", "mailto:"])("has its fallback in the place of %j", async (link) => {
    const send = await publish(BUTTON, { link: "https://acme.example/login" });
    expect((await send({ link })).status).toBe(200);
    const [row] = await team.rows("SELECT variables FROM sends");
    expect(JSON.parse(String(row?.variables))).toEqual({ "data.link": "https://acme.example/login" });
  });

  it("has no fallback that is no address, from the save on", async () => {
    for (const link of ["not an address", "https://", "", "/login"]) {
      const { status, json } = await write(BUTTON, { link });
      expect([status, json.code, json.path], link).toEqual([422, "invalid_content", "dataVariablesFallbacks"]);
      expect(json.message).toContain("the fallback of link gives no address");
    }
    const { message } = await write("<Paragraph>Hi {data.link}</Paragraph>", { link: "you" });
    expect((await team.post(`/email-messages/${message}`, { lmx: BUTTON })).json.path).toBe("dataVariablesFallbacks");
    const host = '<Paragraph><Link href="https://{data.host}.example.com/{data.x}">Hi</Link></Paragraph>';
    expect((await write(host, { host: "a b", x: "y" })).json.message).toContain("the fallback of host");
    expect((await write(host, { host: "eu", x: "" })).status).toBe(200);
    const hidden = `<Section showIf="{data.link}">${BUTTON}</Section>`;
    expect((await write(`<Paragraph>Hi</Paragraph>${hidden}`, { link: "" })).status).toBe(200);
    const joined = '<Paragraph><Link href="{data.base}{data.tail}">Hi</Link></Paragraph>';
    expect((await write(joined, { tail: "/login" })).status).toBe(200);
  });

  it("leads to the host that its values make", async () => {
    const send = await publish('<Paragraph><Link href="https://{data.host}.example.com/">Hi</Link></Paragraph>');
    for (const host of ["a b", ".", "", "a/b", "@", "a..b"])
      expect(await send({ host }), host).toMatchObject({ status: 400, path: "dataVariables.host" });
    expect((await send({ host: "eu-1" })).status).toBe(200);
    const mailbox = await publish('<Paragraph><Link href="mailto:{data.who}">Hi</Link></Paragraph>');
    expect((await mailbox({ who: "" })).path).toBe("dataVariables.who");
    expect((await mailbox({ who: "ada@example.com" })).status).toBe(200);
    const started = await publish('<Paragraph><Link href="{data.base}/u/{data.id}">Hi</Link></Paragraph>');
    expect((await started({ base: "https://", id: "1" })).path).toBe("dataVariables.base");
    expect((await started({ base: "https://acme.example", id: "1" })).status).toBe(200);
  });

  it("stays in its path", async () => {
    const send = await publish(
      '<Paragraph><Link href="https://acme.example/u/{data.id}/edit?q={data.q}">Hi</Link></Paragraph>',
      { q: "." },
    );
    for (const id of ["..", ".", " .. "]) {
      const refused = await send({ id, q: ".." });
      expect(refused).toMatchObject({ status: 400, path: "dataVariables.id" });
      expect(refused.message).toContain("out of its path");
    }
    for (const id of ["...", "a", "..a", "a/.."]) expect((await send({ id, q: ".." })).status, id).toBe(200);
  });

  it("may lack its address where it is not shown, or where a value is only a part of it", async () => {
    const hidden = await publish(
      '<Paragraph>Hi</Paragraph><Section showIf="{data.link}"><Button href="{data.link}">Reset</Button></Section>',
    );
    expect((await hidden({ link: " " })).status).toBe(200);
    expect((await hidden({ link: "acme" })).status).toBe(400);
    const part = await publish('<Paragraph><Link href="https://acme.example/u/{data.user}">Hi</Link></Paragraph>');
    expect((await part({ user: "ada" })).status).toBe(200);
    expect((await part({ user: "" })).status).toBe(200);
  });
});

/** "hi" in invisible characters, and a flag that hides more than its country. */
const HIDDEN_TAGS = "a\u{e0068}\u{e0069}\u{1f3f4}\u{e0068}\u{e007f}";

it("control characters and marks that turn the direction of text are refused at contacts", async () => {
  await team.post("/contacts/properties", { name: "city", type: "string" });
  for (const text of [
    "a\u0000b",
    "\u001b[31m",
    "\u202egpj.exe",
    "x\u2066y",
    "a\u0085",
    "\u200ea",
    "a\u061c",
    "א\u200f",
    HIDDEN_TAGS,
  ])
    for (const field of ["firstName", "userGroup", "userId", "city"]) {
      const { status, json } = await team.post("/contacts/create", { email: "ada@example.com", [field]: text });
      expect([status, json.code, json.path], `${field} ${JSON.stringify(text)}`).toEqual([
        400,
        "invalid_request",
        field,
      ]);
      expect(json.message).toContain("control characters");
    }
  for (const flag of [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f469}\u200d\u{1f4bb}",
    "葛\u{e0100}",
  ])
    expect((await team.post("/contacts/create", { email: `${flag.length}@example.com`, firstName: flag })).status).toBe(
      200,
    );
  const city = "12, Main St\r\nא\tA";
  expect((await team.post("/contacts/create", { email: "ada@example.com", city })).status).toBe(200);
  expect(await team.find({ email: "ada@example.com" })).toMatchObject({ city });
});
