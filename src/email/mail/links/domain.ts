import { DAY_MS } from "../../../lib/util/dates.ts";
import type { LinkKey } from "./keys.ts";
import { seal, unseal } from "./token.ts";

export const DOMAIN_PATH = "/d";

/** Lifetime of a link in ms. */
export const DOMAIN_LINK_MS = 7 * DAY_MS;

/** `domain` is an id; `expires` is Unix ms. */
export type DomainTarget = { team: string; domain: string; expires: number };

/** Builds an encrypted link to DNS records. */
export const domainLinkOf = async (key: LinkKey, publicUrl: string, target: DomainTarget): Promise<string> => {
  const { team, domain, expires } = target;
  return `${publicUrl}${DOMAIN_PATH}/${await seal(key, "domain", [team, domain, expires.toString(36)].join(" "))}`;
};

/** Reads a token, even expired; undefined without a matching key. Never throws. */
export const readDomainToken = async (keys: readonly LinkKey[], token: string): Promise<DomainTarget | undefined> => {
  const text = await unseal(keys, "domain", token);
  if (text === undefined) return undefined;
  const [team = "", domain = "", expires = ""] = text.split(" ");
  return { team, domain, expires: Number.parseInt(expires, 36) };
};
