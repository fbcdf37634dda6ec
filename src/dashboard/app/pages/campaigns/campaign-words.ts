import { counted, lasting } from "../../parts/ledger/ledger-words.ts";
import type { Progress, Retry, Status } from "./state.ts";

export const numberText = (number: number): string => number.toLocaleString("en", { maximumFractionDigits: 1 });

export const peopleText = (people: number): string => (people === 1 ? "1 person" : `${numberText(people)} people`);

/** Formats "41.2 %". Empty if `whole` is 0. */
export const percentText = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "";

const STATES = ["sent", "skipped", "failed", "unknown", "cancelled"] as const;

/** Formats results: "sent 980, skipped 20". */
export const doneText = (progress: Progress): string =>
  STATES.filter((state) => progress[state] > 0 || state === "sent")
    .map((state) => `${state} ${numberText(progress[state])}`)
    .join(", ");

/** Share (0 to 1) and text of recipients with a result. `now`: Unix ms. */
export const progressOf = (progress: Progress, now: number): { share: number | undefined; text: string } => {
  const { state, recipients, queued, perSecond, eta } = progress;
  if (state === "snapshot")
    return { share: undefined, text: `Its recipients are being collected: ${numberText(recipients)} so far.` };
  const done = recipients - queued;
  const left = eta === null ? 0 : Date.parse(eta) - now;
  const pace = [
    ...(perSecond === null ? [] : [`${numberText(perSecond)} a second`]),
    ...(left > 0 ? [`${lasting(left)} left`] : []),
  ];
  return {
    share: recipients === 0 ? 1 : done / recipients,
    text: [`${numberText(done)} of ${numberText(recipients)}: ${doneText(progress)}.`, pace.join(", ")]
      .filter((part) => part !== "")
      .join(" "),
  };
};

const EXCLUDED: Readonly<Record<string, string>> = {
  not_on_list: "not on the mailing list",
  unsubscribed: "unsubscribed from everything",
  not_confirmed: "the subscription is not confirmed",
  suppressed: "the address is suppressed",
  no_email: "no address",
  missing_variables: "no value of a variable that has no fallback in the message",
  contact_deleted: "the contact was deleted",
  mail_deleted: "the mail is not stored any more",
};

/** Why a recipient is excluded, in words. Undefined for a reason of a newer service. */
export const reasonText = (reason: string): string | undefined => EXCLUDED[reason];

/** Lists exclusions, largest first: "3 not: unsubscribed from everything". */
export const excludedLines = (excluded: Readonly<Record<string, number>>): string[] =>
  Object.entries(excluded)
    .filter(([, many]) => many > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, many]) => `${numberText(many)} not: ${EXCLUDED[reason] ?? reason.replaceAll("_", " ")}`);

type Estimated = {
  recipients: number;
  exact: boolean;
  low: number;
  high: number;
  matching: number;
  excluded: Readonly<Record<string, number>>;
  total: number;
};

/** People who do not get it, as parts of all: the most first. */
export const missingParts = ({ excluded, matching, total }: Estimated) =>
  [
    { label: "not in its segment and filter", many: total - matching, tone: "c-quiet" as const },
    ...Object.entries(excluded).map(([reason, many]) => ({
      label: EXCLUDED[reason] ?? reason.replaceAll("_", " "),
      many,
      tone: reason === "suppressed" ? ("c-bad" as const) : ("c2" as const),
    })),
  ]
    .filter(({ many }) => many > 0)
    .sort((a, b) => b.many - a.many)
    .map(({ label, ...part }) => ({ ...part, label: `${numberText(part.many)} not: ${label}` }));

/** Describes an estimate, with bounds if not exact. */
export const estimateText = (estimated: Estimated): string => {
  const { recipients, exact, low, high, matching, total } = estimated;
  if (high === 0) return nobodyText(estimated);
  const who = exact
    ? `${counted(recipients, "contact")} would get it`
    : `About ${counted(recipients, "contact")} would get it (between ${numberText(low)} and ${numberText(high)})`;
  const meets = `${exact ? "" : "about "}${counted(matching, "contact")}`;
  if (matching === total) return `${who}, of ${meets} in the team.`;
  const team = `The team has ${exact ? "" : "about "}${counted(total, "contact")}.`;
  return `${who}, of ${meets} that ${matching === 1 ? "meets" : "meet"} its segment and filter. ${team}`;
};

const nobodyText = ({ matching, total }: Estimated): string => {
  const team = `The team has ${counted(total, "contact")}.`;
  if (total === 0) return "Nobody would get it: the team has no contact yet.";
  if (matching === 0) return `Nobody would get it: no contact meets its segment and filter. ${team}`;
  return `Nobody would get it: every contact that it is for is excluded, ${numberText(matching)} of ${numberText(total)} in the team.`;
};

/** Effect of a resume that needs no confirmed recipients. */
export const wonByResume = ({
  progress,
  wave = null,
}: Pick<Status, "progress"> & Partial<Pick<Status, "wave">>): string => {
  if (progress === null || progress.startedAt === null)
    return "It begins at once, with the recipients that it has now. It is held again if they are more than were confirmed.";
  const again =
    wave === null
      ? ""
      : ` ${counted(wave.mails, "mail")} that ${wave.destination} refused ${wave.mails === 1 ? "is" : "are"} sent again.`;
  return `It goes on: ${counted(progress.queued, "recipient")} ${progress.queued === 1 ? "waits" : "wait"} for a mail.${again}`;
};

/** Effect of a cancel. */
export const lostByCancel = ({ status, progress }: Pick<Status, "status" | "progress">): string => {
  if (status === "Scheduled" || progress === null || progress.startedAt === null)
    return "It has not started, and nobody gets it then. This cannot be undone.";
  const { state, queued, sent } = progress;
  const more = state === "snapshot" ? ", and those that are not collected yet," : "";
  const verb = queued === 1 && more === "" ? "gets" : "get";
  const but = state === "sending" ? ", but for mails that have begun to leave" : "";
  return `${counted(queued, "recipient")}${more} ${verb} no mail then${but}. ${counted(sent, "mail")} of it ${sent === 1 ? "has" : "have"} left. This cannot be undone.`;
};

/** Count progress. Each unchecked contact may still be a recipient. */
export const countingText = ({ low, high, next }: { low: number; high: number; next: string | null }): string =>
  next === null ? "Counting …" : `Counting … ${counted(high - low, "contact")} left to look at`;

/** Share (0 to 1) and text of resent unknown mails. */
export const retryOf = ({ unknown, retried, leftOut, done, stopped }: Retry): { share: number; text: string } => {
  const looked = Object.values(leftOut).reduce((sum, mails) => sum + mails, retried);
  const left = Math.max(0, unknown - looked);
  const sent = `${counted(retried, "mail")} with an unknown outcome ${retried === 1 ? "is" : "are"} sent again`;
  return {
    share: unknown === 0 ? 1 : Math.min(1, looked / unknown),
    text: [
      done || stopped ? `${sent}.` : `${sent}, and ${numberText(left)} more ${left === 1 ? "is" : "are"} looked at.`,
      ...excludedLines(leftOut).map((line) => `${line}.`),
      ...(stopped ? ["It has stopped before all were looked at, because the campaign was cancelled."] : []),
    ].join(" "),
  };
};
