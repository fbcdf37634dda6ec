import { describe, expect, it } from "vitest";
import { handOver } from "../../../../../src/email/delivery/mailer/hand-over.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import type { MarketingClaim } from "../../../../../src/email/types/mailer-rpc.ts";
import { compile } from "../../../../../src/lib/lmx/compile.ts";

const secret = "the secret";
const publicUrl = "https://mail.example.com";
const marketing: MarketingClaim = {
  contact: { n: 7, id: "con_1" },
  message: 3,
  run: 0,
  isTracked: true,
  team: 'Acme & "Sons" <x>',
  postalAddress: "1 Main Street\nSpringfield",
};
const row = {
  n: 1,
  attempt: 1,
  id: "snd_1_x",
  revision: 1,
  recipient: "ada@example.com",
  messageId: "<snd_1_x@example.com>",
  date: 0,
  withheld: [],
  preview: false,
  attachments: 0,
};

type Given = {
  values?: Record<string, string>;
  format?: "styled" | "plain";
  lang?: string;
  claim?: Partial<MarketingClaim>;
};
const lines = { subject: ["News"], fromName: ["Acme"], fromEmail: ["news"], replyTo: [], cc: [], bcc: [] };

const handed = async (
  lmx: string,
  { values = {}, format = "styled", lang = "en", claim = {} }: Given = {},
  links: Parameters<typeof handOver>[0]["links"] = { secret, publicUrl },
) => {
  const { compiled, problems } = compile(lmx, "campaign", { format, lang });
  if (!compiled) throw new Error(JSON.stringify(problems));
  const mails: Mail[] = [];
  const { handover } = await handOver(
    {
      team: "acme",
      senderOf: () => ({
        name: "test",
        send: async (mail) => {
          mails.push(mail);
          return { outcome: "accepted" };
        },
      }),
      contentOf: async () => ({ ...compiled, ...lines, fallbacks: {} }),
      attachmentsOf: async () => [],
      links,
      confirmUrlOf: async () => undefined,
    },
    { ...row, values: JSON.stringify(values), marketing: { ...marketing, ...claim } },
  );
  return { handover, mail: mails[0] };
};
const htmlOf = async (...given: Parameters<typeof handed>) => (await handed(...given)).mail?.html ?? "";
const hrefs = (html: string) => [...html.matchAll(/ href="([^"]*)"/g)].map(([, url = ""]) => url);
const isTracked = (url: string) => url.startsWith(`${publicUrl}/t/c/`);

const EVERY_LINK = `<Paragraph><Link href="https://a.example/1">1</Link></Paragraph>
<Button href="https://a.example/2">2</Button>
<Image src="https://a.example/p.png" href="https://a.example/3" />
<Section href="https://a.example/4"><Paragraph>4</Paragraph></Section>
<Icons><Icon name="github" href="https://a.example/5" /></Icons>`;

describe("the links of a marketing mail", () => {
  it.each(["styled", "plain"] as const)("are tracked in every tag that has one, in the %s format", async (format) => {
    const tracked = hrefs(await htmlOf(EVERY_LINK, { format })).filter(isTracked);
    expect(tracked).toHaveLength(format === "styled" ? 6 : 5);
    expect(new Set(tracked).size).toBe(5);
    const html = await htmlOf(EVERY_LINK, { format });
    expect(html).not.toMatch(/ href="https:\/\/a\.example/);
  });

  it.each(["styled", "plain"] as const)("with notrack stay as they are, in the %s format", async (format) => {
    const html = await htmlOf(EVERY_LINK.replaceAll(' href="', ' notrack="true" href="'), { format });
    expect(hrefs(html).filter(isTracked)).toEqual([]);
    for (const n of [1, 2, 3, 4, 5]) expect(html).toContain(`href="https://a.example/${n}"`);
    expect(html).not.toContain("notrack");
    expect(html).toContain(`${publicUrl}/t/o/`);
  });

  it("stay as they are where tracking is off, and the mail loads no picture for it", async () => {
    const html = await htmlOf(EVERY_LINK, { claim: { isTracked: false } });
    expect(html).not.toContain("/t/");
    expect(hrefs(html).filter((url) => url.startsWith("https://a.example/"))).toHaveLength(6);
  });

  it("have the address with its values, also with & and quotes, and text that looks like a link stays text", async () => {
    const html = await htmlOf(
      '<Paragraph><Link href="https://a.example/?x=1&amp;y={contact.firstName}">go</Link> {contact.lastName}</Paragraph>',
      { values: { "contact.firstName": 'A"&b', "contact.lastName": '<a href="https://evil.example/">' } },
    );
    const [link = ""] = hrefs(html).filter(isTracked);
    const url = Buffer.from(link.split(".").at(-1) ?? "", "base64url").toString();
    expect(url).toBe("https://a.example/?x=1&y=A%22%26b");
    expect(html).toContain("&lt;a href=&quot;https://evil.example/&quot;&gt;");
  });

  it("of the recipient are never tracked", async () => {
    const { mail } = await handed('<Paragraph><Link href="{system.unsubscribe_link}">Leave</Link></Paragraph>');
    const own = hrefs(mail?.html ?? "").filter((url) => url.startsWith(`${publicUrl}/u/`));
    expect(own).toHaveLength(2);
    expect(mail).toMatchObject({ class: "marketing", unsubscribeUrl: own[0], listId: "acme.example.com" });
    expect(hrefs(mail?.html ?? "").filter(isTracked)).toEqual([]);
  });

  it("are the same in every attempt", async () => {
    expect(await htmlOf(EVERY_LINK)).toBe(await htmlOf(EVERY_LINK));
  });
});

describe("the footer", () => {
  it("has team, postal address and both links, escaped, at the end of both bodies", async () => {
    const { mail } = await handed("<Paragraph>Hi</Paragraph>");
    expect(mail?.html).toContain("Acme &amp; &quot;Sons&quot; &lt;x&gt;<br>1 Main Street<br>Springfield<br>");
    expect(mail?.html.trimEnd().endsWith("</body>\n</html>")).toBe(true);
    expect(mail?.text).toMatch(
      /Hi\n+Acme & "Sons" <x>\n1 Main Street\nSpringfield\nUnsubscribe: https:\S+\/u\/\S+\nEmail preferences: https:\S+\/p\/\S+\n$/,
    );
  });

  it.each([
    ["de", "Abmelden"],
    ["fr-CA", "Se désabonner"],
    ["ar", "إلغاء الاشتراك"],
    ["ja", "配信を停止する"],
    ["sw", "Unsubscribe"],
  ])("is in the language of the mail: %s", async (lang, word) => {
    expect(await htmlOf("<Paragraph>Hi</Paragraph>", { lang })).toContain(`>${word}</a>`);
  });
});

describe("without the settings for links", () => {
  it.each([
    ["PUBLIC_URL", { secret, publicUrl: undefined }],
    ["API_KEY_SECRET", { secret: undefined, publicUrl }],
  ])("a marketing mail waits for %s and says so", async (name, links) => {
    const { handover, mail } = await handed("<Paragraph>Hi</Paragraph>", {}, links);
    expect(mail).toBeUndefined();
    expect(handover).toMatchObject({
      outcome: "deferred",
      configuration: true,
      local: true,
      message: expect.stringMatching(
        new RegExp(`^This marketing mail has no way to unsubscribe, because ${name} is not set\\.`),
      ),
    });
  });
});
