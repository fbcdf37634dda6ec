import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filledWith, valuesOf } from "../../../../../src/dashboard/app/pages/message/preview/filled.ts";
import { handOver } from "../../../../../src/email/delivery/mailer/hand-over.ts";
import { mimeOf } from "../../../../../src/email/mail/mime/mime-message.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import type { ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";
import { compileMessage } from "../../../../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../../../src/lib/lmx/message/message-source.ts";
import { readMail, untracked } from "../../../../received.ts";
import { library } from "../../../lib/lmx/documents.ts";
import { grammarMade } from "../../../lib/lmx/random.ts";

// Compares the preview and the sent bytes, each from the same source.

const publicUrl = "https://mail.example.com";
const footer = { team: 'Acme & "Sons" <x>', postalAddress: "1 Main Street\nZürich", footer: "You asked for it.\n.dot" };
const KINDS = ["transactional", "campaign", "workflow"] as const;
const NAMES = { transactional: "{data.", campaign: "{contact.", workflow: "{event." } as const;

type Case = {
  kind: (typeof KINDS)[number];
  lmx: string;
  value: string;
  lang: string;
  format: "styled" | "plain";
  sent: "tracked" | "untracked" | "preview";
};
const cases: fc.Arbitrary<Case> = fc.record({
  kind: fc.constantFrom(...KINDS),
  lmx: grammarMade,
  value: fc.constantFrom(
    "Ada",
    "",
    "日本 Grüße 😀",
    "a=3D&amp;<b>",
    ".",
    "From x",
    "x".repeat(1_200),
    "https://x.io/?a=1&b=2",
  ),
  lang: fc.constantFrom("", "de", "ar"),
  format: fc.constantFrom("styled", "plain"),
  sent: fc.constantFrom("tracked", "untracked", "preview"),
});

const received = async ({ kind, sent, value }: Case, content: Parameters<typeof composed>[0]) => {
  const claim: ClaimedSend = {
    n: 1,
    attempt: 1,
    id: "snd_1_x",
    revision: 1,
    recipient: "ada@example.com",
    date: 0,
    withheld: [],
    messageId: "<snd_1_x@example.com>",
    attachments: 0,
    preview: sent === "preview",
    values: JSON.stringify(valuesIn(content.variables, value)),
  };
  if (kind !== "transactional") {
    if (sent === "preview") claim.footer = footer;
    else
      claim.marketing = {
        contact: { n: 7, id: "con_1" },
        message: 3,
        run: 0,
        isTracked: sent === "tracked",
        ...footer,
      };
  }
  const made = mimeOf(await composed(content, claim));
  if ("unsendable" in made) throw new Error(made.unsendable.message);
  return readMail(made.message.bytes);
};
const valuesIn = (variables: readonly string[], value: string): Record<string, string> =>
  Object.fromEntries(variables.filter((name) => !name.startsWith("system.")).map((name) => [name, value]));

const composed = async (
  content: NonNullable<ReturnType<typeof compileMessage>["compiled"]>,
  claim: ClaimedSend,
): Promise<Mail> => {
  const mails: Mail[] = [];
  const sender = {
    name: "test",
    send: async (mail: Mail) => {
      mails.push(mail);
      return { outcome: "accepted" } as const;
    },
  };
  const { handover } = await handOver(
    {
      team: "acme",
      senderOf: () => sender,
      contentOf: async () => content,
      attachmentsOf: async () => [],
      links: { secret: "the secret", publicUrl },
      confirmUrlOf: async () => undefined,
    },
    claim,
  );
  const [mail] = mails;
  if (!mail) throw new Error(JSON.stringify(handover));
  return mail;
};

describe("what the page of a message shows", () => {
  it("is what the mail provider gets, byte for byte but for links and tracking, for any document that the grammar makes", async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const source = {
          ...emptySource,
          fromName: "Acme",
          fromEmail: "news",
          languageCode: one.lang,
          emailFormat: one.format,
          subject: `Grüße ${NAMES[one.kind]}a}`,
          lmx: one.lmx.replaceAll("{data.", NAMES[one.kind]),
        };
        const { compiled } = compileMessage(source, one.kind, library);
        if (!compiled) return;
        const values = valuesOf(compiled, {}, valuesIn(compiled.variables, one.value));
        const service = { publicUrl, footer: one.kind === "transactional" ? undefined : footer };
        const shown = filledWith(compiled, [], values, service);
        const mail = await received(one, compiled);
        const { html, text, replaced } = untracked(mail, publicUrl);
        expect(html).toBe(shown.html);
        expect(text).toBe(shown.text);
        expect(mail.subject).toBe(shown.subject);
        const isTracked = one.kind !== "transactional" && one.sent === "tracked";
        expect(replaced.pictures).toHaveLength(isTracked ? 1 : 0);
        if (!isTracked) expect(replaced.links).toEqual([]);
        if (one.kind === "transactional" || one.sent === "preview") expect(replaced.own).toEqual([]);
        else expect(new Set(replaced.own).size).toBe(2);
        const name = `${one.kind} ${one.sent}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }),
      { numRuns: 200 },
    );
    expect(seen.size).toBe(9);
  });
});
