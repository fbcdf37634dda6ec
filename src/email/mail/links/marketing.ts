import type { LinkTarget } from "../../types/recipient.ts";
import { preferencesUrlOf, unsubscribeUrlOf } from "./urls.ts";

/** Builds fields and variables of a marketing mail. `domain` is of the From address. */
export const marketingParts = async (secret: string, publicUrl: string, target: LinkTarget, domain: string) => {
  const [unsubscribeUrl, preferencesUrl] = await Promise.all([
    unsubscribeUrlOf(secret, publicUrl, target),
    preferencesUrlOf(secret, publicUrl, target),
  ]);
  // RFC 2919: a stable id that ends with the owner's domain.
  const listId = `${target.list ?? target.team}.${domain}`;
  return {
    mail: { class: "marketing", listId, unsubscribeUrl } as const,
    values: { "system.unsubscribe_link": unsubscribeUrl },
    preferencesUrl,
  };
};
