import { literalOf } from "../../../lib/lmx/draw/parts.ts";
import { isWebAddress, UNTRACKED } from "../../../lib/lmx/language/links.ts";
import { systemLinks } from "../../../lib/lmx/language/variables.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { TrackedMail } from "../../types/tracking.ts";
import { findRevision } from "../content/messages.ts";

type Counts = { clicks: number; people: number; robots: number };

/** Clicks of people at a place of the mail. */
export type AtPlace = { place: number; clicks: number; people: number };

/** A link as a reader sees it. `text`: its words, or those of its picture. */
type Place = AtPlace & { kind: "button" | "picture" | "text"; text: string };

/** `url`: without its query; null for all links that differ by recipient. */
export type CountedLink = { url: string | null; places: Place[] } & Counts;

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
  places: readonly AtPlace[] = [],
): void => {
  const changes = places.flatMap((one) => [
    [`c${one.place}`, one.clicks] as const,
    [`p${one.place}`, one.people] as const,
  ]);
  const keys = changes.map((_, nth) => [`?${7 + 2 * nth}`, `?${8 + 2 * nth}`] as const);
  const added = keys.map(([key, by]) => `'$.' || ${key}, max(0, coalesce(places ->> ('$.' || ${key}), 0) + ${by})`);
  const isAdded = changes.length > 0;
  sql.exec(
    `INSERT INTO link_counts (message, url, clicks, people, robots, places)
     SELECT m.n, iif(EXISTS (SELECT 1 FROM link_counts WHERE message = m.n AND url = ?1)
         OR (SELECT instr(r.compiled, ?1) OR instr(r.compiled, replace(?1, '&', '&amp;')) FROM sends s
             JOIN message_revisions r ON r.n = s.revision WHERE s.n = ?2), ?1, '${PERSONAL}'),
       max(0, ?3), max(0, ?4), ?5, ${isAdded ? `json_object(${keys.map(([key, by]) => `${key}, max(0, ${by})`).join(", ")})` : "NULL"}
     FROM email_messages m WHERE m.n = ?6 AND m.campaign IS NOT NULL
     ON CONFLICT (message, url) DO UPDATE SET clicks = max(0, clicks + ?3), people = max(0, people + ?4), robots = robots + ?5,
       places = ${isAdded ? `json_set(coalesce(places, '{}'), ${added.join(", ")})` : "places"}`,
    url,
    send,
    clicks,
    people,
    robots,
    message,
    ...changes.flat(),
  );
};

type Row = { url: string; places: string | null } & Counts;

/** Returns all links of a message in content order, with their places, also without clicks. */
export const linksOf = (
  sql: SqlStorage,
  { message, revision }: { message: number; revision: number },
): CountedLink[] => {
  const rows = sql
    .exec<Row>("SELECT url, clicks, people, robots, places FROM link_counts WHERE message = ?", message)
    .toArray();
  const counted = new Map(rows.map((row) => [row.url, row]));
  const content = findRevision(sql, revision);
  const written = Map.groupBy(content ? linksIn(content) : [], ({ url }) => url);
  return [...new Set([...written.keys(), ...counted.keys()])].map((url) => {
    const { clicks, people, robots, places } = counted.get(url) ?? NONE;
    const atPlaces = JSON.parse(places ?? "{}") as Record<string, number>;
    return {
      url: url === PERSONAL ? null : url,
      clicks,
      people,
      robots,
      places: (written.get(url) ?? []).map(({ place, kind, text }) => {
        return { place, kind, text, clicks: atPlaces[`c${place}`] ?? 0, people: atPlaces[`p${place}`] ?? 0 };
      }),
    };
  });
};

const NONE = { clicks: 0, people: 0, robots: 0, places: null };

type Written = Pick<Place, "place" | "kind" | "text"> & { url: string };

/** The links of a content that may be measured. `url`: `PERSONAL` where it differs by recipient. */
const linksIn = ({ html }: Pick<CompiledMessage, "html">): Written[] => {
  const written = html
    .map((part) => (typeof part !== "string" && "variable" in part ? `{${part.variable}}` : literalOf(part)))
    .join("");
  let isButton = false;
  let place = 0;
  return [...written.matchAll(LINK)].flatMap(([, tag, escaped = "", isUntracked, inner = ""]) => {
    if (tag !== "a") {
      isButton = true;
      return [];
    }
    const kind = isButton ? "button" : /<img\b/i.test(inner) ? "picture" : "text";
    isButton = false;
    place += 1;
    if (isUntracked || !mayBeWeb(escaped)) return [];
    const url = withoutQuery(escaped.replaceAll("&amp;", "&"));
    return [{ place, kind, text: wordsIn(inner), url: url.includes("{") ? PERSONAL : url } as const];
  });
};

const OWN: readonly string[] = systemLinks.map((name) => `{${name}}`);
const mayBeWeb = (url: string): boolean => isWebAddress(url) || (url.startsWith("{") && !OWN.includes(url));

const MAX_TEXT = 200;
const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** The words of a link, or of its picture. */
const wordsIn = (html: string): string =>
  html
    .replace(/<img\b[^>]*? alt="([^"]*)"[^>]*>/gi, "$1")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => CHARACTERS[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TEXT);

/** The compiler writes these tags. Of a button, Outlook shows the first and others the second. */
const LINK = new RegExp(
  `<(?:(a)|v:roundrect)\\b[^>]*? href="([^"]*)"(${UNTRACKED})?[^>]*>((?:(?!</a>|</v:roundrect>)[^])*)`,
  "gi",
);
