import { log } from "../../../lib/util/log.ts";
import type { Handover, Sender } from "../../types/mail.ts";
import { readRevision } from "../content/templates.ts";
import { readTeam } from "../team/team.ts";
import { composeMail } from "./compose.ts";
import { type Claimed, claim, settle } from "./sends.ts";

/** Mails on their way at the same time. A sender over sockets has six connections. */
const AT_ONCE = 4;

/** What delivery needs of the world besides storage: it waits for senders, so time goes on meanwhile. */
type Outside = { now(): number; random(): number; wake(at: number): void };

/**
 * Hands mails over, each by its row: claim, hand over, settle. Never throws: a row that fails, fails alone.
 *
 * @param numbers `n` of rows in `sends`; those that another attempt has are passed over
 */
export const deliver = async (
  sql: SqlStorage,
  sender: Sender,
  outside: Outside,
  numbers: readonly number[],
): Promise<void> => {
  const waiting = [...numbers];
  const lane = async () => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await one(sql, sender, outside, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

const one = async (sql: SqlStorage, sender: Sender, outside: Outside, n: number): Promise<void> => {
  try {
    const row = claim(sql, n, outside.now());
    if (!row) return;
    const outcome = await attempt(sql, sender, row);
    if (!outcome.ok) log("send_attempt_failed", { send: row.id, attempt: row.attempts, error: outcome.message });
    const due = settle(sql, row, outcome, outside.now(), outside.random());
    if (due !== undefined) outside.wake(due);
  } catch (error) {
    log("send_row_failed", { n, error: messageOf(error) });
  }
};

const attempt = async (sql: SqlStorage, sender: Sender, row: Claimed): Promise<Handover> => {
  let mail: ReturnType<typeof composeMail>;
  try {
    mail = composeMail(readTeam(sql).slug, row, readRevision(sql, row.revision));
  } catch (error) {
    // The row will not change: nor will this.
    return { ok: false, retry: false, message: messageOf(error) };
  }
  try {
    return await sender.send(mail);
  } catch (error) {
    return { ok: false, retry: true, message: messageOf(error) };
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
