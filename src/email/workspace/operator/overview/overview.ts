import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { DAY_MS, isoOf } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context } from "../../core/context.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { attentionOf } from "./attention.ts";
import { searchEverything } from "./search.ts";
import { LONGEST_MS, sendsByHour } from "./sends-by-hour.ts";

type Overview = Response<AdminContract["overview"]["get"]>;

const showOverview = async (
  context: Context,
  { since = context.now - DAY_MS }: AdminInput<"overview.get">,
): Promise<{ body: Overview } | { refusal: Refusal }> => {
  if (since < context.now - LONGEST_MS || since > context.now) {
    const message = "since: must be a time in the last 7 days.";
    return { refusal: { code: "invalid_request", path: "since", message } };
  }
  const { hours, countedSince } = await sendsByHour(context, since);
  const running = runningNow(context.sql);
  const sends = hours.flatMap(([start, states]) =>
    Object.entries(states).map(([state, count]) => ({ hour: isoOf(start), state, count })),
  );
  return {
    body: {
      sends: sends as Overview["sends"],
      countedSince: isoOf(countedSince),
      running,
      attention: attentionOf(context, running.campaigns + running.workflows > 0),
    },
  };
};

const runningNow = (sql: SqlStorage): Overview["running"] =>
  sql
    .exec<Overview["running"]>(
      `SELECT (SELECT count(*) FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND status = 'Sending') AS campaigns,
         (SELECT count(*) FROM workflows WHERE status = 'Sending' AND deleted_at IS NULL) AS workflows`,
    )
    .one();

export const overview: AdminHandlers<"overview"> = { get: showOverview, search: searchEverything };
