import type { Answer } from "./answer.ts";
import { type Finding, finding, through } from "./finding.ts";

type Found = Extract<Answer, { status: "found" }>;

const serverOf = (value: string): string => (value.split(" ").at(-1) ?? "").toLowerCase();

/** Judges MX records. Preferences may differ. */
export const judgeMx = (
  { host, value }: { host: string; value: string },
  expected: readonly string[],
  answer: Found,
): Finding => {
  const { values } = answer;
  const servers = values.map(serverOf);
  const others = values.filter((one) => !expected.map(serverOf).includes(serverOf(one)));
  const listed = others.join(", ");
  if (!servers.includes(serverOf(value))) {
    const message =
      others.length === values.length
        ? `The MX record leads to ${others.map(serverOf).join(", ")}. Bounces must go to ${serverOf(value)}: replace it.`
        : `There is no MX record for ${serverOf(value)} yet. Add it.`;
    return finding(others.length === values.length ? "wrong" : "missing", message, values);
  }
  if (others.length > 0) {
    return finding(
      "wrong",
      `There are further MX records (${listed}), which some of the bounces would go to. Remove them.`,
      values,
    );
  }
  return finding("right", `The MX record is right.${through(host, answer)}`, values);
};
