import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `drop`: closes the connection after the request was read. `hang`: never answers. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; fault?: "drop" | "hang" };

type Received = { url: string; authorization: string | undefined; form: FormData };

const read = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** HTTP server in place of both regions of Mailgun. It refuses a wrong key as Mailgun does, with plain text. */
export const startMailgun = async (apiKey: string) => {
  let answer: Answer = {};
  const received: Received[] = [];

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization, host } = request.headers;
    const type = request.headers["content-type"] ?? "";
    const form = await new Response(await read(request), { headers: { "Content-Type": type } }).formData();
    const region = request.headers["x-region"] ?? host;
    received.push({ url: `https://${region}${request.url}`, authorization, form });
    if (answer.fault === "drop") return void request.socket.destroy();
    if (answer.fault === "hang") return;
    if (authorization !== `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`)
      return void response.writeHead(401, { "Content-Type": "text/plain" }).end("Forbidden");
    const { status = 200, headers = {}, body = { id: "<1@mail.example.com>", message: "Queued. Thank you." } } = answer;
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  };

  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    answerWith: (given: Answer) => {
      answer = given;
    },
    /** Sends the request here and names the region that it was for. */
    fetch: (request: Request): Promise<Response> => {
      const { host, pathname, search } = new URL(request.url);
      const local = new Request(`http://127.0.0.1:${port}${pathname}${search}`, request);
      local.headers.set("X-Region", host);
      return fetch(local);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
