import type { Domain, Shown } from "./api.ts";

export const domainText = ({ name, state, isDefault, records, notes, warmup }: Domain): string =>
  [
    `${name}: ${state}${isDefault ? " (default)" : ""}`,
    ...(warmup ? [warmupText(warmup)] : []),
    ...records.map(recordText),
    ...notes.map((note) => `\nNote: ${note}`),
  ].join("\n");

const warmupText = ({ day, cap, marketing, transactional }: NonNullable<Domain["warmup"]>): string =>
  `Warm-up, day ${day}: ${marketing + transactional} of ${cap} mails today. Marketing mail over that waits.`;

const recordText = ({ type, host, value, purpose, required, status, message }: Shown): string =>
  [
    `\n${status === "right" ? "✓" : required ? "✗" : "·"} ${type} ${host}${required ? "" : " (recommended)"}`,
    `  ${value}`,
    `  ${status === "unchecked" ? purpose : message}`,
  ].join("\n");
