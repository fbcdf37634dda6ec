import { wordsOfTime } from "../../src/email/policy/workflows/run/run-words.ts";

export const timeText = (iso: string | null): string => (iso === null ? "" : wordsOfTime(Date.parse(iso)));

/** Converts `notSent` to "not sent". */
export const plainText = (code: string): string =>
  code.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Formats "3 completed, 1 node deleted", without zeros. */
export const countsText = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .filter(([, many]) => many > 0)
    .map(([what, many]) => `${many} ${plainText(what)}`)
    .join(", ");

/** A problem. `nodeId` and `path` name its place. */
export type Problem = { message: string; nodeId?: string | null; path?: string | null };

export const problemLines = (title: string, problems: readonly Problem[]): string[] => {
  const locationOf = ({ nodeId, path }: Problem) => nodeId ?? path;
  const lineOf = (problem: Problem) => `  ${locationOf(problem) ? `${locationOf(problem)}: ` : ""}${problem.message}`;
  return problems.length === 0 ? [] : [title, ...problems.map(lineOf)];
};

type Findings = { problems?: readonly Problem[]; warnings?: readonly Problem[] };

export const findingLines = ({ problems = [], warnings = [] }: Findings): string[] => [
  ...problemLines("Problems:", problems),
  ...problemLines("Warnings:", warnings),
];

/** Formats 1,234,567. */
export const numberText = (number: number): string => number.toLocaleString("en-US", { maximumFractionDigits: 1 });

/** Formats "41.2 %"; empty if `whole` is 0. */
export const percentText = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "";

/** Formats ms in at most two units: "2 h 5 min", "12 s". */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [h, min, s] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), seconds % 60];
  if (h > 0) return `${numberText(h)} h ${min} min`;
  return min > 0 ? `${min} min ${s} s` : `${s} s`;
};
