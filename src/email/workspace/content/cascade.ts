import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Library } from "../../../lib/lmx/compile.ts";
import { compileMessage, type FieldProblem } from "../../../lib/lmx/message/compile-message.ts";
import { log } from "../../../lib/util/log.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { Chore } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";
import { listed } from "./content-refusals.ts";
import { libraryOf } from "./library.ts";
import {
  addRevision,
  findMessage,
  KIND,
  type MessageKind,
  type MessageRow,
  requiredVariables,
  setUses,
  sourceOf,
} from "./messages.ts";

const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 300_000;

const MAX_CHECKED = 20;
const MAX_CHECKED_CHARACTERS = 50_000;

/** SQL filter of changeable messages: campaign content is fixed at the start. */
export const CAN_CHANGE = "u.message NOT IN (SELECT message FROM campaigns WHERE status IN ('Sending', 'Sent'))";

/** Counts users of a theme or component, pending compilations and failures. */
export const usesOf = (sql: SqlStorage, id: string): { all: number; pending: number; failed: number } =>
  sql
    .exec<{ all: number; pending: number; failed: number }>(
      `SELECT count(*) AS "all", count(s.message) AS pending,
         count(CASE WHEN s.message IS NULL THEN k.message END) AS failed
       FROM message_uses u LEFT JOIN stale_messages s ON s.message = u.message
       LEFT JOIN kept_messages k ON k.message = u.message WHERE u.used = ? AND ${CAN_CHANGE}`,
      id,
    )
    .one();

/** Returns the number of messages to recompile. */
export const spread = (context: Context, id: string): number => {
  context.sql.exec(
    `INSERT OR IGNORE INTO stale_messages (message) SELECT u.message FROM message_uses u WHERE u.used = ? AND ${CAN_CHANGE}`,
    id,
  );
  const { all } = usesOf(context.sql, id);
  if (all > 0) wake(context, context.now);
  return all;
};

export const compileAgain = (context: Context, message: number): void => {
  context.sql.exec("INSERT OR IGNORE INTO stale_messages (message) VALUES (?)", message);
  wake(context, context.now);
};

export const spreadDefaults = (context: Context): void => {
  const { rowsWritten } = context.sql.exec(
    `INSERT OR IGNORE INTO stale_messages (message) SELECT u.n FROM (
       SELECT m.n, m.n AS message FROM email_messages m LEFT JOIN templates t ON t.n = m.template
       WHERE m.removed_at IS NULL AND (m.template IS NULL OR m.n IN (t.draft_message, t.published_message))) u
     WHERE ${CAN_CHANGE}`,
  );
  if (rowsWritten > 0) wake(context, context.now);
};

type InUse = {
  message: number;
  kind: MessageKind;
  id: string;
  revision: number;
  source: string;
  compiled: string;
  content: number | null;
  transactional: string | null;
  name: string | null;
  published: number | null;
};

const inUse = (sql: SqlStorage, message: number): InUse | undefined =>
  sql
    .exec<InUse>(
      `SELECT m.n AS message, m.id, m.revision, r.source, r.compiled, r.content, t.id AS transactional, coalesce(t.name, w.name, c.name) AS name, ${KIND} AS kind,
         CASE WHEN t.published_message = m.n THEN t.n END AS published
       FROM email_messages m JOIN message_revisions r ON r.n = m.revision LEFT JOIN templates t ON t.n = m.template
       LEFT JOIN workflows w ON w.n = m.workflow LEFT JOIN campaigns c ON c.n = m.campaign WHERE m.n = ?`,
      message,
    )
    .toArray()[0];

const renewed = (
  sql: SqlStorage,
  row: InUse,
): { compiled: CompiledMessage; uses: string[] } | { fault: ReturnType<typeof listed>; uses: string[] } => {
  const source = sourceOf(row);
  const library = libraryOf(sql, source.lmx);
  const { compiled, uses, problems } = compileMessage(source, row.kind, library);
  // An unchanged message waits for a better version of anything it names.
  const [error] = problems.filter(({ severity }) => severity === "error");
  if (!compiled) return { fault: listed(error as FieldProblem), uses: idsIn(library) };
  // A draft may be incomplete until it is published.
  if (row.kind === "transactional" && row.published === null) return { compiled, uses };
  const before = JSON.parse(row.compiled) as CompiledMessage;
  const [lost] = (["fromName", "fromEmail"] as const).filter(
    (one) => compiled[one].length === 0 && before[one].length > 0,
  );
  if (lost !== undefined) return { fault: withoutSender(lost), uses: idsIn(library) };
  const added = row.kind === "transactional" ? newlyRequired(compiled, before) : [];
  if (added.length === 0) return { compiled, uses };
  const needs = added.map((name) => `{data.${name}}`).join(", ");
  const message = `The message is published and would need ${needs}, so sends without it would be refused: publish a draft with a fallback in dataVariablesFallbacks`;
  return { fault: { rule: "missingRequiredDataVariables", path: "lmx", message }, uses: idsIn(library) };
};

