import type { Released } from "../../campaigns/rates.ts";
import type { Context } from "../base/context.ts";
import { findCampaign, handedOver, type StoredCampaign } from "./rows.ts";

type Clock = Pick<Context, "sql" | "now">;

/**
 * Has a campaign that was done go on, because mails of it are sent again: it is sending until they have a result. Its rates count anew,
 * because a person has looked at it. Another campaign stays as it is.
 */
export const goOnAgain = ({ sql, now }: Clock, { n, state, results, counts }: StoredCampaign): void => {
  if (state !== "done") return;
  const { sends, hardBounces, complaints } = results;
  const handed = { sends, hardBounces, complaints };
  const released: Released = { bounce_rate: handed, complaint_rate: handed };
  sql.exec(
    `UPDATE campaigns SET status = 'Sending', state = 'sending', finished_at = NULL, released = ?, moving_since = ?, moved = ?, updated_at = ?
     WHERE n = ?`,
    ...[JSON.stringify(released), now, handedOver(counts), now, n],
  );
};

/** Keeps the rate of a campaign while some of its mails that have a result wait again, which lowers their count. */
export const waitAgain = (sql: SqlStorage, { n }: Pick<StoredCampaign, "n">, mails: number): void => {
  sql.exec("UPDATE campaigns SET moved = moved - ? WHERE n = ?", mails, n);
};

/** Does what the campaign of a mail needs that a person has sent again. Call it before the mail waits. `id`: of the campaign. */
export const mailAgain = (context: Clock, id: string): void => {
  const found = findCampaign(context, id);
  if ("refusal" in found) return;
  goOnAgain(context, found.campaign);
  waitAgain(context.sql, found.campaign, 1);
};
