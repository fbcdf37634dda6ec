import { SLICE } from "../../policy/campaigns/slice.ts";
import { newestRevision, withoutFallback } from "../content/messages.ts";
import type { Context } from "../core/context.ts";
import { audienceOf } from "../segments/audience.ts";
import { countExclusions, neededBy } from "../segments/exclusions.ts";
import { contactsBetween } from "../segments/segment-size.ts";
import { REASON_NOT_TO_MARKET } from "../sending/gate.ts";
import type { StoredCampaign } from "./campaign-rows.ts";

/** Contacts without consent are skipped; contacts off the list are not added. */
export const takeSnapshot = ({ sql, now }: Context, campaign: StoredCampaign): void => {
  const { n, list, snapshotCursor, maxContact, startedAt } = campaign;
  const filters = [campaign.segmentFilter, campaign.filter].filter((filter) => filter !== null);
  const last = maxContact ?? 0;
  const { numbers, next } = audienceOf(sql, filters, startedAt ?? now, SLICE).slice(snapshotCursor);
  const cursor = Math.min(next ?? last, last);
  const added = sql
    .exec<{ state: "queued" | "skipped" }>(
      `INSERT OR IGNORE INTO recipients (campaign, contact, state, reason, settled_at)
       SELECT ?1, n, iif(reason IS NULL, 'queued', 'skipped'), reason, iif(reason IS NULL, NULL, ?2)
       FROM (SELECT n, ${REASON_NOT_TO_MARKET} AS reason FROM contacts
         WHERE n IN (SELECT value FROM json_each(?3)) AND n <= ?4 AND (?5 IS NULL OR data->>?5 = 1))
       RETURNING state`,
      n,
      now,
      JSON.stringify(numbers),
      last,
      list === null ? null : `$.mailingLists."${list}"`,
    )
    .toArray();
  const queued = added.filter(({ state }) => state === "queued").length;
  const isDone = cursor >= last;
  const judged = numbers.filter((number) => number <= last);
  const ready = campaign.confirmed === null ? 0 : readyOf(sql, campaign, judged);
  const notSelected = contactsBetween(sql, snapshotCursor, cursor) - judged.length;
  sql.exec(
    `UPDATE campaigns SET recipients = recipients + ?, queued = queued + ?, skipped = skipped + ?, snapshot_cursor = ?, state = ?,
       moving_since = ?, moved = iif(?, skipped + ?, moved), ready = ready + ?,
       not_selected = not_selected + ?, not_on_list = not_on_list + ? WHERE n = ?`,
    added.length,
    queued,
    added.length - queued,
    cursor,
    isDone ? "sending" : "snapshot",
    isDone ? now : null,
    isDone ? 1 : 0,
    added.length - queued,
    ready,
    notSelected,
    judged.length - added.length,
    n,
  );
};

const readyOf = (sql: SqlStorage, { list, message }: StoredCampaign, numbers: readonly number[]): number => {
  const needed = neededBy(withoutFallback(newestRevision(sql, message)));
  return countExclusions(sql, { list, needed }, numbers).get("") ?? 0;
};
