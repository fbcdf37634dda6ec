import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import type { Fault } from "../../policy/readiness/faults.ts";
import type { Context } from "./context.ts";
import { ROWS_PER_MAIL, SHARES, type Use } from "./day-rows.ts";

type Counting = Pick<Context, "dayRows" | "now">;

/** Unix ms at which a use goes on; 0 for now. */
export const rowsOpenAt = ({ dayRows, now }: Counting, use: Use): number => dayRows?.opensAt(use, now) ?? 0;

const inWords = (rows: number): string => Math.round(rows).toLocaleString("en-US");

/** Why a use waits for the next day, if it does. `who`: in words, plural. */
export const waitForRows = ({ dayRows, now }: Counting, use: Use, who: string = use): Fault[] => {
  const opensAt = dayRows?.opensAt(use, now) ?? 0;
  if (!dayRows || opensAt === 0) return [];
  const { account, limit } = dayRows.written(now);
  const percent = `${Math.round(SHARES[use] * 100)} %`;
  const subject = `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
  const message = `${subject} wait for the next day: about ${inWords(account)} of the ${inWords(limit)} database rows that the account may write on a day (UTC) are written, and ${who} stop at ${percent}. They go on at ${isoOf(opensAt)}. Transactional mail and webhooks are not affected.`;
  return [{ code: "day_rows", message }];
};

/** Rows of the day that a campaign needs. `days`: UTC days until its end; undefined without a ceiling. */
export const rowsForCampaign = ({ dayRows, now }: Counting, recipients: number) => {
  if (!dayRows) return undefined;
  const needed = Math.ceil(recipients * ROWS_PER_MAIL);
  const left = dayRows.left("campaigns", now);
  if (left === Number.POSITIVE_INFINITY) return undefined;
  const rest = Math.max(0, needed - left);
  return { needed, left: Math.floor(left), days: 1 + Math.ceil(rest / dayRows.perDay("campaigns")) };
};

/** Returns the wait of a campaign for rows of later days. `lastAt`: Unix ms before which it does not end. */
export const waitForDays = (counting: Counting, mails: number): { lastAt: number; isFull: boolean } => {
  const { days = 1 } = rowsForCampaign(counting, mails) ?? {};
  const today = Math.floor(counting.now / DAY_MS);
  return {
    lastAt: Math.max(counting.now, (today + days - 1) * DAY_MS),
    isFull: rowsOpenAt(counting, "campaigns") > 0,
  };
};

/** The rows of the day for the admin API. `limit`: null without a ceiling. */
export const shownDayRows = ({ dayRows, now }: Counting) => {
  if (!dayRows) return undefined;
  const { day, team, account, limit } = dayRows.written(now);
  const waiting = (["workflows", "campaigns"] as const).filter((use) => dayRows.opensAt(use, now) > 0);
  return {
    day: isoOf(day * DAY_MS).slice(0, 10),
    team,
    account,
    limit: Number.isFinite(limit) ? limit : null,
    waiting,
  };
};
