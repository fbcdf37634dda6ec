import { expect, it } from "vitest";
import { mailgunSender } from "../../../../src/email/delivery/senders/mailgun/send.ts";

it("workerd sends the message to Mailgun byte for byte, as a file", async () => {
  const raw = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
  let form: FormData | undefined;
  const https = {
    fetch: async (request: Request) => {
      form = await request.formData();
      return Response.json({ id: "<1@example.com>", message: "Queued. Thank you." });
    },
    now: () => 0,
    timeout: (ms: number) => AbortSignal.timeout(ms),
  };
  const envelope = { from: "b@example.com", to: ["ada@example.net"] };
  const message = { id: "snd_1", raw, envelope, smtpUtf8: false, token: "acme_1_abcdefghijkl" };
  const sender = mailgunSender({ region: "us", apiKey: "key" }, "example.com", https);
  expect(await sender.send(message)).toEqual({ outcome: "accepted", reply: "<1@example.com>" });
  expect(form?.get("v:send")).toBe("acme_1_abcdefghijkl");
  const file = form?.get("message") as unknown as File;
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(raw);
});
