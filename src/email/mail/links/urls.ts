import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import { createToken, createViewToken, type ViewedMail } from "./link-token.ts";

/** Short paths, because mail shows these addresses. */
export const LINK_PATHS = { unsubscribe: "/u", preferences: "/p", confirm: "/c" } as const satisfies Record<
  LinkKind,
  string
>;

/** The mail itself, in a browser. */
export const VIEW_PATH = "/v";

export const viewUrlOf = async (secret: string, publicUrl: string, mail: ViewedMail): Promise<string> =>
  `${publicUrl}${VIEW_PATH}/${await createViewToken(secret, mail)}`;

const urlOf =
  (kind: LinkKind) =>
  async (secret: string, publicUrl: string, target: LinkTarget): Promise<string> =>
    `${publicUrl}${LINK_PATHS[kind]}/${await createToken(secret, kind, target)}`;

/** Builds the unsubscribe URL, with one-click POST (RFC 8058). */
export const unsubscribeUrlOf = urlOf("unsubscribe");

export const preferencesUrlOf = urlOf("preferences");

/** Builds the double opt-in URL. */
export const confirmLinkOf = urlOf("confirm");
