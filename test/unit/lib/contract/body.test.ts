import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createClient } from "../../../../src/lib/client.ts";
import { readAnswer, readAnswerText } from "../../../../src/lib/contract/body.ts";
import { fetchText } from "../../../../src/lib/signature/parts/keys.ts";
import { getObject } from "../../../../src/lib/webhook/provider.ts";

const endless = (headers: Record<string, string> = {}, status = 200) => {
  const taken = { bytes: 0, canceled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken.bytes += 4_096;
      controller.enqueue(new Uint8Array(4_096).fill(97));
    },
    cancel: () => {
      taken.canceled = true;
    },
  });
  return { taken, answer: new Response(body, { status, headers }) };
};

it("an answer up to the limit is read whole, in one piece or in chunks", async () => {
  const text = "grüße".repeat(1_000);
  const bytes = new TextEncoder().encode(text);
  const chunks = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
        controller.close();
      },
    });
  for (const answer of [
    new Response(chunks()),
    new Response(bytes, { headers: { "Content-Length": String(bytes.length) } }),
  ])
    expect(await readAnswerText(answer, bytes.length)).toBe(text);
  expect(await readAnswer(new Response(chunks()), bytes.length - 1)).toBeUndefined();
  expect(await readAnswerText(new Response(null, { status: 204 }), 0)).toBe("");
});

it.each([{}, { "Content-Length": "100", "Content-Encoding": "gzip" }, { "Content-Length": "99999999" }])(
  "of a longer answer, with the headers %j, no more is read than the limit",
  async (headers) => {
    const { answer, taken } = endless(headers);
    expect(await readAnswer(answer, 100_000)).toBeUndefined();
    expect(taken).toEqual({ bytes: expect.any(Number), canceled: true });
    expect(taken.bytes).toBeLessThan(120_000);
  },
);

it("the host's answer to a call is read up to 1 MB: a longer one is no answer of the API", async () => {
  const send = async (status: number) => {
    const { answer, taken } = endless({}, status);
    const api = createClient({ baseUrl: "https://host.test", apiKey: "k", fetch: async () => answer });
    const result = await api.events.send({ email: "ada@example.com", eventName: "x" }).catch((error: unknown) => error);
    expect(taken.bytes).toBeLessThan(1_050_000);
    return result;
  };
  expect(await send(200)).toMatchObject({
    status: 200,
    message: "Something in front of the email service answered 200 with more than 1000000 bytes.",
  });
  expect(await send(500)).toMatchObject({
    status: 500,
    message: "The email service or something in front of it answered 500 with more than 1000000 bytes.",
  });
});

it("public keys are read up to 100 KB, and an object of a provider up to 10 MB", async () => {
  const keys = endless();
  const context = { fetch: async () => keys.answer, cache: new Map(), sleep: async () => {} };
  expect(await fetchText("https://keys.test/", 0, context)).toBeUndefined();
  expect(keys.taken.bytes).toBeLessThan(120_000);
  const object = endless();
  const api = { key: "k", baseUrl: "https://api.test", fetch: async () => object.answer, now: () => 0 };
  await expect(getObject(api, "/x")).rejects.toThrow("not a JSON object");
  expect(object.taken.bytes).toBeLessThan(10_100_000);
});

it("a small compressed answer that becomes a large one is not read whole", async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, 97));
  const server = createServer((_, response) =>
    response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": bomb.length }).end(bomb),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(bomb.length).toBeLessThan(100_000);
  expect(await readAnswer(await fetch(url), 100_000)).toBeUndefined();
  expect(await readAnswer(await fetch(url), 20_000_000)).toHaveLength(20_000_000);
  server.close();
});
