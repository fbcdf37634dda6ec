import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import { HOUR_MS, isoOf } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { createPause } from "../core/between-slices.ts";
import type { Context } from "../core/context.ts";
import { keepInRoom, readKept } from "../core/kept-counts.ts";
import { readMailingLists } from "./lists.ts";

/** Contact row numbers per slice: a few ms. */
export const SLICE = 5_000;
const NAME = "lists";

type Count = { subscribed: number; unsubscribed: number };
type Counts = { all: Count; lists: Record<string, Count> };

/** Counts contacts in slices and keeps the result for an hour. A live counter would cost one row per change. */
export const countLists = async (
  context: Pick<Context, "sql" | "now" | "maxBytes" | "noRoom">,
  { recount }: Pick<AdminInput<"lists.counts">, "recount">,
): Promise<{ body: Response<AdminContract["lists"]["counts"]> }> => {
  const { sql, now } = context;
  const kept = readKept<Counts>(sql, NAME);
  const isFresh = kept !== undefined && now - kept.at < HOUR_MS && !recount;
  const { all, lists } = isFresh ? kept.result : await countAll(sql);
  if (!isFresh) keepInRoom(context, NAME, { all, lists });
  const data = readMailingLists(sql).map(({ id }) => ({ id, ...(lists[id] ?? { subscribed: 0, unsubscribed: 0 }) }));
  return { body: { data, contacts: all, countedAt: isoOf(isFresh ? kept.at : now) } };
};

/** Contacts that change meanwhile count as old or new. */
const countAll = async (sql: SqlStorage): Promise<Counts> => {
  const counts: Counts = { all: { subscribed: 0, unsubscribed: 0 }, lists: {} };
  const { last } = sql.exec<{ last: number }>("SELECT coalesce(max(n), 0) AS last FROM contacts").one();
  const pause = createPause();
  for (let after = 0; after < last; after += SLICE) {
    const rows = sql.exec<{ list: string | null; subscribed: number; contacts: number }>(
      `WITH some AS (SELECT data, data ->> '$.subscribed' AS subscribed FROM contacts WHERE n > ?1 AND n <= ?2)
       SELECT NULL AS list, subscribed, count(*) AS contacts FROM some GROUP BY subscribed
       UNION ALL SELECT key, subscribed, count(*) FROM some, json_each(data, '$.mailingLists') WHERE value GROUP BY key, subscribed`,
      after,
      after + SLICE,
    );
    for (const { list, subscribed, contacts } of rows) {
      const count = list === null ? counts.all : (counts.lists[list] ?? { subscribed: 0, unsubscribed: 0 });
      if (list !== null) counts.lists[list] = count;
      count[subscribed ? "subscribed" : "unsubscribed"] += contacts;
    }
    await pause();
  }
  return counts;
};
