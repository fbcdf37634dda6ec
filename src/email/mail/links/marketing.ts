import type { LinkTarget } from "../../types/recipient.ts";
import type { LinkKey } from "./keys.ts";
import { preferencesUrlOf, unsubscribeUrlOf } from "./urls.ts";

/**
 * What the recipient's link adds to a marketing mail: the fields of `Mail`, the values of the system variables in its document, and
 * the address of its preferences. `domain`: of the From address.
 */
export const marketingParts = async (key: LinkKey, publicUrl: string, target: LinkTarget, domain: string) => {
  const [unsubscribeUrl, preferencesUrl] = await Promise.all([
    unsubscribeUrlOf(key, publicUrl, target),
    preferencesUrlOf(key, publicUrl, target),
  ]);
  // RFC 2919: the id of a list never changes, and ends with a domain of its owner.
  const listId = `${target.list ?? target.team}.${domain}`;
  return {
    mail: { class: "marketing", listId, unsubscribeUrl } as const,
    values: { "system.unsubscribe_link": unsubscribeUrl },
    preferencesUrl,
  };
};
