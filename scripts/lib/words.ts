import { wordsOfTime } from "../../src/email/policy/workflows/run/words.ts";

/** A time of an answer in words; empty where there is none. */
export const timeText = (iso: string | null): string => (iso === null ? "" : wordsOfTime(Date.parse(iso)));

/** `node_deleted` as "node deleted", `notSent` as "not sent". */
export const plainText = (code: string): string =>
  code.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Counts by reason as "3 completed, 1 node deleted"; without those that are 0. */
export const countsText = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .filter(([, many]) => many > 0)
    .map(([what, many]) => `${many} ${plainText(what)}`)
    .join(", ");

/** What is wrong, or may be: `nodeId` and `path` name its place. */
export type Problem = { message: string; nodeId?: string | null; path?: string | null };

/** Problems below a title; nothing where there are none. */
export const problemLines = (title: string, problems: readonly Problem[]): string[] => {
  const placeOf = ({ nodeId, path }: Problem) => nodeId ?? path;
  const lineOf = (one: Problem) => `  ${placeOf(one) ? `${placeOf(one)}: ` : ""}${one.message}`;
  return problems.length === 0 ? [] : [title, ...problems.map(lineOf)];
};

type Findings = { problems?: readonly Problem[]; warnings?: readonly Problem[] };

/** The problems and warnings of an answer, or of a refusal. */
export const findingLines = ({ problems = [], warnings = [] }: Findings): string[] => [
  ...problemLines("Problems:", problems),
  ...problemLines("Warnings:", warnings),
];

/** A number with its thousands apart: 1,234,567. */
export const numberText = (number: number): string => number.toLocaleString("en-US", { maximumFractionDigits: 1 });

/** A share in percent: "41.2 %"; empty of nothing. */
export const percentText = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "";

/** How long something takes, in two units at most: "2 h 5 min", "3 min 20 s", "12 s". `ms`: rounded to seconds. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [h, min, s] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), seconds % 60];
  if (h > 0) return `${numberText(h)} h ${min} min`;
  return min > 0 ? `${min} min ${s} s` : `${s} s`;
};
