import { log } from "../../../lib/util/log.ts";
import type { Handover, Sender } from "../../types/mail.ts";
import { readRevision } from "../content/messages.ts";
import { readTeam } from "../team/team.ts";
import { composeMail } from "./compose.ts";
import { type Claimed, claim, settle } from "./sends.ts";
import { reasonNotToSend } from "./suppression.ts";

/** Mails in flight at the same time. A sender over sockets has six connections. */
const AT_ONCE = 4;

/** Everything delivery needs besides storage. The clock is a function, because time passes while senders work. */
type Dependencies = { now(): number; random(): number; wake(at: number): void };

/**
 * Delivers mails row by row: claim, hand over to the sender, settle. Never throws; a failing row does not affect
 * others.
 *
 * @param numbers `n` of rows in `sends`; rows in flight in another attempt are skipped
 */
export const deliver = async (
  sql: SqlStorage,
  sender: Sender,
  dependencies: Dependencies,
  numbers: readonly number[],
): Promise<void> => {
  const waiting = [...numbers];
  const lane = async () => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await one(sql, sender, dependencies, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

const one = async (sql: SqlStorage, sender: Sender, { now, random, wake }: Dependencies, n: number): Promise<void> => {
  try {
    const row = claim(sql, n, now());
    if (!row) return;
    const outcome = await attempt(sql, sender, row);
    if (outcome.outcome !== "accepted") {
      log("send_attempt_failed", {
        send: row.id,
        attempt: row.attempts,
        outcome: outcome.outcome,
        error: outcome.message,
      });
    }
    const due = settle(sql, row, outcome, now(), random());
    if (due !== undefined) wake(due);
  } catch (error) {
    log("send_row_failed", { n, error: messageOf(error) });
  }
};

const attempt = async (sql: SqlStorage, sender: Sender, row: Claimed): Promise<Handover> => {
  let mail: ReturnType<typeof composeMail>;
  const mayGet = (address: string) => reasonNotToSend(sql, address) === undefined;
  try {
    mail = composeMail(readTeam(sql).slug, row, readRevision(sql, row.revision), mayGet);
  } catch (error) {
    // The row never changes, so a retry would fail as well.
    return { outcome: "refused", about: "content", message: messageOf(error) };
  }
  try {
    const handover = await sender.send(mail);
    return handover.outcome === "unknown" ? again(sender, handover.message) : handover;
  } catch (error) {
    return again(sender, messageOf(error));
  }
};

/** An unknown outcome. An idempotent sender may get the mail again. */
const again = ({ idempotent }: Sender, message: string): Handover =>
  idempotent ? { outcome: "deferred", message } : { outcome: "unknown", message };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
