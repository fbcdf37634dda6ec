import type { ExpectedRecord } from "./records.ts";
import { quotedStrings } from "./text.ts";

const TTL = 3600;

/** A record of a zone file. `commented`: true for a record that is needed only if there is none yet. */
export type ZoneRecord = Pick<ExpectedRecord, "type" | "host" | "value" | "purpose"> & { commented?: boolean };

/** Records as a zone file of BIND (RFC 1035 section 5), with absolute names, so that any zone above them can import it. */
export const zoneFile = (domain: string, records: readonly ZoneRecord[]): string =>
  `; DNS records of ${domain}\n${records.map(lines).join("")}`;

const lines = ({ type, host, value, purpose, commented = false }: ZoneRecord): string => {
  const data = type === "TXT" ? quotedStrings(value) : `${value}.`;
  return `\n; ${purpose}\n${commented ? "; " : ""}${host}. ${TTL} IN ${type} ${data}\n`;
};
