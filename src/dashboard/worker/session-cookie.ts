import { isTag, keyFor, tag } from "../../lib/seal.ts";
import { digest } from "../../lib/util/hmac.ts";
import { SESSION_MS } from "./logins.ts";

const ID = /^[0-9a-f]{64}$/;

export const isLoopback = (hostname: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname);

/** Returns undefined for http, except locally. Safari takes `__Host-` over https only. */
const formOf = ({ protocol, hostname }: URL): { name: string; attributes: string } | undefined => {
  const shared = "Path=/; HttpOnly; SameSite=Strict";
  if (protocol === "https:") return { name: "__Host-ms", attributes: `${shared}; Secure` };
  return isLoopback(hostname) ? { name: "ms", attributes: shared } : undefined;
};

export const takesCookies = (url: string): boolean => formOf(new URL(url)) !== undefined;

/** A new admin token ends all sessions. */
const sessionKey = (adminToken: string) => keyFor(adminToken, "dashboard session");

/** Creates a cookie value, and the hash for Logins. */
export const newSession = async (adminToken: string): Promise<{ value: string; hash: string }> => {
  const id = crypto.getRandomValues(new Uint8Array(32)).toHex();
  return { value: `${id}.${await tag(await sessionKey(adminToken), id)}`, hash: await digest(id) };
};

/** Cookies of this name. */
const MOST_COOKIES = 10;

/** Returns the cookie's session hash; undefined without a valid tag. */
export const sessionHash = async (request: Request, adminToken: string): Promise<string | undefined> => {
  const form = formOf(new URL(request.url));
  if (!form) return undefined;
  const given = (request.headers.get("Cookie") ?? "").split(/; */).filter((pair) => pair.startsWith(`${form.name}=`));
  // A sibling host can set this cookie too: browsers send both.
  for (const pair of given.slice(0, MOST_COOKIES)) {
    const [id = "", offered = "", ...more] = pair.slice(form.name.length + 1).split(".");
    // False ids are refused without a Durable Object.
    if (more.length === 0 && ID.test(id) && (await isTag(await sessionKey(adminToken), id, offered))) return digest(id);
  }
  return undefined;
};

/** Sets the cookie; without a value it removes it. */
export const setCookie = (url: string, value = ""): string => {
  const { name, attributes } = formOf(new URL(url)) ?? { name: "ms", attributes: "Path=/" };
  return `${name}=${value}; ${attributes}; Max-Age=${value === "" ? 0 : SESSION_MS / 1_000}`;
};
