import type { CampaignStatus, DeliveryState } from "../../../../../../src/email/policy/campaigns/types.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import { type MessagesOf, type ModelActivity, type ModelContact, meets } from "../../workflows/simulation/people.ts";
import { type ModelLimits, NO_LIMITS } from "./limits.ts";

const HOUR = 3_600_000;

/** Whom a campaign is for, as it was when the campaign was launched. */
export type ModelAudience = { list: string | null; segment: AudienceFilter | null; filter: AudienceFilter | null };

/** What the model knows of a campaign. It is plain data, so that a crash can take it back to what was durable. */
export type ModelCampaign = {
  n: number;
  id: string;
  message: string;
  status: CampaignStatus;
  state: DeliveryState | null;
  reason: string | null;
  /** Unix ms; null for a campaign that starts when it is launched. */
  scheduledAt: number | null;
  audience: ModelAudience | undefined;
  /** Highest row number of a contact when it started; undefined before that. */
  last: number | undefined;
  /** The contacts up to this row number were judged. */
  cursor: number;
  /** Row numbers of the contacts that it is for, those deleted meanwhile left out. */
  recipients: number[];
  /** Recipients that never had a mail, and are deleted or part of another contact. */
  gone: { skipped: number; cancelled: number };
  /** When a person last had it go on, in Unix ms; 0 before that. */
  resumedAt: number;
  /** It was done, and goes on because mails of it are sent again. */
  isAgain: boolean;
  /** Mails of contacts that were deleted: what became of them is not known. */
  lost: number;
  /** The mails whose outcome was not known when a person asked for them again: each may be sent once more. */
  asked: string[];
  /** Those of them that have to be sent again: nothing has stood against it since. */
  wanted: { id: string; contact: number | null }[];
  /** How many were sent again since then. */
  retried: number;
  /** The recipients that a person has confirmed for a start later on; null where nobody did. */
  confirmed: number | null;
};

/** `mails`: the state of each mail, by the id of its send. `unclear`: those whose outcome was unknown once. `again`: how often a person had it sent again. */
export type ModelState = {
  campaigns: Record<number, ModelCampaign>;
  mails: Record<string, string>;
  unclear: Record<string, true>;
  again: Record<string, number>;
  /** Recipients that were skipped, as "campaign contact". */
  skipped: Record<string, true>;
  limits: ModelLimits;
};

export const emptyModel = (): ModelState => ({
  campaigns: {},
  mails: {},
  unclear: {},
  again: {},
  skipped: {},
  limits: NO_LIMITS,
});

/** A draft is launched with the audience that its list, segment and filter have now. `last`: highest row number of a contact; undefined when it is scheduled. */
export const launch = (campaign: ModelCampaign, audience: ModelAudience, last: number | undefined): void => {
  Object.assign(campaign, { status: "Scheduled", audience });
  if (last !== undefined) start(campaign, last);
};

const start = (campaign: ModelCampaign, last: number): void => {
  Object.assign(campaign, { status: "Sending", state: "snapshot", reason: null, last, cursor: 0 });
};

/** What a campaign knows of a start: nothing, before it and after it was taken back. */
export const notBegun = (): Pick<
  ModelCampaign,
  "audience" | "last" | "cursor" | "recipients" | "gone" | "lost" | "confirmed"
> => ({
  audience: undefined,
  last: undefined,
  cursor: 0,
  recipients: [],
  gone: { skipped: 0, cancelled: 0 },
  lost: 0,
  confirmed: null,
});

/** A campaign is held since its start, and nothing of it is sent. */
export const isHeldAtStart = ({ state, reason, last }: ModelCampaign): boolean =>
  state === "held" && (last === undefined || reason === "more_recipients");

const isMoving = ({ state }: ModelCampaign): boolean => state === "snapshot" || state === "sending";

/** What a person does to a campaign. What is not allowed changes nothing. `last`: highest row number of a contact. */
export const control = (
  campaign: ModelCampaign,
  what: "pause" | "resume" | "cancel" | "unschedule",
  last: number,
): void => {
  const { status, state } = campaign;
  const isLaunched = status === "Scheduled" || status === "Sending";
  if (what === "unschedule" && (status === "Scheduled" || isHeldAtStart(campaign)))
    Object.assign(campaign, { status: "Draft", state: null, reason: null, ...notBegun() });
  if (what === "cancel" && isLaunched) Object.assign(campaign, { status: "Sent", state: "cancelled", reason: null });
  if (what === "pause" && isMoving(campaign)) campaign.state = "paused";
  if (what !== "resume" || (state !== "paused" && state !== "held")) return;
  if (campaign.reason === "relay_refuses") campaign.isAgain = false;
  if (campaign.reason === "more_recipients") campaign.confirmed = null;
  if (campaign.last === undefined) start(campaign, last);
  else Object.assign(campaign, { state: campaign.cursor < campaign.last ? "snapshot" : "sending", reason: null });
};

