// Bench only.
import DKIM from "nodemailer/lib/dkim";
import MailComposer from "nodemailer/lib/mail-composer";
import { generateDkimKey, importSigningKey } from "../../src/email/mail/mime/dkim/keys.ts";
import { signMessage } from "../../src/email/mail/mime/dkim/sign.ts";
import { type Message, mimeOf } from "../../src/email/mail/mime/mime-message.ts";
import type { Mail } from "../../src/email/types/mail-handover.ts";

const mailOf = (html: string, text: string): Mail => ({
  id: "snd_4k2j5h6g7f8d9s0a",
  team: "acme",
  class: "transactional",
  date: 1_767_323_045_000,
  messageId: "<snd_4k2j5h6g7f8d9s0a@acme.example>",
  from: { name: "Sam from Acme", address: "hello@acme.example" },
  to: [{ name: "Ada Lovelace", address: "ada@example.com" }],
  cc: [],
  bcc: [],
  replyTo: [{ address: "help@acme.example" }],
  attachments: [],
  subject: "Your receipt from Acme, No. 2026-0042",
  html,
  text,
});

const composed = (mail: Mail): Message => {
  const result = mimeOf(mail);
  if ("unsendable" in result) throw new Error(result.unsendable.message);
  return result.message;
};

type PrivateKey = { pem: string; key: CryptoKey };
const makeKey = async (): Promise<PrivateKey> => {
  const { pkcs8 } = await generateDkimKey();
  const lines = btoa(String.fromCharCode(...pkcs8)).match(/.{1,64}/g) ?? [];
  const pem = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----"].join("\n");
  return { pem, key: await importSigningKey(pkcs8) };
};

const nodemailer = (mail: Mail) =>
  new MailComposer({
    from: mail.from as never,
    to: [...mail.to] as never,
    replyTo: [...mail.replyTo] as never,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    messageId: mail.messageId,
    date: new Date(mail.date),
    headers: { "Auto-Submitted": "auto-generated" },
  })
    .compile()
    .build();

const runs: Record<string, (mail: Mail, key: PrivateKey) => Promise<number>> = {
  compose: async (mail) => composed(mail).bytes.length,
  sign: async (mail, { key }) => {
    const signing = { domain: "acme.example", selector: "s1", key, now: mail.date };
    return (await signMessage(composed(mail), signing)).bytes.length;
  },
  nodemailer: async (mail) => (await nodemailer(mail)).length,
  nodemailerSigned: async (mail, { pem }) => {
    const signer = new DKIM({ domainName: "acme.example", keySelector: "s1", privateKey: pem });
    let length = 0;
    for await (const chunk of signer.sign(await nodemailer(mail))) length += chunk.length;
    return length;
  },
  rsa: async (_mail, { key }) => (await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, new Uint8Array(32))).byteLength,
};

let made: Promise<PrivateKey> | undefined;

export default {
  async fetch(request) {
    const { run = "", times = "1" } = Object.fromEntries(new URL(request.url).searchParams);
    const { html, text } = (await request.json()) as { html: string; text: string };
    made ??= makeKey();
    const key = await made;
    const one = runs[run];
    if (!one) return new Response(`There is no run "${run}".`, { status: 404 });
    let bytes = 0;
    for (let n = 0; n < Number(times); n++) bytes = await one(mailOf(html, text), key);
    return Response.json({ bytes });
  },
} satisfies ExportedHandler;
