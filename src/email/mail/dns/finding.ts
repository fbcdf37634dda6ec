import type { Answer } from "./answer.ts";

/**
 * What the DNS has for an expected record. `missing`: there certainly is none. `unknown`: the question has no answer. `found`:
 * the values there.
 */
export type Finding = { status: "right" | "missing" | "wrong" | "unknown"; found: readonly string[]; message: string };

/** Bounds of `found`, because others write these records. */
const MAX_FOUND = 10;
const MAX_VALUE = 600;

export const finding = (status: Finding["status"], message: string, found: readonly string[] = []): Finding => ({
  status,
  found: found.slice(0, MAX_FOUND).map((value) => value.slice(0, MAX_VALUE)),
  message,
});

export const unknown = (host: string, reason: string): Finding =>
  finding("unknown", `${host} could not be checked: ${reason}. The check is repeated.`);

/** Says where a chain of CNAME records leads, for the end of a message. */
export const through = (host: string, { via }: Pick<Extract<Answer, { status: "found" }>, "via">): string =>
  via.length === 0 ? "" : ` It is found through the CNAME record ${[host, ...via].join(" → ")}.`;

/**
 * Why there is no record. `misplaced`: the name that has it, where a DNS provider added the domain to a name that already
 * had it.
 */
export const missing = (
  type: "TXT" | "MX",
  host: string,
  via: readonly string[],
  misplaced?: { host: string; instead: string },
): Finding => {
  if (misplaced) {
    const message = `The record is at ${misplaced.host}: the DNS provider added the domain to the name. Enter the name "${misplaced.instead}" there.`;
    return finding("missing", message);
  }
  const target = via.at(-1);
  return finding(
    "missing",
    target === undefined
      ? `There is no ${type} record at ${host}. Add it.`
      : `${host} is a CNAME record that leads to ${target}, which has no ${type} record.`,
  );
};

/** A part of a value, for a message. */
export const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
