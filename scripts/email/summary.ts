import { count } from "../lib/cli.ts";
import type { Finding } from "./frames.ts";

type Judged = Pick<Finding, "severity">;

const countOf = (findings: readonly Judged[], severity: Finding["severity"]): number =>
  findings.filter((finding) => finding.severity === severity).length;

/** Formats `1 error, 2 warnings`, or `no problems`. */
export const counts = (findings: readonly Judged[]): string => {
  const errors = countOf(findings, "error");
  const warnings = countOf(findings, "warning");
  if (errors + warnings === 0) return "no problems";
  return [errors > 0 && count(errors, "error"), warnings > 0 && count(warnings, "warning")].filter(Boolean).join(", ");
};

export const failed = (findings: readonly Judged[]): boolean => countOf(findings, "error") > 0;
