import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorker } from "../../scripts/worker.ts";
import { loadWorker } from "../../scripts/workers.ts";
import { type Mailspan, secrets, until } from "./mailspan.ts";
import { createUpload, mailPicture, png, post, publishPicture, put, startWithPictures } from "./pictures.ts";

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startWithPictures();
});
afterAll(() => mailspan.stop());

const create = (by = mailspan.emailUrl) => createUpload(by, mailspan.key);
const publish = (by = mailspan.emailUrl) => publishPicture(by, mailspan.key);
const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

it("a picture that was uploaded is in the mail, and the inbox shows it", async () => {
  const { id, finalUrl } = await mailPicture(mailspan);
  expect((await mailspan.mail(id)).html).toContain(`src="${finalUrl}"`);

  const page = await fetch(`${mailspan.emailUrl}/inbox/${id}`);
  expect(page.headers.get("Content-Security-Policy")).toContain("img-src 'self' https: http:");
  expect(await page.text()).toContain(finalUrl);
});

it("pictures survive a restart", async () => {
  const finalUrl = await publish();
  await mailspan.restart();
  expect(await bytesOf(finalUrl)).toEqual(png);
});

it("an upload through the gateway is put at the bridge, which passes pictures on too", async () => {
  expect((await create(mailspan.url)).url.startsWith(`${mailspan.url}/uploads/`)).toBe(true);
  const finalUrl = (await publish(mailspan.url)).replace(mailspan.emailUrl, mailspan.url);
  const { headers } = await fetch(finalUrl);
  expect([headers.get("X-Content-Type-Options"), headers.get("Cache-Control")]).toEqual([
    "nosniff",
    "public, max-age=31536000, immutable",
  ]);
  expect(await bytesOf(finalUrl)).toEqual(png);
  expect((await fetch(`${mailspan.url}/assets/pic_none.png`)).status).toBe(404);
});

describe("a PUT over HTTP", () => {
  type Answer = { status: number | undefined; code: string | undefined };
  /** Sends a PUT without a Content-Length, or with a wrong one: `fetch` always sends the right one. */
  const send = async (url: string, write: (to: ClientRequest) => void, headers = {}): Promise<Answer> => {
    const sent = request(url, { method: "PUT", headers: { "Content-Type": "image/png", ...headers } });
    const answered = once(sent, "response") as Promise<[IncomingMessage]>;
    write(sent);
    const [response] = await answered;
    const chunks = await response.toArray();
    return { status: response.statusCode, code: JSON.parse(Buffer.concat(chunks).toString()).code };
  };
  const inChunks = (bytes: Uint8Array) => (to: ClientRequest) => {
    for (let at = 0; at < bytes.length; at += 50) to.write(bytes.subarray(at, at + 50));
    to.end();
  };

  it("in chunks is taken if it fits, and refused if it is longer or shorter", async () => {
    const { id, url } = await create();
    for (const bytes of [new Uint8Array([...png, 0]), png.slice(1), new Uint8Array(3_000_000)])
      expect(await send(url, inChunks(bytes))).toEqual({ status: 400, code: "wrong_content_length" });
    expect((await post(mailspan.emailUrl, mailspan.key, `/uploads/${id}/complete`)).json.code).toBe(
      "upload_not_arrived",
    );
    expect((await send(url, inChunks(png))).status).toBe(200);
  });

  it("with another Content-Length is refused", async () => {
    const { url } = await create();
    const headers = { "Content-Length": `${png.length + 1}` };
    const answer = await send(url, (to) => to.end(Buffer.from([...png, 0])), headers);
    expect(answer).toEqual({ status: 400, code: "wrong_content_length" });
    expect((await put(url)).status).toBe(200);
  });

  it("that is cut off stores nothing, and can be repeated", async () => {
    const { id, url } = await create();
    const headers = { "Content-Type": "image/png", "Content-Length": `${png.length}` };
    const cut = request(url, { method: "PUT", headers });
    cut.on("error", () => {});
    cut.write(png.subarray(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    cut.destroy();
    expect((await post(mailspan.emailUrl, mailspan.key, `/uploads/${id}/complete`)).json.code).toBe(
      "upload_not_arrived",
    );
    expect((await put(url)).status).toBe(200);
    expect((await post(mailspan.emailUrl, mailspan.key, `/uploads/${id}/complete`)).status).toBe(200);
  });

  it("of ten at once is taken once", async () => {
    const { url } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(url)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await put(url)).status).toBe(200);
    expect((await put(url, png.with(-1, 0))).status).toBe(409);
  });
});

it("an email Worker without a bucket refuses uploads with the fix, and does everything else", async () => {
  const { script, durable_objects } = await loadWorker(join("src", "email", "wrangler.toml"));
  const { ADMIN_TOKEN } = secrets;
  const worker = await startWorker({
    script,
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "test-key-secret", INBOX: "1" },
    objects: Object.fromEntries(durable_objects.bindings.map(({ name, class_name }) => [name, class_name])),
  });
  try {
    const operate = async (path: string, body: unknown) => {
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" };
      const url = `${worker.url}/admin/teams${path}`;
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<{
        key: string;
      }>;
    };
    await operate("", { id: "acme", name: "Acme", samples: true });
    const { key } = await operate("/acme/keys", { name: "test" });
    const refused = await post(worker.url, key, "/uploads", { contentType: "image/png", contentLength: png.length });
    expect(refused).toMatchObject({ status: 400, json: { code: "uploads_not_configured" } });
    expect(refused.json.message).toContain("npm run deploy");
    const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
    expect((await post(worker.url, key, "/transactional", mail)).status).toBe(200);
    const inbox = async () => (await (await fetch(`${worker.url}/inbox.json`)).json()) as { total: number };
    await until("the mail", async () => ((await inbox()).total === 1 ? true : undefined));
  } finally {
    await worker.stop();
  }
});
