import { DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context, Result } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import { findContact } from "../workflows/contact.ts";
import type { Entry } from "./timeline/entry.ts";
import { campaignEntries, eventEntries, ownEntries, pastMailEntries, workflowEntries } from "./timeline/others.ts";
import { sendEntries } from "./timeline/sends.ts";

type Position = Pick<Entry, "at" | "key">;

const LAST = "~";
/** The upper bound of times: the year 2255, with exact microseconds. */
const FAR = 9_000_000_000_000;

/** Lists a contact's history, newest first. Opens or clicks of mail older than the newest 300 may be missing. */
export const showTimeline = async (
  { sql }: Pick<Context, "sql">,
  { contact: given, kind, cursor, perPage = DEFAULT_PER_PAGE }: AdminInput<"contacts.timeline">,
): Promise<Result<unknown>> => {
  const start = cursor === undefined ? { at: FAR, key: LAST } : readPosition(cursor);
  if (!start) {
    const message = "cursor: not one that this list gave. Leave it out for the first page.";
    return { refusal: { code: "invalid_request", path: "cursor", message } };
  }
  const found = await findContact(sql, given, "contact");
  if ("refusal" in found) return found;
  const { entries, from } = entriesBefore(sql, found.contact, start);
  const matching = entries.filter((entry) => kind === undefined || entry.kind === kind);
  const shown = matching.slice(0, perPage);
  const last = shown.at(-1);
  const next = matching.length > perPage && last ? last : Number.isFinite(from) ? { at: from, key: LAST } : undefined;
  return {
    body: {
      data: shown.map(({ at, kind: one, text, why, ids }) => ({
        at: isoOf(at),
        kind: one,
        text,
        why: why ?? null,
        ids,
      })),
      next: next === undefined ? null : cursorOf([next.at, next.key]),
    },
  };
};

/** `from`: Unix ms of the continuation; minus infinity at the end. */
const entriesBefore = (
  sql: SqlStorage,
  contact: StoredContact,
  start: Position,
): { entries: Entry[]; from: number } => {
  const sources = [
    sendEntries(sql, contact, start.at),
    eventEntries(sql, contact, start.at),
    workflowEntries(sql, contact, start.at),
  ];
  const from = Math.max(...sources.map((source) => source.from));
  const others = [...ownEntries(sql, contact), ...campaignEntries(sql, contact), ...pastMailEntries(sql, contact)];
  const entries = [...sources.flatMap((source) => source.entries), ...others]
    .filter((entry) => entry.at > from && isAfter(entry, start))
    .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  return { entries, from };
};

const isAfter = (a: Position, b: Position): boolean => a.at < b.at || (a.at === b.at && a.key < b.key);

const readPosition = (cursor: string): Position | undefined => {
  const value = readCursor(cursor);
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [at, key] = value as unknown[];
  return Number.isSafeInteger(at) && typeof key === "string" ? { at: at as number, key } : undefined;
};
