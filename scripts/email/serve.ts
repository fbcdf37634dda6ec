import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Built } from "./build.ts";
import { pageOf, versionOf } from "./page.ts";
import { inScheme, type Scheme } from "./scheme.ts";

const FIRST_PORT = 8790;
const LAST_PORT = 8890;

const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** No script of a mail runs, even outside the frame. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https: http: data:",
  "sandbox",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** Protects against DNS rebinding: Host is then a foreign name. */
export const isLocal = (host: string | undefined): boolean =>
  /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/i.test(host ?? "");

export type Preview = { url: string; show(built: Built): void; close(): Promise<void> };

/**
 * Serves the page at 127.0.0.1. Throws if the port is in use.
 * @param port undefined: first free port from 8790; 0: any
 */
export const servePreview = async (first: Built, port: number | undefined): Promise<Preview> => {
  let built = first;
  const readers = new Set<ServerResponse>();
  const server = createServer((request, response) => answer(request, response, built, readers));
  await listenAt(server, port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/`,
    show: (next) => {
      built = next;
      for (const reader of readers) sendVersion(reader, built);
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Readers of /events stay connected while their page is open.
      server.closeAllConnections();
      return closed;
    },
  };
};

const listenAt = async (server: Server, port: number | undefined): Promise<void> => {
  const last = port ?? LAST_PORT;
  for (let next = port ?? FIRST_PORT; next <= last; next++) if (await listens(server, next)) return;
  const taken = port === undefined ? `Ports ${FIRST_PORT} to ${LAST_PORT} are` : `Port ${port} is`;
  throw new Error(`${taken} in use. Choose another one with --port.`);
};

/** False if the port is in use. */
const listens = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error));
    server.once("error", refuse);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", refuse);
      resolve(true);
    });
  });

const sendVersion = (reader: ServerResponse, built: Built): void => void reader.write(`data: ${versionOf(built)}\n\n`);

const send = (response: ServerResponse, status: number, type: string, body: string, policy: string): void => {
  response.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  });
  response.end(body);
};

const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, "text/plain", `${message}\n`, "default-src 'none'");

const answer = async (
  { method, url = "/", headers }: IncomingMessage,
  response: ServerResponse,
  built: Built,
  readers: Set<ServerResponse>,
): Promise<void> => {
  if (!isLocal(headers.host)) return refuse(response, 403, "This page answers under 127.0.0.1 or localhost only.");
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, `${method} is not allowed here; use GET.`);
  }
  const [path] = url.split("?");
  const [, scheme] = /^\/mail\/(light|dark)\.html$/.exec(path ?? "") ?? [];
  if (path === "/") {
    const nonce = randomBytes(16).toString("base64");
    return send(response, 200, "text/html", String(await pageOf(built, nonce)), pagePolicy(nonce));
  }
  if (scheme !== undefined && built.mail !== undefined)
    return send(response, 200, "text/html", inScheme(built.mail.html, scheme as Scheme), MAIL_POLICY);
  if (path !== "/events") return refuse(response, 404, "There is nothing here.");
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  if (method === "HEAD") return void response.end();
  readers.add(response);
  response.once("close", () => readers.delete(response));
  sendVersion(response, built);
};
