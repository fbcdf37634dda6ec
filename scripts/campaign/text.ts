import { columns, table } from "../lib/cli.ts";
import { numberText, percentText, plainText, timeText } from "../lib/formats.ts";
import type { Estimate, Listed, Progress, Retry, Status } from "./answers.ts";
import type { Described } from "./describe.ts";
import type { Found } from "./find.ts";

const statusText = ({ status, progress }: Pick<Listed, "status" | "progress">): string => {
  const state = progress?.state;
  return state === "paused" || state === "held" || state === "cancelled" ? `${status}, ${state}` : status;
};

export const listText = (all: readonly Listed[]): string =>
  all.length === 0
    ? "There is no such campaign. The API creates one: docs/campaigns.md"
    : table(
        ["name", "status", "recipients", "sent", "starts", "id"],
        all.map((one) => [
          one.name,
          statusText(one),
          ...(one.progress ? [numberText(one.progress.recipients), numberText(one.progress.sent)] : ["", ""]),
          timeText(one.progress?.startedAt ?? one.scheduledFor),
          one.id,
        ]),
      );

export const describedRows = ({ subject, from, audience }: Described): string[][] => [
  ["Subject", subject],
  ["From", from],
  ["Audience", audience],
];

const STATES = ["sent", "queued", "skipped", "failed", "unknown", "cancelled"] as const;

const progressRows = (progress: Progress): string[][] => {
  const { recipients, startedAt, finishedAt, perSecond, eta } = progress;
  const counted = STATES.filter((state) => progress[state] > 0 || state === "sent");
  return [
    ["Recipients", numberText(recipients)],
    ...counted.map((state) => {
      const share = percentText(progress[state], recipients);
      return [`  ${state}`, `${numberText(progress[state])}${share && ` (${share})`}`];
    }),
    ...(startedAt === null ? [] : [["Started", timeText(startedAt)]]),
    ...(finishedAt === null ? [] : [["Finished", timeText(finishedAt)]]),
    ...(perSecond === null ? [] : [["Mails per second", numberText(perSecond)]]),
    ...(eta === null ? [] : [["Done at about", timeText(eta)]]),
  ];
};

/** Commands for a campaign that waits for a person. */
const nextSteps = ({ id, progress, wave }: Status): string[] => {
  const { state } = progress ?? {};
  if (state !== "held" && state !== "paused") return [];
  return [
    `npm run campaign -- resume ${id} lets it go on, npm run campaign -- cancel ${id} ends it.`,
    ...(wave?.decision === null
      ? [`npm run suppressions -- decide ${wave.id} suppress: the addresses do not exist.`]
      : []),
  ];
};

/** `described`: undefined without a v1 API key. */
export const showText = (status: Status, described: Described | undefined): string => {
  const { id, name, scheduledFor, maxRecipients, progress, waiting } = status;
  const held = progress?.reason === undefined ? "" : `: ${plainText(progress.reason)}`;
  return [
    `${name} (${id}): ${statusText(status)}${held}`,
    columns([
      ...(described ? describedRows(described) : []),
      ...(progress || scheduledFor === null ? [] : [["Starts", timeText(scheduledFor)]]),
      ...(progress || maxRecipients === null
        ? []
        : [["Held above", `${numberText(maxRecipients)} recipients at its start`]]),
      ...(progress ? progressRows(progress) : []),
    ]),
    ...waiting.map(({ message }) => message),
    ...nextSteps(status),
    ...(progress && progress.skipped + progress.failed > 0
      ? [`npm run campaign -- results ${id} says why mails were skipped or failed.`]
      : []),
  ]
    .filter((text) => text !== "")
    .join("\n");
};

export const estimateRows = ({ recipients, exact, low, high, matching, excluded, total }: Estimate): string[][] => [
  [
    "Recipients",
    exact ? numberText(recipients) : `about ${numberText(recipients)} (${numberText(low)} to ${numberText(high)})`,
  ],
  ...Object.entries(excluded)
    .filter(([, many]) => many > 0)
    .map(([reason, many]) => [`  not: ${plainText(reason)}`, numberText(many)]),
  ["Matching", `${numberText(matching)} of ${numberText(total)} contacts`],
];

export const estimateText = (name: string, estimate: Estimate): string =>
  [
    `${name}, if it were sent now:`,
    columns(estimateRows(estimate)),
    ...(estimate.warnings ?? []).map(({ message }) => message),
    ...(estimate.exact ? [] : ["These numbers come from a sample: --exact counts every contact."]),
  ].join("\n");

/** `retry`: null if no outcome was unknown. */
export const retriedText = ({ id, name }: Found, retry: Retry | null): string => {
  if (retry === null) return `No mail of ${name} has an unknown outcome.`;
  const { retried, stopped } = retry;
  const left = Object.entries(retry.leftOut).map(([reason, mails]) => `${numberText(mails)} ${plainText(reason)}`);
  return [
    retried === 0
      ? `No mail of ${name} is sent again${retry.done || stopped ? "" : " yet"}.`
      : `${retried === 1 ? `1 mail of ${name} is` : `${numberText(retried)} mails of ${name} are`} sent again. npm run campaign -- watch ${id}`,
    ...(left.length === 0 ? [] : [`Left out: ${left.join(", ")}.`]),
    ...(stopped ? ["It has stopped before all were looked at, because the campaign was cancelled."] : []),
  ].join("\n");
};