const withoutSender = (path: string): ReturnType<typeof listed> => {
  const message = `The message has no ${path}, and the team has no default any more: give the message one`;
  return { rule: "mailspan.emptyFields", path, message };
};

const newlyRequired = (after: CompiledMessage, before: CompiledMessage): string[] => {
  const given = new Set(requiredVariables(before));
  return requiredVariables(after).filter((name) => !given.has(name));
};

/** Checks the first messages; the alarm keeps other broken ones unchanged. */
export const breaksMessages = (sql: SqlStorage, id: string, characters: number): Refusal | undefined => {
  const messages = sql
    .exec<{ n: number }>(
      `SELECT m.n FROM message_uses u JOIN email_messages m ON m.n = u.message LEFT JOIN templates t ON t.n = m.template
       WHERE u.used = ? AND ${CAN_CHANGE} AND m.n NOT IN (SELECT message FROM kept_messages)
       ORDER BY t.published_message IS m.n DESC, m.n DESC LIMIT ?`,
      id,
      MAX_CHECKED,
    )
    .toArray();
  const broken: { transactionalId: string | null; emailMessageId: string; name: string | null; reason: string }[] = [];
  let checked = 0;
  for (let left = MAX_CHECKED_CHARACTERS; checked < messages.length && left > 0; checked++) {
    const row = inUse(sql, messages[checked]?.n ?? 0);
    if (!row) continue;
    left -= row.source.length + characters;
    const result = renewed(sql, row);
    if (!("fault" in result)) continue;
    const { path, message } = result.fault;
    const { id: emailMessageId, transactional: transactionalId, name } = row;
    broken.push({ transactionalId, emailMessageId, name, reason: `${path}: ${message}` });
  }
  const [first] = broken;
  if (!first) return undefined;
  const message = `lmx: ${broken.length} of ${checked} messages that were checked could not be sent with this content. Change them first, or this content. "${first.name}" (${first.transactionalId ?? first.emailMessageId}): ${first.reason}`;
  return {
    code: "breaks_messages",
    path: "lmx",
    message,
    detail: { brokenEmails: broken, checkedEmailCount: checked, affectedEmailCount: usesOf(sql, id).all },
  };
};

const recompileNext = (sql: SqlStorage, now: number): number | undefined => {
  const [next] = sql.exec<{ message: number }>("SELECT message FROM stale_messages ORDER BY message LIMIT 1").toArray();
  return next && recompile(sql, now, next.message);
};

/** Compiles a stale message now, so the guardian judges current content. */
export const newestMessage = ({ sql, now }: Pick<Context, "sql" | "now">, id: string): MessageRow | undefined => {
  const row = findMessage(sql, id);
  if (!row || sql.exec("SELECT 1 FROM stale_messages WHERE message = ?", row.n).toArray().length === 0) return row;
  recompile(sql, now, row.n);
  return findMessage(sql, id);
};

/** A new revision keeps accepted mail unchanged. Returns the document's characters. */
const recompile = (sql: SqlStorage, now: number, message: number): number => {
  const row = inUse(sql, message);
  sql.exec("DELETE FROM stale_messages WHERE message = ?", message);
  if (!row) return 0;
  try {
    const result = renewed(sql, row);
    if ("fault" in result) keep(sql, message, `${result.fault.path}: ${result.fault.message}`, result.uses);
    else if (JSON.stringify(result.compiled) === row.compiled) leave(sql, message, result.uses);
    else replace(sql, now, row, result);
  } catch (error) {
    // A fault with one message must not stop the others.
    keep(sql, message, `a fault of this server: ${error instanceof Error ? error.message : String(error)}`);
  }
  return row.source.length;
};

const keep = (sql: SqlStorage, message: number, reason: string, uses?: readonly string[]): void => {
  log("message_not_recompiled", { message, reason });
  sql.exec("INSERT OR REPLACE INTO kept_messages (message, reason) VALUES (?, ?)", message, reason);
  if (uses) setUses(sql, message, uses);
};

const leave = (sql: SqlStorage, message: number, uses: readonly string[]): void => {
  sql.exec("DELETE FROM kept_messages WHERE message = ?", message);
  setUses(sql, message, uses);
};

const replace = (
  sql: SqlStorage,
  now: number,
  row: InUse,
  { compiled, uses }: { compiled: CompiledMessage; uses: string[] },
): void => {
  const revision = addRevision({ sql, now }, row.message, {
    source: row.source,
    compiled: JSON.stringify(compiled),
    uses,
    content: row.content ?? row.revision,
  });
  if (row.published !== null) sql.exec("UPDATE templates SET published = ? WHERE n = ?", revision, row.published);
};

const idsIn = ({ themes = {}, components = {} }: Library): string[] => [
  ...Object.keys(themes),
  ...Object.keys(components),
];

const letRequestsIn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      sql.exec("SELECT 1 FROM stale_messages LIMIT 1").toArray().length > 0 ? 0 : Number.POSITIVE_INFINITY,
    // Compiles one message at a time, so a request never waits for all.
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
