import type { CampaignStatus, ProgressState } from "../../../../../../src/email/policy/campaigns/types.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import { type MessagesOf, type ModelActivity, type ModelContact, meets } from "../../workflows/simulation/people.ts";
import { type ModelLimits, NO_LIMITS } from "./limits.ts";

const HOUR = 3_600_000;

export type ModelAudience = { list: string | null; segment: AudienceFilter | null; filter: AudienceFilter | null };

/** A campaign in the model. Plain data, so that a crash can restore its durable state. */
export type ModelCampaign = {
  n: number;
  id: string;
  message: string;
  status: CampaignStatus;
  state: ProgressState | null;
  reason: string | null;
  /** Unix ms. Null for a campaign that starts when it is sent. */
  scheduledAt: number | null;
  audience: ModelAudience | undefined;
  /** Highest row number of a contact at its start. */
  last: number | undefined;
  cursor: number;
  recipients: number[];
  gone: { skipped: number; cancelled: number };
  /** The last resumption by a person, in Unix ms. 0 before. */
  resumedAt: number;
  isAgain: boolean;
  lost: number;
  asked: string[];
  wanted: { id: string; contact: number | null }[];
  retried: number;
  confirmed: number | null;
};

/** `mails`: states by the id of the send. `unclear`: once unknown. `again`: times that a person sent it again. */
export type ModelState = {
  campaigns: Record<number, ModelCampaign>;
  mails: Record<string, string>;
  unclear: Record<string, true>;
  again: Record<string, number>;
  /** Skipped recipients, as "campaign contact". */
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

/** Sends or schedules a draft with its present audience. `last`: highest row number of a contact, undefined if scheduled. */
export const sendCampaign = (campaign: ModelCampaign, audience: ModelAudience, last: number | undefined): void => {
  Object.assign(campaign, { status: "Scheduled", audience });
  if (last !== undefined) start(campaign, last);
};

const start = (campaign: ModelCampaign, last: number): void => {
  Object.assign(campaign, { status: "Sending", state: "snapshot", reason: null, last, cursor: 0 });
};

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

/** True if a campaign is held since its start, without a sent mail. */
export const isHeldAtStart = ({ state, reason, last }: ModelCampaign): boolean =>
  state === "held" && (last === undefined || reason === "more_recipients");

const isMoving = ({ state }: ModelCampaign): boolean => state === "snapshot" || state === "sending";

/** A person's act on a campaign. A forbidden act changes nothing. `last`: highest row number of a contact. */
export const control = (
  campaign: ModelCampaign,
  what: "pause" | "resume" | "cancel" | "unschedule",
  last: number,
): void => {
  const { status, state } = campaign;
  const isStarted = status === "Scheduled" || status === "Sending";
  if (what === "unschedule" && (status === "Scheduled" || isHeldAtStart(campaign)))
    Object.assign(campaign, { status: "Draft", state: null, reason: null, ...notBegun() });
  if (what === "cancel" && isStarted) Object.assign(campaign, { status: "Sent", state: "cancelled", reason: null });
  if (what === "pause" && isMoving(campaign)) campaign.state = "paused";
  if (what !== "resume" || (state !== "paused" && state !== "held")) return;
  if (campaign.reason === "sender_refuses") campaign.isAgain = false;
  if (campaign.reason === "more_recipients") campaign.confirmed = null;
  if (campaign.last === undefined) start(campaign, last);
  else Object.assign(campaign, { state: campaign.cursor < campaign.last ? "snapshot" : "sending", reason: null });
};

type Shown = Pick<ModelCampaign, "status" | "state" | "reason">;

/** Begins a scheduled campaign. Returns the reason if this is wrong. `late`: ms after its time. */
export const begin = (campaign: ModelCampaign, to: Shown, late: number, last: number): string | undefined => {
  if (to.reason === "late") {
    Object.assign(campaign, { status: "Sending", state: "held", reason: "late" });
    return late > HOUR ? undefined : `it is held, ${late} ms after its time`;
  }
  start(campaign, last);
  return late < 0 || late > HOUR ? `it starts ${late} ms after its time` : undefined;
};

/**
 * Moves a campaign. Returns the reason if this is wrong. `open`: recipients without a result. `again`: a mail is sent
 * again.
 */
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

const unconfirmed = ({ confirmed, recipients, gone, lost }: ModelCampaign): string | undefined => {
  const most = recipients.length + gone.skipped + lost;
  return confirmed !== null && most > confirmed ? undefined : `it is held for ${most} recipients, of ${confirmed}`;
};

export const isFor = (
  { audience }: ModelCampaign,
  contact: ModelContact,
  activity: ModelActivity,
  messagesOf: MessagesOf,
): boolean => {
  if (!audience) throw new Error("The campaign was not sent.");
  const { list, segment, filter } = audience;
  return (
    (list === null || contact.lists.includes(list)) &&
    meets(contact, segment, activity, messagesOf) &&
    meets(contact, filter, activity, messagesOf)
  );
};

/** By campaign: the state of a contact's recipient without a mail. */
export type Alone = ReadonlyMap<number, string>;

const drop = (campaign: ModelCampaign, contact: number, alone: string | undefined): void => {
  campaign.recipients = campaign.recipients.filter((n) => n !== contact);
  if (alone === undefined) campaign.lost += 1;
  if (alone === "queued" || alone === "skipped") campaign.gone.skipped += 1;
  if (alone === "cancelled") campaign.gone.cancelled += 1;
};

const isPast = ({ cursor, last = 0 }: ModelCampaign, contact: number, alone: string): boolean =>
  alone === "cancelled" || (alone === "skipped" && cursor >= Math.min(contact, last));

/** Joins two contacts: mails and results of `from` move to `to`. */
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

export const remove = (state: ModelState, contact: number, alone: Alone): void => {
  for (const campaign of Object.values(state.campaigns))
    if (campaign.recipients.includes(contact)) drop(campaign, contact, alone.get(campaign.n));
};
