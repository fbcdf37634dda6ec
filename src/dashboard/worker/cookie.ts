import { digest, hmac, sameMac, toBytes } from "../../lib/util/hmac.ts";
import { remember } from "../../lib/util/remember.ts";
import { SESSION_MS } from "./logins.ts";

const ID = /^[0-9a-f]{64}$/;
const TAG_BYTES = 16;

export const isLoopback = (hostname: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);

/** Returns undefined for http, except locally. Safari takes `__Host-` over https only. */
const formOf = ({ protocol, hostname }: URL): { name: string; attributes: string } | undefined => {
  const shared = "Path=/; HttpOnly; SameSite=Strict";
  if (protocol === "https:") return { name: "__Host-ms", attributes: `${shared}; Secure` };
  return isLoopback(hostname) ? { name: "ms", attributes: shared } : undefined;
};

export const takesCookies = (url: string): boolean => formOf(new URL(url)) !== undefined;

/** Derives a key per use. A new admin token ends all sessions. */
export const keyFor = remember(async (adminToken: string, use: string): Promise<Uint8Array<ArrayBuffer>> => {
  const material = await crypto.subtle.importKey("raw", toBytes(adminToken), "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: toBytes(use) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256));
}, 8);

/** False ids are refused without a Durable Object. */
const tagOf = async (adminToken: string, id: string): Promise<string> =>
  (await hmac(await keyFor(adminToken, "mailspan dashboard session v1"), id)).slice(0, TAG_BYTES).toHex();

/** Creates a cookie value, and the hash for the Door. */
export const newSession = async (adminToken: string): Promise<{ value: string; hash: string }> => {
  const id = crypto.getRandomValues(new Uint8Array(32)).toHex();
  return { value: `${id}.${await tagOf(adminToken, id)}`, hash: await digest(id) };
};

/** Returns the cookie's session hash; undefined without a valid tag. */
export const sessionHash = async (request: Request, adminToken: string): Promise<string | undefined> => {
  const form = formOf(new URL(request.url));
  if (!form) return undefined;
  const given = (request.headers.get("Cookie") ?? "").split(/; */).filter((pair) => pair.startsWith(`${form.name}=`));
  // A sibling host can set this cookie too: browsers send both.
  for (const pair of given) {
    const [id = "", tag = ""] = pair.slice(form.name.length + 1).split(".");
    if (ID.test(id) && sameMac(await tagOf(adminToken, id), tag)) return digest(id);
  }
  return undefined;
};

/** Sets the cookie; without a value it removes it. */
export const setCookie = (url: string, value = ""): string => {
  const { name, attributes } = formOf(new URL(url)) ?? { name: "ms", attributes: "Path=/" };
  return `${name}=${value}; ${attributes}; Max-Age=${value === "" ? 0 : SESSION_MS / 1_000}`;
};
