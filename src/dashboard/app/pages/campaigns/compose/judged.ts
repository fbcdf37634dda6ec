import type { AdminContract } from "../../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../../lib/contract/operation.ts";
import { findingWords } from "../../../parts/finding-words.ts";
import { type Draft, fieldOfPath } from "./draft.ts";

export type SendAnswer = Response<AdminContract["campaigns"]["send"]>;
export type Finding = SendAnswer["problems"][number];
type Field = keyof Draft;

/** The field of a finding. A missing audience has the list. */
export const fieldOf = ({ code, path }: Finding): Field | undefined =>
  fieldOfPath(path) ?? (code === "whole_audience" || code === "no_recipients" ? "list" : undefined);

export const isMail = ({ path, code }: Finding): boolean =>
  path?.startsWith("emailMessage") === true && code !== "same_content";

const AUDIENCE: readonly Field[] = ["list", "segment", "filter"];
const TIME: readonly Field[] = ["method", "at"];

const isOf = (names: readonly Field[], one: Finding): boolean => {
  const field = fieldOf(one);
  return field !== undefined && names.includes(field);
};

/** A draft as typed. `time`: problem of its time. `isNobody`: its audience is known to be empty. */
export type Typed = { draft: Draft; changed: readonly Field[]; time: string | undefined; isNobody: boolean };

type Judged = { tone: "good" | "warn" | "bad"; text: string; finding?: Finding };

const typedLines = ({ draft, changed, time, isNobody }: Typed): Judged[] => {
  if (time !== undefined)
    return [{ tone: "bad", text: time }, ...typedLines({ draft, changed, time: undefined, isNobody })];
  if (!changed.some((name) => AUDIENCE.includes(name))) return [];
  if (isNobody) return [{ tone: "warn", text: "Nobody would get it now." }];
  return AUDIENCE.every((name) => draft[name] === null)
    ? [{ tone: "warn", text: "It goes to everyone who gets marketing mail: nothing narrows its audience." }]
    : [];
};

/** Checks of a draft as it is typed: what was found in a stored field is not said of what stands there now. */
export const judged = (answer: SendAnswer, typed: Typed): { lines: Judged[]; problems: number } => {
  const stale = [AUDIENCE, TIME].flatMap((names) => (names.some((name) => typed.changed.includes(name)) ? names : []));
  const found = (["problems", "warnings"] as const).flatMap((kind) =>
    answer[kind]
      .filter((one) => !isOf(stale, one))
      .map(
        (finding): Judged => ({
          tone: kind === "problems" ? "bad" : "warn",
          text: findingWords(finding),
          finding,
        }),
      ),
  );
  const none = (has: (one: Finding) => boolean) => !found.some(({ finding }) => finding && has(finding));
  const own = typedLines(typed);
  const good = [
    ...(none(isMail) ? ["The mail has no problems"] : []),
    ...(none((one) => isOf(AUDIENCE, one)) && own.every(({ tone }) => tone === "bad")
      ? ["Its audience has people"]
      : []),
    ...(typed.draft.method === "schedule" && typed.time === undefined && none((one) => isOf(TIME, one))
      ? ["Its time is ahead"]
      : []),
    ...(none(({ code }) => code === "no_postal_address") ? ["The footer has a postal address"] : []),
  ];
  return {
    lines: [...found, ...own, ...good.map((text): Judged => ({ tone: "good", text }))],
    problems: [...found, ...own].filter(({ tone }) => tone === "bad").length,
  };
};
