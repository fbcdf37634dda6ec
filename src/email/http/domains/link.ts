import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import type { Request } from "../../../lib/contract/operation.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { publicUrlOf } from "../../../lib/util/public-url.ts";
import type { Env } from "../../env.ts";
import { DOMAIN_LINK_MS, domainLinkOf } from "../../mail/links/domain.ts";

/** Creates a stateless link to a domain's DNS records. */
export const makeDomainLink = async (
  env: Env,
  { team, domainId }: Request<AdminContract["domains"]["share"]>,
  now: number,
): Promise<Reply> => {
  const publicUrl = publicUrlOf(env);
  // A former secret signs no new link.
  const { API_KEY_SECRET: secret } = env;
  if (publicUrl === undefined || !secret) {
    const setting = secret ? "PUBLIC_URL" : "API_KEY_SECRET";
    const message = `${setting} is not set on the email Worker: without it there is no link. Set it: docs/settings.md says how.`;
    return { refusal: { code: "links_not_configured", message } };
  }
  const expires = now + DOMAIN_LINK_MS;
  const url = await domainLinkOf(secret, publicUrl, { team, domain: domainId, expires });
  return { status: 200, body: { url, expiresAt: isoOf(expires) } };
};
