import { HOUR_MS } from "../../../lib/util/dates.ts";
import { log } from "../../../lib/util/log.ts";
import { type Conditions, nextStep, type Step } from "../../policy/campaigns/next-step.ts";
import type { Context } from "../core/context.ts";
import { campaignObstacles, isFull } from "../core/size.ts";
import { ownProblems } from "./campaign-readiness.ts";
import { activeCampaigns, campaignInRow, keepFailure, nextStart, type StoredCampaign } from "./campaign-rows.ts";
import { cancelNext, clearNext, retryNext } from "./cancel-or-retry.ts";
import { holdCampaign, startCampaign } from "./control.ts";
import { feedLedger } from "./feed.ts";
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

  const due = (context: Context): { numbers: number[]; isWaiting: boolean } => {
    const { sql, now } = context;
    for (const [n, until] of resting) if (until <= now) resting.delete(n);
    const active = activeCampaigns(sql, now).filter(({ n }) => !resting.has(n));
    if (active.length === 0) return { numbers: [], isWaiting: false };
    const conditions = conditionsOf(context, domainOf(context));
    const ready = (canSend: boolean) =>
      active.filter((campaign) => nextStep(campaign, now, { ...conditions, canSend }) !== undefined);
    const numbers = ready(conditions.canSend).map(({ n }) => n);
    return { numbers, isWaiting: !conditions.canSend && ready(true).length > numbers.length };
  };

  /** The campaign may have been paused since it was due. */
  const take = (context: Context, n: number): void => {
    try {
      transaction(() => makeStep(context, n, domainOf(context)));
    } catch (error) {
      const until = context.now + RETRY_MS;
      resting.set(n, until);
      const id = campaignInRow(context.sql, n)?.id ?? String(n);
      const message = error instanceof Error ? error.message : String(error);
      log("campaign_failed", { campaign: id, error: message });
      transaction(() => keepFailure(context.sql, context.now, id, until, message));
    }
  };

  return {
    slices: (context: Context) => due(context).numbers.map((n) => (work: Context) => take(work, n)),
    /** Unix ms; infinity if only a result or request can continue. */
    next: (context: Context): number => {
      const { sql, now } = context;
      const { numbers, isWaiting } = due(context);
      if (numbers.length > 0) return now;
      return Math.min(
        isWaiting ? now + NO_SENDER_MS : Number.POSITIVE_INFINITY,
        nextStart(sql, now),
        ...resting.values(),
      );
    },
  };
};

const ENOUGH = 500;
const SOON_MS = 10_000;

const conditionsOf = (context: Context, domain: string | undefined): Conditions => ({
  canSend: domain !== undefined,
  isFull: isFull(context),
  hasLittleMail: () =>
    context.sql
      .exec<{ due: number }>(
        "SELECT count(*) AS due FROM (SELECT 1 FROM sends WHERE class = 'marketing' AND due <= ? LIMIT ?)",
        context.now + SOON_MS,
        ENOUGH,
      )
      .one().due < ENOUGH,
});

export const makeStep = (context: Context, n: number, domain: string | undefined): void => {
  const campaign = campaignInRow(context.sql, n);
  const planned = campaign && nextStep(campaign, context.now, conditionsOf(context, domain));
  if (!planned) return;
  // A filter that names deleted things may match everybody: a person has to check it.
  const isReady =
    planned.act !== "start" || (ownProblems(context, campaign).length === 0 && campaignObstacles(context).length === 0);
  const step: Step = isReady ? planned : { act: "hold", reason: "not_ready" };
  if (step.act === "hold") {
    log("campaign_held", { campaign: campaign.id, reason: step.reason });
    holdCampaign(context, campaign, step.reason);
  } else acts[step.act](context, campaign, domain ?? "");
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
  Record<Exclude<Step["act"], "hold">, (context: Context, campaign: StoredCampaign, domain: string) => void>
> = {
  start: (context, campaign) => startCampaign(context, campaign),
  snapshot: takeSnapshot,
  feed: feedLedger,
  cancel: cancelNext,
  clear: clearNext,
  retry: retryNext,
  finish: (context, campaign) => finish(context, campaign, "done"),
  end: (context, campaign) => finish(context, campaign, "cancelled"),
};
