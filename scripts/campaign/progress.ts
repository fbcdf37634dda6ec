import { durationText, numberText } from "../lib/formats.ts";
import type { Progress, Status } from "./answers.ts";

const WIDTH = 20;

/** `share`: from 0 to 1. */
const bar = (share: number): string => {
  const full = Math.floor(Math.min(1, Math.max(0, share)) * WIDTH);
  return "█".repeat(full) + "░".repeat(WIDTH - full);
};

const doneText = ({ sent, skipped, failed, unknown, cancelled }: Progress): string =>
  Object.entries({ sent, skipped, failed, unknown, cancelled })
    .filter(([what, many]) => many > 0 || what === "sent")
    .map(([what, many]) => `${what} ${numberText(many)}`)
    .join(", ");

/** `now`: Unix ms. */
export const progressText = ({ status, scheduledFor, progress }: Status, now: number): string => {
  if (status === "Scheduled" && scheduledFor !== null)
    return `Scheduled: it starts in ${durationText(Date.parse(scheduledFor) - now)}`;
  if (!progress) return status;
  const { state, recipients, queued, perSecond, eta } = progress;
  if (state === "snapshot") return `Collecting the recipients: ${numberText(recipients)} so far`;
  const done = recipients - queued;
  const share = recipients === 0 ? 1 : done / recipients;
  const isSending = state === "sending";
  return [
    `${bar(share)} ${Math.floor(100 * share)} %`,
    `${numberText(done)} of ${numberText(recipients)}: ${doneText(progress)}`,
    ...(isSending ? [] : [state]),
    ...(isSending && perSecond !== null ? [`${numberText(perSecond)} mails/s`] : []),
    ...(isSending && eta !== null ? [`${durationText(Date.parse(eta) - now)} left`] : []),
  ].join("  ");
};

export const endText = ({ id, name, progress }: Status): string => {
  if (!progress) return `${name} is not being sent.`;
  const { state, recipients, unknown, startedAt, finishedAt } = progress;
  const took =
    startedAt === null || finishedAt === null
      ? ""
      : ` in ${durationText(Date.parse(finishedAt) - Date.parse(startedAt))}`;
  const verb = state === "cancelled" ? "was cancelled" : "is done";
  return [
    `${name} ${verb}${took}: ${doneText(progress)}, of an audience of ${numberText(recipients)}.`,
    ...(unknown > 0
      ? [`Mails that may have left or not: ${numberText(unknown)}. npm run campaign -- retry-unknown ${id}`]
      : []),
    `Opens and clicks: npm run campaign -- results ${id}`,
  ].join("\n");
};
