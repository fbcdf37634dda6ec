import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import { createToken } from "./link-token.ts";

/** Short paths, because mail shows these addresses. */
export const LINK_PATHS = { unsubscribe: "/u", preferences: "/p", confirm: "/c" } as const satisfies Record<
  LinkKind,
  string
>;

const urlOf =
  (kind: LinkKind) =>
  async (secret: string, publicUrl: string, target: LinkTarget): Promise<string> =>
    `${publicUrl}${LINK_PATHS[kind]}/${await createToken(secret, kind, target)}`;

/** Builds the unsubscribe URL, with one-click POST (RFC 8058). */
export const unsubscribeUrlOf = urlOf("unsubscribe");

export const preferencesUrlOf = urlOf("preferences");

/** Builds the double opt-in URL. */
export const confirmLinkOf = urlOf("confirm");
