import { fromBase64Url, isTag, tag } from "../../../lib/seal.ts";
import { toBytes } from "../../../lib/util/hmac.ts";
import type { TrackedMail } from "../../types/tracking.ts";
import { openedFor, sealedFor } from "./link-token.ts";
import { mailKey } from "./mail-key.ts";

export const TRACKING_PATHS = { open: "/t/o", click: "/t/c" } as const;

/** Outlook permits links of at most 2,083 characters. */
const MAX_URL = 1_200;
const MAX_CHARACTERS = 2_100;

/** Builds tracking URLs. `linkOf` returns undefined for untrackable addresses. */
export const trackingLinksOf = async (secret: string, publicUrl: string, mail: TrackedMail) => {
  const { team, send, contact, message, run } = mail;
  const fields = [contact, message, run].map((number) => number.toString(36));
  const key = await (await mailKey(secret, team, send)).key();
  const token = await sealedFor(secret, "open", { team, n: send }, fields);
  return {
    picture: `${publicUrl}${TRACKING_PATHS.open}/${token}`,
    async linkOf(url: string, link: number, place: number): Promise<string | undefined> {
      if (url.length > MAX_URL || !isTarget(url)) return undefined;
      // The number of the link comes first, as in the mails of earlier versions.
      const number = `${link.toString(36)}-${place.toString(36)}`;
      // The tag is of this mail's key, and prevents other redirects.
      const parts = [token, number, await tag(key, `${number} ${url}`), toBytes(url).toBase64(BASE64URL)];
      return `${publicUrl}${TRACKING_PATHS.click}/${parts.join(".")}`;
    },
  };
};

const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

/** A Location header has ASCII only. */
const isTarget = (url: string): boolean => /^https?:\/\/[!-~]+$/i.test(url) && URL.canParse(url);

const readMail = async (secrets: readonly string[], token: string) => {
  const found = await openedFor(secrets, "open", token);
  if (!found) return undefined;
  const [contact = 0, message = 0, run = 0] = found.fields.map((field) => Number.parseInt(field, 36));
  const mail: TrackedMail = { team: found.mail.team, send: found.mail.n, contact, message, run };
  return { mail, key: found.key };
};

/** Returns the mail of an open token; undefined if invalid. */
export const readOpen = async (secrets: readonly string[], token: string): Promise<TrackedMail | undefined> =>
  (await readMail(secrets, token))?.mail;

/** Reads a tracked link; undefined if invalid. Never throws. */
export const readClick = async (
  secrets: readonly string[],
  token: string,
): Promise<{ mail: TrackedMail; link: number; place?: number; url: string } | undefined> => {
  const [sealed = "", number = "", offered = "", encoded = "", ...rest] = token.split(".");
  if (token.length > MAX_CHARACTERS || rest.length > 0) return undefined;
  const bytes = fromBase64Url(encoded);
  const url = bytes && new TextDecoder().decode(bytes);
  if (url === undefined || !isTarget(url)) return undefined;
  const found = await readMail(secrets, sealed);
  if (!found || !(await isTag(found.key, `${number} ${url}`, offered))) return undefined;
  const [link = "", place] = number.split("-");
  const at = place === undefined ? {} : { place: Number.parseInt(place, 36) };
  return { mail: found.mail, link: Number.parseInt(link, 36), ...at, url };
};
