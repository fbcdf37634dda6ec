import { UNSUBSCRIBE_LINK, VIEW_LINK } from "../../../lib/lmx/language/variables.ts";
import type { LinkTarget } from "../../types/recipient.ts";
import type { ViewedMail } from "./link-token.ts";
import { preferencesUrlOf, unsubscribeUrlOf, viewUrlOf } from "./urls.ts";

type Viewed = Omit<ViewedMail, "target">;

/** Builds fields and variables of a marketing mail. `domain` is of the From address. `viewed`: if it links to itself. */
export const marketingParts = async (
  secret: string,
  publicUrl: string,
  target: LinkTarget,
  domain: string,
  viewed?: Viewed,
) => {
  const [unsubscribeUrl, preferencesUrl, viewUrl] = await Promise.all([
    unsubscribeUrlOf(secret, publicUrl, target),
    preferencesUrlOf(secret, publicUrl, target),
    viewed && viewUrlOf(secret, publicUrl, { target, ...viewed }),
  ]);
  // RFC 2919: a stable id that ends with the owner's domain.
  const listId = `${target.list ?? target.team}.${domain}`;
  return {
    mail: { class: "marketing", listId, unsubscribeUrl } as const,
    values: { [UNSUBSCRIBE_LINK]: unsubscribeUrl, ...(viewUrl === undefined ? {} : { [VIEW_LINK]: viewUrl }) },
    preferencesUrl,
  };
};
