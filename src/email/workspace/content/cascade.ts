import { log } from "../../../lib/util/log.ts";
import type { Chore } from "../base/chore.ts";
import { type Context, wake } from "../base/context.ts";
import { compileMessage } from "./compile-message.ts";
import { libraryOf } from "./library.ts";
import { addRevision, sourceOf } from "./messages.ts";

/** Most messages, and most characters of their documents, that one run of the alarm compiles: an API call waits for it. */
const MAX_MESSAGES = 20;
const MAX_CHARACTERS = 60_000;

/** How many messages use a theme or component, and how many of them wait to be compiled again. */
export const usesOf = (sql: SqlStorage, id: string): { all: number; pending: number } =>
  sql
    .exec<{ all: number; pending: number }>(
      `SELECT count(*) AS "all", count(s.message) AS pending
       FROM message_uses u LEFT JOIN stale_messages s ON s.message = u.message WHERE u.used = ?`,
      id,
    )
    .one();

/** Has every message that uses a theme or component compiled again. Returns how many these are. */
export const spread = (context: Context, id: string): number => {
  context.sql.exec("INSERT OR IGNORE INTO stale_messages SELECT message FROM message_uses WHERE used = ?", id);
  const { all } = usesOf(context.sql, id);
  if (all > 0) wake(context, context.now);
  return all;
};

type Stale = { message: number; source: string; revision: number; content: number | null; published: number | null };

/**
 * Compiles messages again. Each gets a new revision with the same source, so that mail that was accepted before keeps its
 * content. A message that no longer compiles stays as it was: the editor of the message sees why.
 */
const recompile = (sql: SqlStorage, now: number): void => {
  const stale = sql
    .exec<Stale>(
      `SELECT s.message, r.source, m.revision, r.content, t.n AS published
       FROM stale_messages s
       LEFT JOIN email_messages m ON m.n = s.message
       LEFT JOIN message_revisions r ON r.n = m.revision
       LEFT JOIN templates t ON t.published_message = s.message
       ORDER BY s.message LIMIT ?`,
      MAX_MESSAGES,
    )
    .toArray();
  let characters = 0;
  for (const row of stale) {
    characters += row.source?.length ?? 0;
    if (characters > MAX_CHARACTERS && row !== stale[0]) return;
    sql.exec("DELETE FROM stale_messages WHERE message = ?", row.message);
    const source = sourceOf(row);
    const { compiled, uses, problems } = compileMessage(source, "transactional", libraryOf(sql, source.lmx));
    if (!compiled) {
      log("message_not_recompiled", { message: row.message, code: problems[0]?.code });
      continue;
    }
    const content = {
      source: row.source,
      compiled: JSON.stringify(compiled),
      uses,
      content: row.content ?? row.revision,
    };
    const revision = addRevision({ sql, now }, row.message, content);
    if (row.published !== null) sql.exec("UPDATE templates SET published = ? WHERE n = ?", revision, row.published);
  }
};

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      sql.exec("SELECT 1 FROM stale_messages LIMIT 1").toArray().length > 0 ? 0 : Number.POSITIVE_INFINITY,
    run: (sql, now) => recompile(sql, now),
  },
];
