import type { ExpectedRecord } from "./records.ts";
import { quotedStrings } from "./text.ts";

const TTL = 3600;

/** A zone record. `commented`: needed only if none exists. */
export type ZoneRecord = Pick<ExpectedRecord, "type" | "host" | "value" | "purpose"> & { commented?: boolean };

/** Formats a BIND zone file (RFC 1035 section 5) with absolute names, importable in any parent zone. */
export const zoneFile = (domain: string, records: readonly ZoneRecord[]): string =>
  `; DNS records of ${domain}\n${records.map(lines).join("")}`;

const lines = ({ type, host, value, purpose, commented = false }: ZoneRecord): string => {
  const data = type === "TXT" ? quotedStrings(value) : `${value}.`;
  return `\n; ${purpose}\n${commented ? "; " : ""}${host}. ${TTL} IN ${type} ${data}\n`;
};
