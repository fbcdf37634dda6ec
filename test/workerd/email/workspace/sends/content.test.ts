import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import { advance, createTeam, handedOver, isolated, runAlarm, type Team } from "../../bench.ts";
import { accept, addMarketingMessage, linksOf, pictureIn, sendTo } from "../../marketing.ts";

isolated();

const LINK = "https://acme.example.com/reset?token=secret-1";
const reset = {
  transactionalId: "tpl_password_reset",
  email: "ada@example.com",
  dataVariables: { link: LINK, code: "secret-2" },
};

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
});

const contentOf = async (id: string) => {
  const { status, json, text } = await team.admin("GET", `/sends/${id}/content`);
  expect(status, text).toBe(200);
  return json;
};
const headersIn = ({ headers }: { headers: { name: string; value: string }[] }) =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value]));
const busy = { outcome: "deferred", message: "451 4.3.2 busy", code: "4.3.2" } as const;

describe("a mail as it was sent", () => {
  it("has its values while it waits, and their names from the moment it is settled", async () => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValueOnce(busy);
    const { id } = (await team.post("/transactional", reset)).json;
    await handedOver();
    const waiting = await contentOf(id);
    expect(waiting).toMatchObject({ id, values: "stored", note: null, attachments: 0 });
    expect(linksOf(waiting.html)).toContain(LINK);
    expect(waiting.text).toContain("secret-2");
    expect(headersIn(waiting)).toMatchObject({
      "Message-ID": `<${id}@mailspan.localhost>`,
      To: "ada@example.com",
      Subject: expect.any(String),
      From: expect.stringContaining("@mailspan.localhost"),
      Date: "Sun, 01 Jan 2090 12:00:00 +0000",
    });
    advance(60_000);
    await runAlarm(team.stub);
    const sent = await contentOf(id);
    expect(sent).toMatchObject({
      values: "erased",
      note: expect.stringMatching(/^The values of this mail were erased/),
    });
    expect(JSON.stringify(sent)).not.toMatch(/secret-[12]/);
    expect(sent.text).toContain("{data.code}");
    expect(linksOf(sent.html)).not.toContain(LINK);
    expect([waiting, sent].map((one) => headersIn(one).Subject)).toEqual([
      "Reset your Acme password",
      "Reset your {data.company} password",
    ]);
  });

  it("of a campaign has plain links and no picture that tracks, and nobody can unsubscribe by it", async () => {
    await team.post("/contacts/create", { email: "ada@example.com", firstName: "Ada" });
    const lmx = `<Paragraph>Hi {contact.firstName}, <Link href="https://acme.example.com/sale?a=1&amp;b=2">the sale</Link></Paragraph>`;
    const revision = await addMarketingMessage(team, lmx);
    const { id } = (await accept(team, revision, "ada@example.com")) as { id: string };
    const waiting = await contentOf(id);
    expect(waiting).toMatchObject({
      values: "stored",
      note: "The mail has not left. It shows the contact as it is now.",
    });
    expect(waiting.html).toContain("Hi Ada");
    const captured = await sendTo(team, "ada@example.com");
    expect(pictureIn(captured.html)).not.toBe("");
    const shown = await contentOf(id);
    expect(shown.html).toContain("Hi {contact.firstName}");
    for (const one of [waiting, shown]) {
      expect(pictureIn(one.html)).toBe("");
      expect([...new Set(linksOf(one.html))]).toEqual(["https://acme.example.com/sale?a=1&b=2", "#"]);
      expect(one.html).toContain("Unsubscribe");
      expect(headersIn(one)["List-Unsubscribe"]).toBe("<a link of the recipient, not shown>");
      expect(JSON.stringify(one)).not.toMatch(/\/(u|t|p|c)\/[\w-]{20}/);
    }
    expect(headersIn(shown)["List-ID"]).toBe(captured.headers["List-ID"]);
  });

  it("says when its content was deleted", async () => {
    const { id } = (await team.post("/transactional", reset)).json;
    await handedOver();
    await team.run("UPDATE sends SET revision = 9999");
    expect(await contentOf(id)).toMatchObject({
      html: null,
      text: null,
      headers: [],
      note: expect.stringContaining("was deleted"),
    });
  });

  it("is 404 for a mail that the team does not have", async () => {
    const { id } = (await team.post("/transactional", reset)).json;
    await handedOver();
    const other = await createTeam({ id: "other" });
    for (const path of [`/sends/${id}/content`, "/sends/snd_none/content"]) {
      const { status, json } = await other.admin("GET", path);
      expect([status, json.code, json.path]).toEqual([404, "send_not_found", "sendId"]);
    }
  });
});

