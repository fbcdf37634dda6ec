import { HOUR_MS } from "../../../lib/util/dates.ts";
import type { MailClass } from "../../types/mail.ts";
import { chores as contactChores } from "../contacts/property-removal.ts";
import { chores as contentChores } from "../content/cascade.ts";
import type { Chore } from "../core/chore.ts";
import { chores as domainChores } from "../domains/chores.ts";
import { chores as eventChores } from "../events/chores.ts";
import { chores as importChores } from "../imports/chores.ts";
import { chores as limitChores } from "../limits/chores.ts";
import { chores as sendingChores } from "../sending/chores.ts";
import { chores as softBounceChores } from "../sending/results/soft-bounces.ts";
import { nextSend } from "../sending/sends.ts";
import { chores as webhookChores } from "../webhooks/chores.ts";
import { chores as workflowRunChores } from "../workflows/runs/chores.ts";
import { chores as idempotencyChores } from "./idempotency.ts";

/** Most rows deleted per chore and run of the alarm, so that one run stays short. */
const SLICE = 500;
/** Pause between two slices when a chore is behind, in ms. */
const SLICE_PAUSE_MS = 1_000;
/** Shortest time between two runs of the alarm, in ms: a row that always fails must not make it spin. */
const MIN_PAUSE_MS = 1_000;
/** How often queued mail looks for a sender while none is configured, in ms. */
const NO_SENDER_MS = HOUR_MS;

/** The periodic work of all rooms, in this order. */
const chores: readonly Chore[] = [
  ...sendingChores,
  ...softBounceChores,
  ...limitChores,
  ...idempotencyChores,
  ...eventChores,
  ...contentChores,
  ...domainChores,
  ...webhookChores,
  ...workflowRunChores,
  ...importChores,
  ...contactChores,
];

/** Does one slice of every chore. */
export const runChores = async (sql: SqlStorage, now: number): Promise<void> => {
  for (const chore of chores) await chore.run(sql, now, SLICE);
};

/** When the alarm is next needed, in Unix ms: for the earliest mail that is due, or the earliest chore. */
export const nextWake = (
  sql: SqlStorage,
  now: number,
  hasSender: boolean,
  notBefore: (mailClass: MailClass) => number,
): number => {
  const send = nextSend(sql, now, notBefore);
  const chore = Math.min(...chores.map(({ next }) => next(sql)));
  return Math.min(
    hasSender || send === Number.POSITIVE_INFINITY ? Math.max(send, now + MIN_PAUSE_MS) : now + NO_SENDER_MS,
    Math.max(chore, now + SLICE_PAUSE_MS),
  );
};
