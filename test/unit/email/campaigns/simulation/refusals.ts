import type { ModelCampaign } from "./model.ts";
import { HOLDING, sizes } from "./sizes.ts";
import type { SendRow } from "./stored.ts";

const DAY = 86_400_000;

const LEFT = ["sent", "delivered", "complained", "bounced"];

/** A campaign, its mails, and when each of them was refused, in Unix ms. `unclear`: mails whose outcome was unknown once. */
export type Refused = {
  campaign: ModelCampaign;
  mails: readonly SendRow[];
  refusals: ReadonlyMap<string, readonly number[]>;
  unclear: Readonly<Record<string, true>>;
};

/** When the relay took mails of a campaign, in Unix ms. Of a mail that was unknown once, that may be any time. */
const takenAt = ({ mails, unclear }: Refused): number[] =>
  mails
    .filter(({ state }) => LEFT.includes(state))
    .map(({ id, settledAt }) => (unclear[id] ? Number.POSITIVE_INFINITY : (settledAt ?? 0)));

/** Whether so many mails were refused in a row that a campaign may be held. `open`: recipients without a result. `back`: ms by which the clock went back. */
export const mayBeHeld = (refused: Refused, open: number, back: number): boolean => {
  const { campaign, refusals } = refused;
  const since = Math.max(campaign.resumedAt, ...takenAt(refused).filter(Number.isFinite));
  const inRow = [...refusals.values()].flat().filter((at) => at >= since - back).length;
  return inRow * sizes.refusals >= HOLDING || (inRow > 0 && inRow >= 2 * open);
};

/** Why a mail must not have failed; undefined where it may have. One that no relay took for a day fails whatever it said before. */
export const wrongFailure = (refused: Refused, mail: SendRow): string | undefined => {
  const { campaign, refusals } = refused;
  const times = refusals.get(mail.id) ?? [];
  const last = times.at(-1);
  if (last === undefined || campaign.status === "Sent" || (mail.settledAt ?? 0) - last >= DAY) return undefined;
  if (times.length < 2) return `${mail.id} has failed, and was refused once`;
  // A clock that went back has both in another order.
  const takes = takenAt(refused).some((at) => at >= campaign.resumedAt);
  return takes ? undefined : `${mail.id} has failed, and the relay has taken no mail of ${campaign.id}`;
};
