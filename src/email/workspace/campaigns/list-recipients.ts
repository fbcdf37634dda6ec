import type { Refusal } from "../../../lib/contract/errors.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../lib/contract/pagination.ts";
import { csvLine } from "../../../lib/util/csv-line.ts";
import { isoOrNull } from "../../../lib/util/dates.ts";
import type { FileOperations, FilePiece } from "../../types/files.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { createPause } from "../core/between-slices.ts";
import type { Context } from "../core/context.ts";
import { findCampaign } from "./campaign-rows.ts";
import { endOfSlice, readRecipients, shownRecipient } from "./recipient-rows.ts";

type Answer = { body: unknown } | { refusal: Refusal };

const SLICE = 10_000;

/** The order by contact keeps pages stable when states change. */
export const listRecipients = (context: Context, input: AdminInput<"statistics.recipients">): Answer => {
  const { sql } = context;
  const after = input.cursor === undefined ? 0 : beforeOf(input.cursor);
  if (typeof after !== "number") return after;
  const found = findCampaign(context, input.campaignId);
  if ("refusal" in found) return found;
  const { campaign } = found;
  const { perPage = DEFAULT_PER_PAGE } = input;
  const end = endOfSlice(sql, campaign.n, after, SLICE);
  const range = { after, to: end ?? Number.MAX_SAFE_INTEGER, limit: perPage + 1 };
  const rows = readRecipients(sql, campaign, range, input);
  const page = rows.slice(0, perPage);
  const last = rows.length > perPage ? page.at(-1)?.n : end;
  return {
    body: {
      data: page.map(shownRecipient),
      next: last === undefined ? null : cursorAfter(last),
      searchedTo: last === undefined ? null : createdAt(sql, last),
    },
  };
};

const createdAt = (sql: SqlStorage, contact: number): string | null =>
  isoOrNull(
    sql.exec<{ at: number }>("SELECT created_at AS at FROM contacts WHERE n = ?", contact).toArray()[0]?.at ?? null,
  );

const RECIPIENTS_HEAD = csvLine(["email", "userId", "state", "reason", "sentAt", "openedAt", "clickedAt"]);

/** Rows per slice: a few ms. */
const FILE_SLICE = 1_000;
/** Slices per piece: up to about a megabyte. */
const SLICES = 10;

export const recipientsFile = async (
  context: Context,
  { campaignId, after, ...filters }: FileOperations["campaigns.recipientsFile"],
): Promise<{ body: FilePiece } | { refusal: Refusal }> => {
  const { sql } = context;
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  let text = after === 0 ? RECIPIENTS_HEAD : "";
  let last: number | undefined = after;
  const pause = createPause();
  for (let slice = 0; slice < SLICES && last !== undefined; slice++) {
    if (slice > 0) await pause();
    const end = endOfSlice(sql, found.campaign.n, last, FILE_SLICE);
    const range = { after: last, to: end ?? Number.MAX_SAFE_INTEGER, limit: FILE_SLICE };
    text += readRecipients(sql, found.campaign, range, filters)
      .map(shownRecipient)
      .map(({ email, userId, state, meaning, sentAt, openedAt, clickedAt }) =>
        csvLine([email, userId, state, meaning, sentAt, openedAt, clickedAt]),
      )
      .join("");
    last = end;
  }
  return { body: { text, last: last ?? null } };
};
