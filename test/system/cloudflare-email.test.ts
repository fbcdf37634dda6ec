import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { bundle, modulesOf } from "../../scripts/bundle.ts";

const WORKER = `
import { EmailMessage } from "cloudflare:email";
import { cloudflareSender } from "./src/email/delivery/senders/cloudflare/send.ts";
export default {
  async fetch(request, env) {
    const message = (from, to, raw) => new EmailMessage(from, to, raw);
    const raw = new TextEncoder().encode(await request.text());
    const envelope = { from: "bounce@envelope.example.com", to: ["ada@example.net"] };
    const mail = { id: "snd_1", raw, envelope, smtpUtf8: false };
    return Response.json(await cloudflareSender({ send: (one) => env.EMAIL.send(one), message }).send(mail));
  },
};`;

it("a mail goes through the send_email binding of the runtime, which gives it a Message-ID of its own", async () => {
  const modules = modulesOf(await bundle({ text: WORKER, folder: `${import.meta.dirname}/../..` }));
  const worker = {
    name: "mailer",
    modules,
    compatibilityDate: "2026-10-20",
    email: { send_email: [{ name: "EMAIL" }] },
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ host: "127.0.0.1", port: 0, cf: false, workers: [worker] }),
  );
  try {
    const send = async (body: string) => (await fetch(await miniflare.ready, { method: "POST", body })).json();
    const mail =
      "Message-ID: <1@example.com>\r\nFrom: Sam <sam@example.com>\r\nTo: ada@example.net\r\nSubject: x\r\n\r\nhello\r\n";
    const handover = await send(mail);
    expect(handover).toEqual({ outcome: "accepted", reply: expect.stringMatching(/^<.*@example\.com>$/) });
    expect(handover).not.toMatchObject({ reply: "<1@example.com>" });
    expect(await send(mail.replace("Message-ID: <1@example.com>\r\n", ""))).toMatchObject({ outcome: "unknown" });
  } finally {
    await miniflare.dispose();
  }
});
