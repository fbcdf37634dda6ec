import { type Chapter, sentenceOf } from "./chapters.ts";
import type { Verdict } from "./verdict.ts";

const isAboutMail = (chapter: Chapter): boolean =>
  chapter.kind === "mail" ||
  (chapter.kind === "webhook" &&
    chapter.deliveries.some(({ delivery, mail }) => mail || delivery.action === "transactional"));

const ANSWERS: Readonly<Record<Verdict["code"], ((who: string) => string) | undefined>> = {
  arrived: (who) => `${who} has the last mail.`,
  left: (who) => `The last mail to ${who} was sent.`,
  waiting: (who) => `The last mail to ${who} waits.`,
  unknown: (who) => `Nobody knows whether ${who} has the last mail.`,
  not_sent: (who) => `${who} did not get the last mail.`,
  attention: (who) => `${who} did not get the last mail.`,
  done: undefined,
  none: undefined,
};

/** Says in one sentence whether a person got the last mail. Undefined if none is known. */
export const answerOf = (who: string, { code }: Verdict): string | undefined => ANSWERS[code]?.(who);

/** Returns the newest chapter about mail. */
export const lastMailIn = (chapters: readonly Chapter[]): Chapter | undefined => chapters.find(isAboutMail);

/** A sentence about a failed mail before the newest. Empty if there is none. */
export const olderFailure = (chapters: readonly Chapter[]): string => {
  const newest = lastMailIn(chapters);
  const failed = chapters.find((one) => isAboutMail(one) && one !== newest && one.verdict.code === "attention");
  return failed ? ` An older one failed: ${failed.title}.` : "";
};

/** Returns the newest verdict about mail. `isWhole`: both halves were read. */
export const verdictOfStory = (chapters: readonly Chapter[], isWhole: boolean): Verdict => {
  const newest = lastMailIn(chapters);
  if (newest) {
    return { ...newest.verdict, text: `${newest.title}: ${newest.verdict.text}${olderFailure(chapters)}` };
  }
  const webhook = chapters.find(({ kind }) => kind === "webhook");
  const why = webhook ? ` The newest webhook is ${webhook.title}: ${webhook.verdict.text}` : "";
  const end = isWhole ? "No mail was sent to this person." : "No mail is known of this person yet.";
  return { code: "none", tone: "quiet", text: `${end}${why}` };
};

const dateOf = (at: string): string => at.slice(0, 16).replace("T", " ");

const linesOf = (chapter: Chapter): string[] => {
  const moments = chapter.kind === "moment" ? [] : chapter.moments.map(sentenceOf);
  if (chapter.kind !== "webhook") return moments;
  return [
    ...(chapter.webhook.outcomes ?? []).map(({ why }) => why),
    ...chapter.deliveries.flatMap(({ delivery, mail, moments: own }) => [
      `${delivery.action} of rule "${delivery.rule}": ${delivery.why}`,
      ...(mail ? [`${mail.id} to ${mail.to}: ${mail.meaning}`] : []),
      ...own.map(sentenceOf),
    ]),
  ];
};

/** Formats the story, oldest first, for support. */
export const textOf = (who: string, chapters: readonly Chapter[], verdict: Verdict): string =>
  [
    who,
    verdict.text,
    "",
    ...chapters.toReversed().flatMap((chapter) => {
      const text = chapter.verdict.text === "" ? "" : `: ${chapter.verdict.text}`;
      const id = chapter.kind === "moment" ? "" : ` (${chapter.id})`;
      return [
        `${dateOf(chapter.at)} UTC  ${chapter.title}${id}${text}`,
        ...linesOf(chapter).map((line) => `  ${line}`),
      ];
    }),
  ].join("\n");