type Shown = Pick<ModelCampaign, "status" | "state" | "reason">;

/** A scheduled campaign has begun: why it must not have, in words. `late`: ms after its time. */
export const begin = (campaign: ModelCampaign, to: Shown, late: number, last: number): string | undefined => {
  if (to.reason === "late") {
    Object.assign(campaign, { status: "Sending", state: "held", reason: "late" });
    return late > HOUR ? undefined : `it is held, ${late} ms after its time`;
  }
  start(campaign, last);
  return late < 0 || late > HOUR ? `it starts ${late} ms after its time` : undefined;
};

/** A campaign has moved by itself: why it must not have, in words. `open`: recipients without a result. `holds`: reasons to hold it. `again`: a mail of it is sent again. */
export const moveTo = (
  campaign: ModelCampaign,
  to: Shown,
  { open, holds, again }: { open: number; holds: readonly string[]; again: boolean },
): string | undefined => {
  const { status, state, reason, cursor, last = 0 } = campaign;
  const isOpen = status === "Sending" && campaign.last !== undefined;
  if (to.status === status && to.state === state && to.reason === reason) return undefined;
  Object.assign(campaign, { status: to.status, state: to.state, reason: to.reason });
  if (state === "done" && to.status === "Sending" && to.state === "sending")
    return again ? undefined : "it goes on, and none of its mails is sent again";
  if (state === "snapshot" && to.state === "sending")
    return cursor < last ? "its recipients are not all collected" : undefined;
  if (isOpen && to.state === "done" && to.status === "Sent")
    return cursor < last || open > 0
      ? `it is done with ${open} open mails, at contact ${cursor} of ${last}`
      : undefined;
  if (state === "sending" && to.state === "held" && holds.includes(to.reason ?? "")) return undefined;
  if (state === "sending" && to.state === "held" && to.reason === "more_recipients") return unconfirmed(campaign);
  return `it was ${status} ${state}, and must not become ${to.status} ${to.state} ${to.reason}`;
};

/** Why a campaign must not be held for its recipients, in words. Not all of them may get it, and some are gone meanwhile. */
const unconfirmed = ({ confirmed, recipients, gone, lost }: ModelCampaign): string | undefined => {
  const most = recipients.length + gone.skipped + lost;
  return confirmed !== null && most > confirmed ? undefined : `it is held for ${most} recipients, of ${confirmed}`;
};

/** Whether a campaign is for a contact, as the contact is now. */
export const isFor = (
  { audience }: ModelCampaign,
  contact: ModelContact,
  activity: ModelActivity,
  messagesOf: MessagesOf,
): boolean => {
  if (!audience) throw new Error("The campaign was not launched.");
  const { list, segment, filter } = audience;
  return (
    (list === null || contact.lists.includes(list)) &&
    meets(contact, segment, activity, messagesOf) &&
    meets(contact, filter, activity, messagesOf)
  );
};

/** By campaign: the state of the recipient of a contact that has no mail. */
export type Alone = ReadonlyMap<number, string>;

/** A recipient is gone with its contact. One without a mail stays in the counts. */
const drop = (campaign: ModelCampaign, contact: number, alone: string | undefined): void => {
  campaign.recipients = campaign.recipients.filter((n) => n !== contact);
  if (alone === undefined) campaign.lost += 1;
  if (alone === "queued" || alone === "skipped") campaign.gone.skipped += 1;
  if (alone === "cancelled") campaign.gone.cancelled += 1;
};

/** Whether the campaign does not come to the contact any more, so that a recipient without a mail stays what it is. */
const isPast = ({ cursor, last = 0 }: ModelCampaign, contact: number, alone: string): boolean =>
  alone === "cancelled" || (alone === "skipped" && cursor >= Math.min(contact, last));

/** Two contacts have become one: `from` is gone, and a mail of it is that of `to`. So is a result without a mail. */
export const join = ({ campaigns, skipped }: ModelState, from: number, to: number, alone: Alone): void => {
  for (const campaign of Object.values(campaigns)) {
    const { n, recipients } = campaign;
    if (!recipients.includes(from)) continue;
    const state = alone.get(n);
    const isMoved = state === undefined || isPast(campaign, to, state);
    if (!isMoved || recipients.includes(to)) drop(campaign, from, state);
    else campaign.recipients = recipients.map((one) => (one === from ? to : one));
    if (isMoved && state === "skipped") skipped[`${n} ${to}`] = true;
  }
};

/** A contact was deleted. */
export const remove = (state: ModelState, contact: number, alone: Alone): void => {
  for (const campaign of Object.values(state.campaigns))
    if (campaign.recipients.includes(contact)) drop(campaign, contact, alone.get(campaign.n));
};
