import { UNTRACKED } from "../../../lib/lmx/language/links.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { TrackedMail } from "../../types/tracking.ts";
import { findRevision } from "../content/messages.ts";

type Counts = { clicks: number; people: number; robots: number };

/** `url`: without its query; null for all links that differ by recipient. */
export type CountedLink = { url: string | null } & Counts;

const MAX_URL = 500;

/** Removes the query, which may hold private data of the recipient. */
export const withoutQuery = (url: string): string => url.split(/[?#]/)[0]?.slice(0, MAX_URL) ?? "";

const PERSONAL = "";

/**
 * Counts a campaign link. Personal addresses share one row, so that counts identify no person and rows are limited.
 *
 * @param url without its query
 */
export const countLink = (
  sql: SqlStorage,
  { message, send }: Pick<TrackedMail, "message" | "send">,
  url: string,
  { clicks, people, robots }: Counts,
): void => {
  sql.exec(
    `INSERT INTO link_counts (message, url, clicks, people, robots)
     SELECT m.n, iif(EXISTS (SELECT 1 FROM link_counts WHERE message = m.n AND url = ?1)
         OR (SELECT instr(r.compiled, ?1) OR instr(r.compiled, replace(?1, '&', '&amp;')) FROM sends s
             JOIN message_revisions r ON r.n = s.revision WHERE s.n = ?2), ?1, '${PERSONAL}'),
       max(0, ?3), max(0, ?4), ?5
     FROM email_messages m WHERE m.n = ?6 AND m.campaign IS NOT NULL
     ON CONFLICT (message, url) DO UPDATE SET clicks = max(0, clicks + ?3), people = max(0, people + ?4), robots = robots + ?5`,
    url,
    send,
    clicks,
    people,
    robots,
    message,
  );
};

/** Returns all links of a message in content order, also without clicks. */
export const linksOf = (
  sql: SqlStorage,
  { message, revision }: { message: number; revision: number },
): CountedLink[] => {
  const counted = new Map(
    sql
      .exec<{ url: string } & Counts>("SELECT url, clicks, people, robots FROM link_counts WHERE message = ?", message)
      .toArray()
      .map(({ url, ...counts }) => [url, counts]),
  );
  const content = findRevision(sql, revision);
  const urls = new Set([...(content ? addressesIn(content) : []), ...counted.keys()]);
  return [...urls].map((url) => ({
    url: url === PERSONAL ? null : url,
    ...(counted.get(url) ?? { clicks: 0, people: 0, robots: 0 }),
  }));
};

const addressesIn = ({ html }: Pick<CompiledMessage, "html">): Set<string> => {
  const written = html
    .map((part) => (typeof part === "string" ? part : "variable" in part ? `{${part.variable}}` : ""))
    .join("");
  const addresses = [...written.matchAll(LINK)].map(([, escaped = ""]) =>
    withoutQuery(escaped.replaceAll("&amp;", "&")),
  );
  return new Set(addresses.map((url) => (url.includes("{") ? PERSONAL : url)));
};

/** The compiler writes these tags. */
const LINK = new RegExp(`<(?:a|v:roundrect)\\b[^>]*? href="(https?://[^"]*)"(?!${UNTRACKED})`, "gi");
