import { DAY_MS } from "../../../lib/util/dates.ts";
import type { LinkKey } from "./keys.ts";
import { seal, unseal } from "./token.ts";

/** First part of the path of the page with the DNS records of a domain. */
export const DOMAIN_PATH = "/d";

/** How long such a link is valid, in ms. */
export const DOMAIN_LINK_MS = 7 * DAY_MS;

/** What a link to DNS records names. `domain`: its id. `expires`: Unix ms. */
export type DomainTarget = { team: string; domain: string; expires: number };

/** Address of the page with the DNS records of a domain. Nothing can be read from it, not even the team. */
export const domainLinkOf = async (key: LinkKey, publicUrl: string, target: DomainTarget): Promise<string> => {
  const { team, domain, expires } = target;
  return `${publicUrl}${DOMAIN_PATH}/${await seal(key, "domain", [team, domain, expires.toString(36)].join(" "))}`;
};

/** What the token of such a link names, also after its end; undefined when none of these keys made it. Never throws. */
export const readDomainToken = async (keys: readonly LinkKey[], token: string): Promise<DomainTarget | undefined> => {
  const text = await unseal(keys, "domain", token);
  if (text === undefined) return undefined;
  const [team = "", domain = "", expires = ""] = text.split(" ");
  return { team, domain, expires: Number.parseInt(expires, 36) };
};
