import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { isHeld } from "../sending/waiting-mails.ts";
import type { SendRow } from "./send-rows.ts";
import { meaningOf } from "./send-state-words.ts";

/** Returns a send for a list, without mail values. */
export const shown = (row: SendRow, problem?: string) => ({
  id: row.id,
  class: row.class,
  to: row.recipient,
  state: row.state,
  meaning: meaningOf(row, problem),
  preview: row.preview === 1,
  template: named(row.template_id, row.template_name),
  campaign: named(row.origin, row.campaign_name),
  workflow: named(row.origin, row.workflow_name),
  attempts: row.attempts,
  acceptedAt: isoOf(row.created_at),
  nextAttemptAt: nextAttemptOf(row),
  settledAt: isoOrNull(row.settled_at),
});

const named = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, name });

/** The first attempt follows at once. Only a later attempt, or a wait for a limit, has a time. */
const nextAttemptOf = ({ state, attempts, due, error, held }: SendRow): string | null =>
  state === "queued" && (attempts > 0 || error !== null) && due !== null && !held && !isHeld(due) ? isoOf(due) : null;
