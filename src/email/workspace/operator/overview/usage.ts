import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import { countLists } from "../../contacts/list-counts.ts";
import type { Context } from "../../core/context.ts";
import { shownDayRows } from "../../core/day-rows-words.ts";
import { remainingOf } from "../../core/quota.ts";
import { sizeOf } from "../../core/size.ts";
import { PREVIEWS } from "../../sending/preview.ts";
import { timeZoneOf } from "../../team/team.ts";
import { mailsByDay } from "./mails-by-day.ts";

/** Returns the team's usage; it writes only kept counts. */
export const showTeamUsage = async (context: Context): Promise<{ body: Response<AdminContract["teams"]["usage"]> }> => {
  const { sql, now } = context;
  const { days, since } = await mailsByDay(context);
  const rows = shownDayRows(context);
  const { contacts, countedAt } = (await countLists(context, { recount: false })).body;
  return {
    body: {
      contacts: { ...contacts, countedAt },
      timeZone: timeZoneOf(sql),
      mails: days,
      mailsSince: isoOf(since),
      previews: { limit: PREVIEWS.limit, left: remainingOf(sql, PREVIEWS, now) },
      database: sizeOf(context),
      ...(rows ? { rows } : {}),
    },
  };
};
