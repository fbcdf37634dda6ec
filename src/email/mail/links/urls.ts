import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import type { LinkKey } from "./keys.ts";
import { createToken } from "./token.ts";

/** First part of the path of each kind of link. It is short because mail shows these addresses. */
export const LINK_PATHS = { unsubscribe: "/u", preferences: "/p", confirm: "/c" } as const satisfies Record<
  LinkKind,
  string
>;

const urlOf =
  (kind: LinkKind) =>
  async (key: LinkKey, publicUrl: string, target: LinkTarget): Promise<string> =>
    `${publicUrl}${LINK_PATHS[kind]}/${await createToken(key, kind, target)}`;

/** Address of the page that unsubscribes. It takes the one-click POST of RFC 8058. */
export const unsubscribeUrlOf = urlOf("unsubscribe");

/** Address of the page where a recipient chooses mailing lists. */
export const preferencesUrlOf = urlOf("preferences");

/** Address of the page that confirms a subscription (double opt-in). */
export const confirmLinkOf = urlOf("confirm");
