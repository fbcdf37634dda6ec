import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../src/email/env.ts";
import { inspectStored } from "../../../../../src/email/workspace/content/inspect.ts";
import { findMessage, type MessageRow } from "../../../../../src/email/workspace/content/messages.ts";
import { fill } from "../../../../../src/lib/lmx/fill.ts";
import { publicUrlOf } from "../../../../../src/lib/util/public-url.ts";
import { everything } from "../../../../unit/lib/lmx/documents.ts";
import { bindings, createTeam, isolated, request, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

type Mail = { id: string; html: string; text: string; subject: string; headers: Record<string, string> };

const captured = (id: string): Promise<Mail> =>
  vi.waitFor(async () => {
    const { status, json } = await request("GET", `/inbox/${id}.json`);
    expect(status).toBe(200);
    return json;
  });

const guarded = async (message: string, values: Record<string, string>) => {
  const { compiled } = await team.inside((sql) => {
    const row = findMessage(sql, message) as MessageRow;
    return { compiled: inspectStored(sql, row).compiled };
  });
  if (!compiled) throw new Error("does not compile");
  const all = { ...compiled.fallbacks, ...values };
  return {
    html: fill(compiled.html, all, publicUrlOf(bindings as unknown as Env)),
    text: fill(compiled.text, all),
    subject: fill(compiled.subject, all),
  };
};

const shared = async () => {
  const theme = (await team.post("/themes", { name: "Brand", styles: { bodyColor: "#fffbeb", heading1FontSize: 32 } }))
    .json;
  const footer =
    '<Divider/><Paragraph>Acme, {data.city} <Link href="https://example.com/{data.id}">Site</Link></Paragraph>';
  const one = (await team.post("/components", { name: "Footer", lmx: footer })).json;
  const card = `<Section blockColor="#eef2ff"><H3>Card</H3><Component componentId="${one.id}"/></Section>`;
  const two = (await team.post("/components", { name: "Card", lmx: card })).json;
  return (lmx: string) =>
    lmx.replaceAll("th_brand", theme.id).replaceAll("cmp_footer", one.id).replaceAll("cmp_card", two.id);
};

const values = {
  name: 'A & <b> "c" {data.id}',
  id: "a/b?c=d&e=f",
  city: "Ghent\n\u2028",
  picture: "https://example.com/c.png",
  url: "javascript:alert(1)",
  empty: "",
};
const everyTag = { lmx: everything, subject: "For {data.name}", previewText: "{data.city} & more" };

const messages: readonly (readonly [name: string, content: Record<string, unknown>])[] = [
  ["every tag, a theme and components", everyTag],
  ["every tag, in the plain format", { ...everyTag, emailFormat: "plain" }],
  ["every tag, in a language from right to left", { ...everyTag, languageCode: "ar" }],
  [
    "fallbacks, also for blank values",
    {
      lmx: '<Paragraph>{data.nick}, {data.empty}, {data.name}</Paragraph><Button href="{data.picture}">{data.cta}</Button>',
      subject: "{data.nick}",
      dataVariablesFallbacks: { nick: "you & me", empty: "-", cta: "Go", name: "unused" },
    },
  ],
  ["values in every field", { lmx: "<H1>{data.city}</H1>", fromName: "{data.name}", replyToEmail: "{data.empty}" }],
];

describe("preview, send and guardian have the same mail, byte for byte", () => {
  it.each(messages)("%s", async (_name, content) => {
    const own = await shared();
    const made = (await team.post("/transactional-emails", { name: "Order" })).json;
    const [id, message] = [made.id, made.draftEmailMessageId];
    const fields = {
      subject: "Order",
      fromName: "Acme",
      fromEmail: "orders",
      ...content,
      lmx: own(String(content.lmx)),
    };
    const saved = await team.post(`/email-messages/${message}`, fields);
    expect(saved.status, saved.text).toBe(200);
    const given = { emails: ["ada@example.com"], dataVariables: values };
    const draft = await captured((await team.post(`/email-messages/${message}/preview`, given)).json.sends[0].id);
    const names = Object.entries(values).flatMap(([name, value]) => (value === "" ? [] : [[`data.${name}`, value]]));
    const filled = { "data.empty": "", ...(content.dataVariablesFallbacks ? { "data.empty": "-" } : {}) };
    const checked = await guarded(message, { ...filled, ...Object.fromEntries(names) });
    expect((await team.get(`/email-messages/${message}/guardian`)).json.errors).toEqual([]);

    const published = await team.post(`/transactional-emails/${id}/publish`, {});
    expect(published.status, published.text).toBe(200);
    const send = { transactionalId: id, email: "ada@example.com", dataVariables: values };
    const sent = await captured((await team.post("/transactional", send)).json.id);
    const again = await captured((await team.post(`/email-messages/${message}/preview`, given)).json.sends[0].id);

    for (const mail of [draft, again]) {
      expect([mail.html === sent.html, mail.text === sent.text]).toEqual([true, true]);
      for (const name of ["Subject", "From", "Reply-To", "To", "Auto-Submitted"])
        expect(mail.headers[name], name).toBe(sent.headers[name]);
    }
    expect([checked.html === sent.html, checked.text === sent.text, checked.subject === sent.subject]).toEqual([
      true,
      true,
      true,
    ]);
    expect(sent.html).not.toContain("<b>");
    expect(sent.html).not.toContain("javascript:");
  });

  it("after a theme has changed, too", async () => {
    const theme = (await team.post("/themes", { name: "Brand", styles: { bodyColor: "#fffbeb" } })).json.id;
    const { id, draftEmailMessageId: message } = (await team.post("/transactional-emails", { name: "Order" })).json;
    const lmx = `<Style themeId="${theme}"/><Paragraph>Hello {data.name}</Paragraph>`;
    await team.post(`/email-messages/${message}`, { subject: "A", fromName: "B", fromEmail: "c", lmx });
    await team.post(`/transactional-emails/${id}/publish`, {});
    await team.post(`/themes/${theme}`, { styles: { bodyColor: "#f0f9ff" } });
    await runDurableObjectAlarm(team.stub);
    const dataVariables = { name: "Ada" };
    const previewed = await team.post(`/email-messages/${message}/preview`, { emails: ["a@b.co"], dataVariables });
    const sent = await team.post("/transactional", { transactionalId: id, email: "a@b.co", dataVariables });
    const [one, two] = [await captured(previewed.json.sends[0].id), await captured(sent.json.id)];
    expect(one.html).toContain("#f0f9ff");
    expect(one.html).toBe(two.html);
    expect((await guarded(message, { "data.name": "Ada" })).html).toBe(two.html);
  });
});
