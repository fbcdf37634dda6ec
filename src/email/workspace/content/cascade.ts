import { log } from "../../../lib/util/log.ts";
import type { Library } from "../../lmx/compile.ts";
import type { Chore } from "../base/chore.ts";
import { type Context, wake } from "../base/context.ts";
import { compileMessage } from "./compile-message.ts";
import { libraryOf } from "./library.ts";
import { addRevision, setUses, sourceOf } from "./messages.ts";

/** Most messages, and most characters of their documents, that one run of the alarm compiles. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 300_000;

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

/** Compiles the next message that waits. Returns the characters of its document; undefined when none waits. */
const recompileNext = (sql: SqlStorage, now: number): number | undefined => {
  const [row] = sql
    .exec<Stale>(
      `SELECT s.message, r.source, m.revision, r.content, t.n AS published
       FROM stale_messages s
       JOIN email_messages m ON m.n = s.message
       JOIN message_revisions r ON r.n = m.revision
       LEFT JOIN templates t ON t.n = m.template AND t.published_message = m.n
       ORDER BY s.message LIMIT 1`,
    )
    .toArray();
  if (!row) {
    // What is left waits for messages that do not exist.
    sql.exec("DELETE FROM stale_messages");
    return undefined;
  }
  try {
    recompile(sql, now, row);
  } catch (error) {
    // A fault with one message must not stop the others.
    log("message_not_recompiled", {
      message: row.message,
      error: error instanceof Error ? error.message : String(error),
    });
  }
  sql.exec("DELETE FROM stale_messages WHERE message = ?", row.message);
  return row.source.length;
};

/**
 * Gives a message a new revision with the same source, so that mail that was accepted before keeps its content. A message
 * that no longer compiles stays as it was: the editor of the message sees why.
 */
const recompile = (sql: SqlStorage, now: number, row: Stale): void => {
  const source = sourceOf(row);
  const library = libraryOf(sql, source.lmx);
  const { compiled, uses, problems } = compileMessage(source, "transactional", library);
  if (!compiled) {
    log("message_not_recompiled", { message: row.message, code: problems[0]?.code });
    // It waits for a better version of anything that it names.
    setUses(sql, row.message, idsIn(library));
    return;
  }
  const revision = addRevision({ sql, now }, row.message, {
    ...{ source: row.source, compiled: JSON.stringify(compiled), uses },
    content: row.content ?? row.revision,
  });
  if (row.published !== null) sql.exec("UPDATE templates SET published = ? WHERE n = ?", revision, row.published);
};

const idsIn = ({ themes = {}, components = {} }: Library): string[] => [
  ...Object.keys(themes),
  ...Object.keys(components),
];

/** Lets requests in that have arrived. */
const letRequestsIn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      sql.exec("SELECT 1 FROM stale_messages LIMIT 1").toArray().length > 0 ? 0 : Number.POSITIVE_INFINITY,
    // One message after the other: a request that arrives meanwhile waits for one message, not for all.
    run: async (sql, now) => {
      let characters = 0;
      for (let n = 0; n < MAX_MESSAGES && characters < MAX_CHARACTERS; n++) {
        const length = recompileNext(sql, now);
        if (length === undefined) return;
        characters += length;
        await letRequestsIn();
      }
    },
  },
];
