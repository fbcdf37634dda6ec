import { HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import { chores as campaignChores } from "../campaigns/chores.ts";
import { chores as blockChores } from "../contacts/contact-blocks.ts";
import { chores as contactChores } from "../contacts/property-removal.ts";
import { chores as contentChores } from "../content/cascade.ts";
import { chores as revisionChores } from "../content/revision-ends.ts";
import type { Chore } from "../core/chore.ts";
import { chores as domainChores } from "../domains/chores.ts";
import { chores as eventChores } from "../events/chores.ts";
import { chores as importChores } from "../imports/chores.ts";
import { chores as limitChores } from "../limits/chores.ts";
import { chores as waveChores } from "../operator/waves/chores.ts";
import { chores as sendingChores } from "../sending/chores.ts";
import { chores as softBounceChores } from "../sending/results/soft-bounces.ts";
import { nextSend } from "../sending/sends.ts";
import { chores as keyChores } from "../team/known-keys.ts";
import { shorterChores, chores as webhookChores } from "../webhooks/chores.ts";
import { chores as workflowRunChores } from "../workflows/runs/chores.ts";
import { chores as idempotencyChores } from "./idempotency.ts";

const SLICE = 500;
/** Chores of one alarm; the others are due at the next. */
const MOST = 5;
const SLICE_PAUSE_MS = 1_000;
/** A row that always fails must not cause a busy loop. */
const MIN_PAUSE_MS = 1_000;
const NO_SENDER_MS = HOUR_MS;

/** The periodic work of all rooms, in this order. */
const chores: readonly Chore[] = [
  ...sendingChores,
  ...softBounceChores,
  ...waveChores,
  ...limitChores,
  ...idempotencyChores,
  ...eventChores,
  ...contentChores,
  ...revisionChores,
  ...domainChores,
  ...webhookChores,
  ...workflowRunChores,
  ...importChores,
  ...contactChores,
  ...blockChores,
  ...campaignChores,
  ...keyChores,
];

/** Rows, and ms, of the work in a database that fills. */
const SHORTER = { slice: 5_000, pauseMs: MINUTE_MS };

/** Runs the chores that are due for longest. `isFilling`: the database is above 85 %. Throws after all if one failed. */
export const runChores = async (sql: SqlStorage, now: number, isFilling = false): Promise<void> => {
  const failed: unknown[] = [];
  const hasRun = async (chore: Chore, limit: number): Promise<boolean> => {
    try {
      await chore.run(sql, now, limit);
      return true;
    } catch (error) {
      failed.push(error);
      return false;
    }
  };
  const due = chores
    .filter(({ always }) => !always)
    .map((chore) => ({ chore, at: chore.next(sql) }))
    .filter(({ at }) => at <= now)
    .sort((a, b) => a.at - b.at);
  for (const chore of chores) if (chore.always) await hasRun(chore, SLICE);
  let left = MOST;
  for (const { chore } of due) if (left > 0 && (await hasRun(chore, SLICE))) left -= 1;
  if (isFilling) for (const chore of shorterChores) await hasRun(chore, SHORTER.slice);
  if (failed.length > 0) throw failed[0];
};

/** Returns the next due mail, in Unix ms. */
export const nextMail = (
  sql: SqlStorage,
  now: number,
  hasSender: boolean,
  notBefore: (mailClass: MailClass) => number,
): number => {
  const send = nextSend(sql, now, notBefore);
  return hasSender || send === Number.POSITIVE_INFINITY ? Math.max(send, now + MIN_PAUSE_MS) : now + NO_SENDER_MS;
};

/** Returns the next due mail or chore, in Unix ms. */
export const nextWake = (
  sql: SqlStorage,
  now: number,
  hasSender: boolean,
  notBefore: (mailClass: MailClass) => number,
  isFilling = false,
): number => {
  const chore = Math.min(...chores.map(({ next }) => next(sql)));
  const shorter = isFilling ? Math.min(...shorterChores.map(({ next }) => next(sql))) : Number.POSITIVE_INFINITY;
  return Math.min(
    Math.max(shorter, now + SHORTER.pauseMs),
    nextMail(sql, now, hasSender, notBefore),
    Math.max(chore, now + SLICE_PAUSE_MS),
  );
};
