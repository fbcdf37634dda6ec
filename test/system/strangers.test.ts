import { request } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { type Mailspan, sharedMailspan } from "./mailspan.ts";

// Requests that no one has signed, and mail from strangers.

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await sharedMailspan();
});

const CHUNK = Buffer.alloc(64_000, "x");
/** The sockets of both ends keep a few million bytes. */
const MOST_SENT = 10_000_000;

/** Posts up to 50 MB, and returns the answer with the bytes that were taken before it. */
const upload = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
    let sent = 0;
    let done = false;
    const post = request(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers } });
    const end = (status: number | undefined) => {
      if (done) return;
      done = true;
      resolve({ status, sent });
      post.destroy();
    };
    post.on("response", ({ statusCode }) => end(statusCode));
    post.on("error", (error: NodeJS.ErrnoException) =>
      ["EPIPE", "ECONNRESET"].includes(error.code ?? "") ? setTimeout(() => end(undefined), 200) : reject(error),
    );
    const write = () => {
      while (!done && sent < 50_000_000) {
        sent += CHUNK.length;
        if (!post.write(CHUNK)) return post.once("drain", write);
      }
      return post.end();
    };
    write();
  });

it.each([
  ["a webhook", () => `${mailspan.url}/hooks/stripe`],
  ["a webhook of a mail provider", () => `${mailspan.emailUrl}/bounces/mailgun`],
])("%s of 50 MB is cut at its limit, whether it says its length or not", async (_, urlOf) => {
  for (const headers of [{}, { "Content-Length": "50048000" }] as Record<string, string>[]) {
    const { status, sent } = await upload(urlOf(), headers);
    expect([413, undefined]).toContain(status);
    expect(sent).toBeLessThan(MOST_SENT);
  }
});
