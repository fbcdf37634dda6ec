import type { Refusal } from "../../../../lib/contract/errors.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf, isoOrNull } from "../../../../lib/util/dates.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { campaignInRow } from "../../campaigns/campaign-rows.ts";
import { resumeCampaign } from "../../campaigns/control.ts";
import { endWave } from "../../campaigns/wave-work.ts";
import { type Context, wake } from "../../core/context.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { findWave, leaveWave, listWaves, type Wave, waveId } from "../../waves/wave-rows.ts";
import { decisionInWords, waveInWords } from "../../waves/wave-words.ts";

/** Campaigns that it holds. */
const campaignsOf = (sql: SqlStorage, { n }: Wave): { n: number; id: string; name: string }[] =>
  sql
    .exec<{ n: number; id: string; name: string }>(
      "SELECT n, id, name FROM campaigns WHERE status IN ('Scheduled', 'Sending') AND status = 'Sending' AND wave = ? ORDER BY n",
      n,
    )
    .toArray();

export const shownWave = (sql: SqlStorage, wave: Wave) => {
  const { n: _, destination, cause, at, mails, decision, decisionAt, cursor, changed, leftOut } = wave;
  return {
    id: waveId(wave.n),
    destination,
    cause,
    meaning: decisionInWords(wave) ?? waveInWords(wave),
    since: isoOf(at),
    mails,
    campaigns: campaignsOf(sql, wave).map(({ id, name }) => ({ id, name })),
    decision,
    decisionAt: isoOrNull(decisionAt),
    changed,
    leftOut,
    done: cursor === null,
  };
};

const list = ({ sql }: Context, { cursor, perPage = DEFAULT_PER_PAGE }: AdminInput<"waves.list">) => {
  const before = beforeOf(cursor);
  if (typeof before !== "number") return before;
  const found = listWaves(sql, before, perPage + 1);
  const shown = found.slice(0, perPage);
  const last = shown.at(-1);
  const next = found.length > perPage && last ? cursorAfter(last.n) : null;
  return { body: { data: shown.map((wave) => shownWave(sql, wave)), next } };
};

const decide = (
  context: Context,
  { waveId: id, decision }: AdminInput<"waves.decide">,
): { body: unknown } | { refusal: Refusal } => {
  const { sql, now } = context;
  const wave = findWave(sql, id);
  if (!wave) return { refusal: notFound(id) };
  if (wave.decision === decision) return { body: shownWave(sql, wave) };
  if (wave.decision !== null && wave.decision !== "keep") return { refusal: closed(wave) };
  endWave(context, wave, decision);
  const campaigns = campaignsOf(sql, wave);
  leaveWave(sql, wave.n);
  for (const { n } of campaigns) {
    const campaign = campaignInRow(sql, n);
    if (campaign?.state === "held" && campaign.reason === "bounce_wave") resumeCampaign(context, campaign);
  }
  wake(context, now);
  return { body: shownWave(sql, findWave(sql, id) ?? wave) };
};

const notFound = (id: string): Refusal => ({
  code: "not_found",
  path: "waveId",
  message: `There is no wave with the id "${id}". GET /admin/teams/{team}/waves lists those of the last 30 days.`,
});

const closed = (wave: Wave): Refusal => ({
  code: "wave_closed",
  path: "decision",
  message: `${decisionInWords(wave)} Only keep can be followed by another decision. Suppressions are lifted with POST /admin/teams/{team}/suppressions/lift.`,
});

export const waves: AdminHandlers<"waves"> = { list, decide };
