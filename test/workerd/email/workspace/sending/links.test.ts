import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const publish = async (lmx: string, dataVariablesFallbacks = {}) => {
  const { id, draftEmailMessageId } = (await team.post("/transactional-emails", { name: "Reset" })).json;
  const content = { subject: "Reset", fromName: "Acme", fromEmail: "team", lmx, dataVariablesFallbacks };
  const written = await team.post(`/email-messages/${draftEmailMessageId}`, content);
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
  it.each(["www.example.com/reset?t=1", "myapp://reset/1", "javascript:alert(1)", "", 7])(
    "that would lead nowhere with %j is refused by the name of its variable",
    async (link) => {
      const send = await publish('<Paragraph>Hi</Paragraph><Button href="{data.link}">Reset</Button>');
      const refused = await send({ link });
      expect(refused).toMatchObject({ status: 400, code: "invalid_request", path: "dataVariables.link" });
      expect(refused.message).toContain("https://example.com");
      if (link !== "") expect(refused.message).not.toContain(String(link));
      expect(await team.rows("SELECT count(*) AS sends FROM sends")).toEqual([{ sends: 0 }]);
    },
  );

  it("has its fallback in the place of what is no address", async () => {
    const fallbacks = { link: "https://acme.example/login" };
    const send = await publish('<Paragraph>Hi</Paragraph><Button href="{data.link}">Reset</Button>', fallbacks);
    expect((await send({ link: "www.example.com" })).status).toBe(200);
    const [row] = await team.rows("SELECT variables FROM sends");
    expect(JSON.parse(String(row?.variables))).toEqual({ "data.link": "https://acme.example/login" });
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

it("control characters and marks that turn the direction of text are refused at contacts", async () => {
  await team.post("/contacts/properties", { name: "city", type: "string" });
  for (const text of ["a\u0000b", "\u001b[31m", "\u202egpj.exe", "x\u2066y", "a\u0085"])
    for (const field of ["firstName", "userGroup", "userId", "city"]) {
      const { status, json } = await team.post("/contacts/create", { email: "ada@example.com", [field]: text });
      expect([status, json.code, json.path], `${field} ${JSON.stringify(text)}`).toEqual([
        400,
        "invalid_request",
        field,
      ]);
      expect(json.message).toContain("control characters");
    }
  const city = "12, Main St\r\nא\u200f\tA";
  expect((await team.post("/contacts/create", { email: "ada@example.com", city })).status).toBe(200);
  expect(await team.find({ email: "ada@example.com" })).toMatchObject({ city });
});
