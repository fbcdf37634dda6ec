import type { Answer } from "./answer.ts";

/** The DNS state of an expected record. `missing` is certain; `unknown` has no answer. */
export type Finding = { status: "right" | "missing" | "wrong" | "unknown"; found: readonly string[]; message: string };

/** Others write these records. */
const MAX_FOUND = 10;
const MAX_VALUE = 600;

export const finding = (status: Finding["status"], message: string, found: readonly string[] = []): Finding => ({
  status,
  found: found.slice(0, MAX_FOUND).map((value) => value.slice(0, MAX_VALUE)),
  message,
});

export const unknown = (host: string, reason: string): Finding =>
  finding("unknown", `${host} could not be checked: ${reason}. The check is repeated.`);

export const through = (host: string, { via }: Pick<Extract<Answer, { status: "found" }>, "via">): string =>
  via.length === 0 ? "" : ` It is found through the CNAME record ${[host, ...via].join(" → ")}.`;

/** Reports a missing record. `misplaced` is a name to which the DNS provider added the domain twice. */
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

export const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
