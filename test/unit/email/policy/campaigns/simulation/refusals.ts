import type { ModelCampaign } from "./model.ts";
import { sizes } from "./sizes.ts";
import type { SendRow } from "./stored.ts";

const DAY = 86_400_000;
const MOST_IN_ROW = 5;

const TAKEN = ["sent", "delivered", "complained"];
const LEFT = [...TAKEN, "bounced"];

/**
 * A campaign with its mails, and their refusals and retries in Unix ms. `open`: recipients without a result.
 * `unclear`: mails that were unknown once. `back`: ms by which the clock went back.
 */
export type Refused = {
  campaign: ModelCampaign;
  mails: readonly SendRow[];
  open: number;
  refusals: ReadonlyMap<string, readonly number[]>;
  retried: ReadonlyMap<string, number>;
  unclear: Readonly<Record<string, true>>;
  back: number;
};

const takenAt = ({ mails, unclear }: Refused, states = LEFT): number[] =>
  mails
    .filter(({ state }) => states.includes(state))
    .map(({ id, settledAt }) => (unclear[id] ? Number.POSITIVE_INFINITY : (settledAt ?? 0)));

const countAfter = (times: readonly number[], at: number): number => times.filter((one) => one > at).length;

/** True if refusals allow a hold. With few `open` recipients, only if the mail provider takes none. */
export const mayBeHeld = (refused: Refused): boolean => {
  const { campaign, refusals, open, back } = refused;
  if (campaign.lost > 0) return true;
  const from = campaign.resumedAt - back;
  const taken = takenAt(refused);
  const known = takenAt(refused, TAKEN).filter(Number.isFinite);
  const all = [...refusals.values()].flat().filter((at) => at >= from);
  const oldest = all.sort((a, b) => b - a)[sizes.refused - 1];
  const isMany = oldest !== undefined && countAfter(known, oldest + back) <= sizes.ofLast - sizes.refused;
  if (isMany && open >= sizes.refused) return true;
  const since = Math.max(from, ...known) - back;
  const inRow = all.filter((at) => at >= since).length;
  const hasTaken = known.length === taken.length && countAfter(known, campaign.resumedAt + back) > 0;
  return !campaign.isAgain && !hasTaken && inRow > 0 && inRow >= 2 * open;
};

/**
 * The reason why a mail must not have failed, or undefined. A mail that no mail provider took for a day always fails.
 */
export const wrongFailure = (refused: Refused, mail: SendRow): string | undefined => {
  const { campaign, back } = refused;
  const times = timesOf(refused, mail);
  const last = times.at(-1);
  if (last === undefined || campaign.status === "Sent" || !hasFailedAt(mail, last)) return undefined;
  if (times.length < 2) return `${mail.id} has failed, and was refused once`;
  const takes = takenAt(refused);
  const hasTaken = takes.some((at) => at >= campaign.resumedAt);
  if (!campaign.isAgain && !hasTaken)
    return `${mail.id} has failed, and the mail provider has taken no mail of ${campaign.id}`;
  if (back > 0 || campaign.lost > 0 || takes.some((at) => !Number.isFinite(at))) return undefined;
  if (openAt(refused, mail, last) < sizes.refused) return undefined;
  return tooManyBefore(refused, mail, last) ?? (campaign.isAgain ? undefined : inRow(refused, mail, last));
};

const timesOf = ({ refusals, retried }: Refused, { id }: SendRow): number[] =>
  (refusals.get(id) ?? []).filter((at) => at >= (retried.get(id) ?? 0));

const openAt = ({ open, mails, retried }: Refused, { id }: SendRow, last: number): number => {
  const later = mails.filter((mail) => {
    const wasUnknown = (retried.get(mail.id) ?? 0) > last;
    return mail.id !== id && !wasUnknown && mail.state !== "unknown" && (mail.settledAt ?? 0) > last;
  }).length;
  const again = mails.filter((mail) => mail.settledAt === null && (retried.get(mail.id) ?? 0) > last).length;
  return open - again + later + 1;
};

const hasFailedAt = ({ state, settledAt }: SendRow, last: number): boolean =>
  state === "failed" && (settledAt ?? 0) - last < DAY;

const before = ({ campaign, refusals }: Refused, last: number): number[] =>
  [...refusals.values()]
    .flat()
    .filter((at) => at > campaign.resumedAt && at < last)
    .sort((a, b) => b - a);

const tooManyBefore = (refused: Refused, { id }: SendRow, last: number): string | undefined => {
  const oldest = before(refused, last)[sizes.refused - 2];
  if (oldest === undefined) return undefined;
  const taken = takenAt(refused).filter((at) => at >= oldest && at <= last).length;
  const isOver = taken <= sizes.ofLast - sizes.refused;
  return isOver ? `${id} has failed with refusal ${sizes.refused} of the last ${sizes.refused + taken}` : undefined;
};

const inRow = (refused: Refused, { id }: SendRow, last: number): string | undefined => {
  const { campaign, mails } = refused;
  const taken = takenAt(refused).filter((at) => at <= last);
  const since = Math.max(campaign.resumedAt, ...taken);
  const earlier = countAfter(before(refused, last), since);
  if (earlier >= MOST_IN_ROW) return `${id} has failed with refusal ${earlier + 1} in a row`;
  const failed = mails.filter((mail) => {
    const at = timesOf(refused, mail).at(-1) ?? 0;
    return at > since && at <= last && hasFailedAt(mail, at) && openAt(refused, mail, at) >= sizes.refused;
  }).length;
  return failed > MOST_IN_ROW ? `${failed} mails of ${campaign.id} have failed in a row` : undefined;
};
