import { HOUR_MS } from "../../../lib/util/dates.ts";
import { log } from "../../../lib/util/log.ts";
import { type Conditions, nextStep, type Step } from "../../policy/campaigns/next-step.ts";
import { TAKEN } from "../../policy/campaigns/slice.ts";
import type { Context } from "../core/context.ts";
import { rowsOpenAt } from "../core/day-rows-words.ts";
import { campaignObstacles, isFull } from "../core/size.ts";
import { type ClaimedRecipients, noRecipients, type WantedRecipients } from "../sending/wanted-recipients.ts";
import { ownProblems } from "./campaign-readiness.ts";
import { activeCampaigns, campaignInRow, keepFailure, nextStart, type StoredCampaign } from "./campaign-rows.ts";
import { cancelNext, clearNext, retryNext } from "./cancel-or-retry.ts";
import { claimRecipients } from "./claim-recipients.ts";
import { holdCampaign, startCampaign } from "./control.ts";
import { tellTeam } from "./notice.ts";
import { takeSnapshot } from "./snapshot.ts";

/** In ms. */
const RETRY_MS = 60_000;
/** In ms. A later configuration wakes no object. */
const NO_SENDER_MS = HOUR_MS;

type Dependencies = {
  transaction<T>(work: () => T): T;
  domainOf(context: Context): string | undefined;
};

export const createCampaignSlices = ({ transaction, domainOf }: Dependencies) => {
  /** Unix ms by n. */
  const resting = new Map<number, number>();

  /** `sending`: campaigns with mails for the Mailers; they wait for a domain and a sender. */
  const due = (context: Context): { numbers: number[]; sending: StoredCampaign[] } => {
    const { sql, now } = context;
    for (const [n, until] of resting) if (until <= now) resting.delete(n);
    const active = activeCampaigns(sql, now).filter(({ n }) => !resting.has(n));
    const conditions = conditionsOf(context);
    const steps = active.map((campaign) => ({ campaign, step: nextStep(campaign, now, conditions) }));
    return {
      numbers: steps.flatMap(({ campaign: { n }, step }) => (step && step.act !== "send" ? [n] : [])),
      sending: steps.flatMap(({ campaign, step }) => (step?.act === "send" ? [campaign] : [])),
    };
  };

  const rest = (context: Context, n: number, error: unknown): void => {
    const until = context.now + RETRY_MS;
    resting.set(n, until);
    const id = campaignInRow(context.sql, n)?.id ?? String(n);
    const message = error instanceof Error ? error.message : String(error);
    log("campaign_failed", { campaign: id, error: message });
    transaction(() => keepFailure(context.sql, context.now, id, until, message));
  };

  /** The campaign may have been paused since it was due. */
  const take = (context: Context, n: number): void => {
    try {
      transaction(() => makeStep(context, n));
    } catch (error) {
      rest(context, n, error);
    }
  };

  /** Runs in the claiming transaction. A campaign that fails must not keep the others' mail. */
  const claim = (context: Context, wanted: WantedRecipients): ClaimedRecipients => {
    const { sending } = due(context);
    const domain = sending.length === 0 ? undefined : domainOf(context);
    if (domain === undefined) return noRecipients;
    return sending.reduce((all, campaign) => {
      const limit = limitOf(campaign, wanted.limit - all.mails.length, wanted.left(domain));
      if (limit <= 0) return all;
      try {
        const above = all.mails.at(-1)?.n ?? 0;
        const next = transaction(() => claimRecipients(context, campaign, domain, { ...wanted, limit, above }));
        return {
          sends: [...all.sends, ...next.sends],
          mails: [...all.mails, ...next.mails],
          wakeAt: Math.min(all.wakeAt, next.wakeAt),
        };
      } catch (error) {
        rest(context, campaign.n, error);
        return all;
      }
    }, noRecipients);
  };

  return {
    claim,
    /** True if a campaign has mails for the Mailers. */
    isSending: (context: Context): boolean => due(context).sending.length > 0,
    slices: (context: Context) => due(context).numbers.map((n) => (work: Context) => take(work, n)),
    /** Unix ms; infinity if only a result or request can continue. */
    next: (context: Context): number => {
      const { sql, now } = context;
      const { numbers, sending } = due(context);
      if (numbers.length > 0) return now;
      const opensAt = rowsOpenAt(context, "campaigns");
      return Math.min(
        opensAt > 0 && activeCampaigns(sql, now).length > 0 ? opensAt : Number.POSITIVE_INFINITY,
        sending.length > 0 ? now + NO_SENDER_MS : Number.POSITIVE_INFINITY,
        nextStart(sql, now),
        ...resting.values(),
      );
    },
  };
};

/** One mail waits for the next day of a warm-up, as its explanation and to go on. The others stay recipients. */
const limitOf = ({ counts, results }: StoredCampaign, wanted: number, left: number): number => {
  if (left > 0) return Math.min(wanted, left, TAKEN);
  return counts.inLedger - results.deferred > 0 ? 0 : Math.min(1, wanted);
};

const ENOUGH = 500;
const SOON_MS = 10_000;

const conditionsOf = (context: Context): Conditions => ({
  isFull: isFull(context) || rowsOpenAt(context, "campaigns") > 0,
  hasLittleMail: () =>
    context.sql
      .exec<{ due: number }>(
        "SELECT count(*) AS due FROM (SELECT 1 FROM sends WHERE class = 'marketing' AND due <= ? LIMIT ?)",
        context.now + SOON_MS,
        ENOUGH,
      )
      .one().due < ENOUGH,
});

export const makeStep = (context: Context, n: number): void => {
  const campaign = campaignInRow(context.sql, n);
  const planned = campaign && nextStep(campaign, context.now, conditionsOf(context));
  if (!planned || planned.act === "send") return;
  // A filter that names deleted things may match everybody: a person has to check it.
  const isReady =
    planned.act !== "start" || (ownProblems(context, campaign).length === 0 && campaignObstacles(context).length === 0);
  const step: Exclude<Step, { act: "send" }> = isReady ? planned : { act: "hold", reason: "not_ready" };
  if (step.act === "hold") {
    log("campaign_held", { campaign: campaign.id, reason: step.reason });
    holdCampaign(context, campaign, step.reason);
    tellTeam(context, campaign, step.reason);
  } else acts[step.act](context, campaign);
};

const finish = ({ sql, now }: Context, { n }: StoredCampaign, state: "done" | "cancelled"): void => {
  sql.exec(
    "UPDATE campaigns SET status = 'Sent', state = ?, reason = NULL, pass = NULL, finished_at = ?, updated_at = ? WHERE n = ?",
    state,
    now,
    now,
    n,
  );
};

const acts: Readonly<
  Record<Exclude<Step["act"], "hold" | "send">, (context: Context, campaign: StoredCampaign) => void>
> = {
  start: (context, campaign) => startCampaign(context, campaign),
  snapshot: takeSnapshot,
  cancel: cancelNext,
  clear: clearNext,
  retry: retryNext,
  finish: (context, campaign) => finish(context, campaign, "done"),
  end: (context, campaign) => finish(context, campaign, "cancelled"),
};
