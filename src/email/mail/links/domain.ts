import { keyFor, opened, sealed } from "../../../lib/seal.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";

export const DOMAIN_PATH = "/d";

/** Lifetime of a link in ms. */
export const DOMAIN_LINK_MS = 7 * DAY_MS;

const PURPOSE = "records link";

/** `domain` is an id; `expires` is Unix ms. */
export type DomainTarget = { team: string; domain: string; expires: number };

/** Builds an encrypted link to DNS records. */
export const domainLinkOf = async (
  secret: string,
  publicUrl: string,
  { team, domain, expires }: DomainTarget,
): Promise<string> =>
  `${publicUrl}${DOMAIN_PATH}/${await sealed(await keyFor(secret, PURPOSE), `${team} ${domain}`, expires)}`;

/** Reads a token with any of the secrets. `now` is Unix ms. Never throws. */
export const readDomainToken = async (
  secrets: readonly string[],
  token: string,
  now: number,
): Promise<DomainTarget | "expired" | "invalid"> => {
  for (const secret of secrets) {
    const found = await opened(await keyFor(secret, PURPOSE), token, now);
    if (found === "invalid") continue;
    if (found === "expired") return found;
    const [team = "", domain = ""] = found.payload.split(" ");
    return { team, domain, expires: found.expires };
  }
  return "invalid";
};
