import { isoOf, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { REFUSED } from "../../../policy/campaigns/hold-limits.ts";
import { type Refusals, refusedOfLast } from "../../../policy/campaigns/refused-in-row.ts";
import type { Fault } from "../../../policy/readiness/faults.ts";
import { causeInWords } from "../../../policy/refusals/causes.ts";
import { ownProblems } from "../../campaigns/campaign-readiness.ts";
import { failureOf, type StoredCampaign } from "../../campaigns/campaign-rows.ts";
import type { Context } from "../../core/context.ts";
import { waitForRows } from "../../core/day-rows-words.ts";
import { campaignObstacles, waitForRoom } from "../../core/size.ts";
import { marketingObstacles } from "../../domains/obstacles.ts";
import { sendingDomainOf } from "../../domains/sending-domain.ts";
import { whyItWaits } from "../../limits/handlers.ts";
import { reasonsToWait } from "../../sending/waiting-mails.ts";
import { type Wave, waveInRow } from "../../waves/wave-rows.ts";
import { waveInWords } from "../../waves/wave-words.ts";

const HELD: Readonly<Record<string, string>> = {
  late: "It could not start until more than an hour after its time. Resume it to send it now, unschedule it to change it, or cancel it.",
  not_ready:
    "It was not ready at its time. Fix what is listed here and resume it, which takes its segment as it is then; unschedule it to change it; or cancel it.",
  bounce_rate:
    "Too many of its mails have bounced. Check where its recipients come from. Resume it to go on, or cancel it.",
  complaint_rate:
    "Too many recipients have reported it as spam. Check where they come from. Resume it to go on, or cancel it.",
};

/** Returns why a campaign waits now; empty if it continues or is done. */
export const waitingOf = (context: Context, campaign: StoredCampaign): Fault[] => {
  const { status, state, reason, scheduledAt } = campaign;
  if (status === "Draft") return [{ code: "draft", message: "It is a draft. It starts when it is sent or scheduled." }];
  if (status === "Scheduled")
    return [{ code: "scheduled", message: `It is scheduled. It starts at ${isoOf(scheduledAt ?? 0)}.` }];
  if (status === "Sent") return [];
  if (state === "paused") return [{ code: "paused", message: "It is paused. It goes on when it is resumed." }];
  if (state === "held") {
    const message = reasonInWords(context, campaign);
    const problems = reason === "not_ready" ? [...ownProblems(context, campaign), ...campaignObstacles(context)] : [];
    return [{ code: reason ?? "held", message }, ...problems.map(({ code, message }) => ({ code, message }))];
  }
  return [
    ...failed(context, campaign),
    ...waitForRoom(context),
    ...waitForRows(context, "campaigns"),
    ...marketingObstacles(context),
    ...notNow(context),
    ...putOff(context, campaign),
    ...silent(context),
  ];
};

const reasonInWords = ({ sql }: Context, campaign: StoredCampaign): string => {
  const { reason, refusals, counts, wave } = campaign;
  if (reason === "more_recipients") return tooMany(campaign);
  if (reason === "sender_refuses") return refused(refusals, counts.sent);
  if (reason === "bounce_wave") return ofWave(wave === null ? undefined : waveInRow(sql, wave));
  return HELD[reason ?? ""] ?? `It is held: ${reason}. Resume it to go on, or cancel it.`;
};

const refused = (refusals: Refusals | null, taken: number): string => {
  const { words = "" } = refusals ?? {};
  const cause = causeInWords(words);
  const said = words === "" ? "" : ` Its last answer: "${words}".${cause === undefined ? "" : ` ${cause}.`}`;
  const last = refusals === null ? undefined : refusedOfLast(refusals, taken);
  const many =
    last === undefined || last <= REFUSED
      ? "The mail provider refuses mail after mail."
      : `The mail provider has refused ${REFUSED} of the last ${last} mails.`;
  return `${many}${said} Fix the cause and resume it, which sends the refused mails that wait and the rest; or cancel it.`;
};

const ofWave = (wave: Wave | undefined): string =>
  `${wave ? waveInWords(wave) : "Several addresses in a row bounced with equal answers."} Decide if they do not exist, or resume it, which sends to them again and then to the rest; or cancel it.`;

const tooMany = ({ ready, confirmed, most }: StoredCampaign): string =>
  `It would go to ${ready} recipients now (those who may not get it are not in this number), and a person confirmed ${confirmed}${most === null ? "" : `, and at most ${most} at its start`}. Nothing of it is sent. Resume it with the new number to send it to all of them, unschedule it to change it, or cancel it.`;

/** A fault of the product or its storage loses nothing, because a step is one transaction. */
const failed = ({ sql, now }: Context, { id }: StoredCampaign): Fault[] => {
  const failure = failureOf(sql, now, id);
  if (!failure) return [];
  const message = `Its newest step failed, and is made again at ${isoOf(failure.until)}: ${failure.error}`;
  return [{ code: "step_failed", message: sentence(message) }];
};

const notNow = (context: Context): Fault[] => {
  const { sql, now } = context;
  const found = sendingDomainOf(context, "marketing");
  if ("refusal" in found) return [];
  const reason = whyItWaits(sql, now, { class: "marketing", domain: found.domain, due: now });
  return reason === undefined ? [] : [{ code: "mails_wait", message: sentence(reason) }];
};

const putOff = ({ sql, now }: Context, { id }: StoredCampaign): Fault[] =>
  reasonsToWait(sql, id, now).map(({ reason, mails, until }) => ({
    code: "mails_wait",
    message: sentence(`${mails} of its mails wait, the first of them until ${isoOf(until)}: ${reason}`),
  }));

/** Mailers with marketing mail that give no result. */
const silent = ({ now, marketingClaims }: Context): Fault[] => {
  const { silentSince, lastResult } = marketingClaims?.() ?? { silentSince: null, lastResult: null };
  const minutes = silentSince === null ? 0 : Math.floor((now - Math.max(silentSince, lastResult ?? 0)) / MINUTE_MS);
  if (minutes < 1) return [];
  const message = `The Mailers have mail of the team, and have given no result of marketing mail for ${minutes} min.`;
  return [{ code: "no_result", message }];
};

const sentence = (text: string): string => {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};
