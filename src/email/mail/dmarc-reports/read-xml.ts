import type { AggregateReport, AggregateRow } from "../../types/dmarc-report.ts";

/** Records of a report that are read. */
const MOST_RECORDS = 1_000;
const MOST_MAILS = 1_000_000_000;

/** Tags with a namespace's prefix or with attributes. */
const TAG = /<(\/?)(?:[\w.-]{1,40}:)?([\w.-]{1,60})(?:\s[^<>]{0,500})?>/g;
const DRESSED =
  /<(?:[\w.-]{1,40}:\w|(?:report_metadata|date_range|record|row|policy_evaluated|identifiers|source_ip|count|header_from)\s)/;

/** Reads an aggregate report (RFC 9990, RFC 7489). Undefined if it is none. Linear in the length of the text. */
export const readAggregate = (given: string): AggregateReport | undefined => {
  const xml = DRESSED.test(given) ? given.replace(TAG, "<$1$2>") : given;
  const metadata = elementIn(xml, "report_metadata");
  const begin = Number(textIn(elementIn(metadata, "date_range"), "begin"));
  const id = textIn(metadata, "report_id");
  if (id === "" || !(begin > 0)) return undefined;
  const rows: AggregateRow[] = [];
  let isCut = false;
  for (let at = xml.indexOf("<record>"), count = 0; at !== -1; count += 1) {
    const end = xml.indexOf("</record>", at);
    isCut = end === -1 || count === MOST_RECORDS;
    if (isCut) break;
    const row = rowIn(xml.slice(at, end));
    if (row) rows.push(row);
    at = xml.indexOf("<record>", end);
  }
  const organization = textIn(metadata, "org_name").slice(0, 100);
  return { id: `${organization} ${id}`.slice(0, 200), begin: begin * 1_000, rows, isCut };
};

const rowIn = (record: string): AggregateRow | undefined => {
  const row = elementIn(record, "row");
  const evaluated = elementIn(row, "policy_evaluated");
  const domain = textIn(elementIn(record, "identifiers"), "header_from").toLowerCase().replace(/\.$/, "");
  const source = textIn(row, "source_ip").toLowerCase();
  const mails = Number(textIn(row, "count"));
  if (!/^[0-9a-f.:]{2,45}$/.test(source) || !Number.isInteger(mails) || mails < 1) return undefined;
  const disposition = textIn(evaluated, "disposition").toLowerCase();
  return {
    domain,
    source,
    dkim: textIn(evaluated, "dkim").toLowerCase() === "pass",
    spf: textIn(evaluated, "spf").toLowerCase() === "pass",
    disposition: disposition === "quarantine" || disposition === "reject" ? disposition : "none",
    mails: Math.min(mails, MOST_MAILS),
  };
};

const elementIn = (text: string, name: string): string => {
  const start = text.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${name}>`, start);
  return end === -1 ? "" : text.slice(start + name.length + 2, end);
};

const textIn = (text: string, name: string): string => elementIn(text, name).trim();