describe("the cause of a mail", () => {
  const show = async (id: string) => (await team.admin("GET", `/sends/${id}`)).json;

  it("is a request of the API with its idempotency key, which an erasure erases", async () => {
    const { id } = (await team.post("/transactional", reset, { "Idempotency-Key": "order-1" })).json;
    await handedOver();
    const shown = await show(id);
    expect(shown.cause).toEqual({
      kind: "api",
      id: "tpl_password_reset",
      name: "Password reset",
      idempotencyKey: "order-1",
      text: "A request of the API sent it.",
    });
    expect(shown).toMatchObject({ isNewestRevision: true, revisedAt: expect.stringMatching(/^2090-/) });
    await team.admin("POST", "/erase", { emails: ["ada@example.com"] });
    expect((await show(id)).cause.idempotencyKey).toBeNull();
  });

  it("is erased from the mail to another person too, where the key names the erased one", async () => {
    const key = { "Idempotency-Key": "invite eve@example.com" };
    const { id } = (await team.post("/transactional", reset, key)).json;
    await handedOver();
    await team.admin("POST", "/erase", { emails: ["eve@example.com"] });
    expect((await show(id)).cause.idempotencyKey).not.toContain("eve@example.com");
  });

  it("is a test or a campaign where these sent it", async () => {
    const { draftEmailMessageId } = (await team.post("/transactional-emails/tpl_welcome/draft", {})).json;
    const preview = { emails: ["ada@example.com"], dataVariables: { name: "Ada" } };
    const { sends } = (await team.post(`/email-messages/${draftEmailMessageId}/preview`, preview)).json;
    expect((await show(sends[0].id)).cause).toMatchObject({ kind: "test", idempotencyKey: null });
    await team.post("/contacts/create", { email: "bob@example.com" });
    const revision = await addMarketingMessage(team, "<Paragraph>News</Paragraph>");
    const sent = (await accept(team, revision, "bob@example.com", { origin: "cmp_gone" })) as { id: string };
    expect((await show(sent.id)).cause).toMatchObject({ kind: "campaign", id: "cmp_gone", name: null });
    const flow = (await accept(team, revision, "bob@example.com", { origin: "wfl_gone", run: 3 })) as { id: string };
    expect((await show(flow.id)).cause).toMatchObject({ kind: "workflow", id: "wfl_gone", name: null });
    await handedOver();
  });
});

it("has the answer to each attempt, with the words of the server", async () => {
  const spy = vi.spyOn(Inbox.prototype, "capture");
  spy.mockResolvedValueOnce(busy).mockResolvedValueOnce({ outcome: "accepted", reply: "250 2.0.0 queued as 1" });
  const { id } = (await team.post("/transactional", reset)).json;
  await handedOver();
  advance(60_000);
  await runAlarm(team.stub);
  const { answers } = (await team.admin("GET", `/sends/${id}`)).json;
  const at = expect.stringMatching(/^2090-/);
  expect(answers).toEqual([
    { attempt: 1, at, sender: "inbox", outcome: "deferred", code: "4.3.2", answer: "451 4.3.2 busy" },
    { attempt: 2, at, sender: "inbox", outcome: "accepted", code: null, answer: "250 2.0.0 queued as 1" },
  ]);
});
