import { checkAlarm as checkAlarmOfMails } from "../../workflows/simulation/mails.ts";
import type { Play } from "./play.ts";

const RESULTS: Readonly<Record<string, readonly string[]>> = {
  queued: ["queued", "in_ledger"],
  sending: ["queued", "in_ledger"],
  not_sent: ["skipped", "cancelled"],
  sent: ["sent"],
  delivered: ["delivered"],
  bounced: ["bounced"],
  complained: ["complained"],
  failed: ["failed"],
  unknown: ["unknown"],
};

/** Each recipient has the result of its mail, or a reason. No mail of a canceled campaign waits. */
export const checkRecipients = ({ stored, check, fail }: Play): void => {
  for (const { n, id, state: at } of Object.values(check.state().campaigns)) {
    const mails = new Map(stored.mailsOfCampaign(id).map((mail) => [mail.contact, mail.state]));
    if (at === "cancelled" && [...mails.values()].includes("queued")) fail(`${id} is cancelled, and mails of it wait`);
    for (const { contact, state, reason } of stored.recipients(n)) {
      const mail = mails.get(contact);
      if (mail !== undefined && !RESULTS[mail]?.includes(state))
        fail(`recipient ${contact} of ${id} is ${state}, and its mail is ${mail}`);
      if (mail === undefined && !["queued", "skipped", "cancelled"].includes(state))
        fail(`recipient ${contact} of ${id} is ${state}, and has no mail`);
      if (["skipped", "failed", "unknown"].includes(state) && !reason)
        fail(`recipient ${contact} of ${id} is ${state} without a reason`);
    }
  }
};

/** The alarm is set no later than the next task of a campaign. */
export const checkAlarm = (play: Play): void => {
  const { engine, check, now, fail, mailers } = play;
  checkAlarmOfMails(play);
  if (engine.current().isRinging()) return;
  for (const { id, state, status, scheduledAt } of Object.values(check.state().campaigns)) {
    const { queued, inLedger } = engine.campaign(id).counts;
    const isWaiting = state === "sending" && inLedger === 0 && queued > 0 && mailers() === 0;
    const isFree = state === "snapshot" || (state === "sending" && inLedger === 0 && queued === 0);
    const at = status === "Scheduled" ? (scheduledAt ?? now()) : isFree ? now() : undefined;
    const alarm = engine.disk.alarm();
    if (isWaiting && alarm === undefined) fail(`no alarm is set, and ${id} waits for a sender`);
    if (at !== undefined && (alarm === undefined || alarm > Math.max(at, now()) + 1_000))
      fail(`the alarm is set for ${alarm}, and ${id} (${status} ${state}) has something to do at ${at}`);
  }
};

/** When all works, each sent or scheduled campaign that is not paused is done, with every recipient. */
export const checkEnd = (play: Play, isQuiet: boolean): void => {
  const { engine, check, fail } = play;
  for (const { id, status, state } of Object.values(check.state().campaigns)) {
    const counts = engine.campaign(id).counts;
    const open = counts.queued + counts.inLedger;
    const { pass, n } = play.stored.campaigns().find((row) => row.id === id) ?? { pass: null, n: 0 };
    const isOver = status === "Draft" || state === "cancelled";
    if (isOver && pass !== null) fail(`${id} is ${status} ${state}, and still has the pass ${pass}`);
    if (status === "Draft" && play.stored.recipients(n).length > 0) fail(`${id} is a draft with recipients`);
    if (state === "cancelled" && engine.campaign(id).finishedAt === null) fail(`${id} is cancelled at no time`);
    const isWaiting = status === "Draft" || state === "paused" || state === "held";
    if (!isWaiting && status !== "Sent") fail(`${id} is still ${status} ${state}: ${JSON.stringify(counts)}`);
    if (!isWaiting && open > 0) fail(`${id} is ${state}, and ${open} recipients are left`);
    if (isQuiet && counts.failed + counts.unknown > 0)
      fail(`${id} has ${counts.failed} failed and ${counts.unknown} unknown mails, and nothing went wrong`);
    if (state === "done" && engine.campaign(id).finishedAt === null) fail(`${id} is done at no time`);
  }
};

export const endsOf = ({ stored, check }: Play): Record<string, number> => {
  const ends: Record<string, number> = {};
  const count = (what: string) => {
    ends[what] = (ends[what] ?? 0) + 1;
  };
  for (const { n, status, state, reason } of Object.values(check.state().campaigns)) {
    count([status, state, reason].filter((one) => one !== null).join(" "));
    for (const one of stored.recipients(n)) count(one.reason && one.state === "skipped" ? one.reason : one.state);
  }
  return ends;
};
