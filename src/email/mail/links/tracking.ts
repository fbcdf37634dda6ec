import { hmac, sameMac, toBytes } from "../../../lib/util/hmac.ts";
import type { TrackedMail } from "../../types/tracking.ts";
import type { LinkKey } from "./keys.ts";
import { seal, unseal } from "./token.ts";

export const TRACKING_PATHS = { open: "/t/o", click: "/t/c" } as const;

/** Outlook permits links of at most 2,083 characters. */
const MAX_URL = 1_200;
const MAX_CHARACTERS = 2_100;

const base64url = { alphabet: "base64url", omitPadding: true } as const;

const toText = ({ team, send, contact, message, run }: TrackedMail): string =>
  [team, ...[send, contact, message, run].map((number) => number.toString(36))].join(" ");

const toMail = (text: string): TrackedMail => {
  const [team = "", ...numbers] = text.split(" ");
  const [send = 0, contact = 0, message = 0, run = 0] = numbers.map((number) => Number.parseInt(number, 36));
  return { team, send, contact, message, run };
};

/** 128 bits over mail, number and URL prevent other redirects. */
const tagOf = async (key: LinkKey, mail: string, link: string, url: string): Promise<string> =>
  (await hmac(key.tag, `click ${mail} ${link} ${url}`)).slice(0, 16).toBase64(base64url);

/** Builds tracking URLs. `linkOf` returns undefined for untrackable addresses. */
export const trackingLinksOf = async (key: LinkKey, publicUrl: string, mail: TrackedMail) => {
  const token = await seal(key, "mail", toText(mail));
  return {
    picture: `${publicUrl}${TRACKING_PATHS.open}/${token}`,
    async linkOf(url: string, link: number): Promise<string | undefined> {
      if (url.length > MAX_URL || !isTarget(url)) return undefined;
      const number = link.toString(36);
      const parts = [token, number, await tagOf(key, token, number, url), toBytes(url).toBase64(base64url)];
      return `${publicUrl}${TRACKING_PATHS.click}/${parts.join(".")}`;
    },
  };
};

/** A Location header has ASCII only. */
const isTarget = (url: string): boolean => /^https?:\/\/[!-~]+$/i.test(url) && URL.canParse(url);

/** Returns the mail of an open token; undefined if invalid. */
export const readOpen = async (keys: readonly LinkKey[], token: string): Promise<TrackedMail | undefined> => {
  const text = await unseal(keys, "mail", token);
  return text === undefined ? undefined : toMail(text);
};

/** Reads a tracked link; undefined if invalid. Never throws. */
export const readClick = async (
  keys: readonly LinkKey[],
  token: string,
): Promise<{ mail: TrackedMail; link: number; url: string } | undefined> => {
  const [sealed = "", number = "", tag = "", encoded = "", ...rest] = token.split(".");
  if (token.length > MAX_CHARACTERS || rest.length > 0) return undefined;
  const url = textOf(encoded);
  if (url === undefined || !isTarget(url)) return undefined;
  for (const key of keys) {
    if (!sameMac(await tagOf(key, sealed, number, url), tag)) continue;
    const mail = await readOpen([key], sealed);
    if (mail) return { mail, link: Number.parseInt(number, 36), url };
  }
  return undefined;
};

const textOf = (encoded: string): string | undefined => {
  try {
    const bytes = Uint8Array.fromBase64(encoded, { alphabet: "base64url" });
    return bytes.toBase64(base64url) === encoded ? new TextDecoder().decode(bytes) : undefined;
  } catch {
    return undefined;
  }
};
