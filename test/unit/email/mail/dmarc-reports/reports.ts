import { deflateRawSync, gzipSync } from "node:zlib";

type Record = {
  source?: string;
  count?: number | string;
  dkim?: string;
  spf?: string;
  disposition?: string;
  from?: string;
};

/** The XML of a report, in the order of RFC 9990. `begin`: Unix seconds. */
export const xmlOf = (
  records: readonly Record[],
  { id = "r1", begin = 1_767_225_600, organization = "Receiver" } = {},
) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>
<report_metadata><org_name>${organization}</org_name><email>r@receiver.example</email><report_id>${id}</report_id>
<date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata>
<policy_published><domain>acme.example</domain><discovery_method>treewalk</discovery_method><p>none</p></policy_published>
${records
  .map(
    ({
      source = "192.0.2.1",
      count = 1,
      dkim = "pass",
      spf = "pass",
      disposition = "none",
      from = "mail.acme.example",
    }) =>
      `<record><row><source_ip>${source}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition>
<dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers><header_from>${from}</header_from></identifiers>
<auth_results><spf><domain>x.example</domain><result>pass</result></spf></auth_results></record>`,
  )
  .join("\n")}</feedback>`;

export const gzip = (text: string): Buffer => gzipSync(text);

type ZipFile = { name: string; text: string; streams?: boolean; stored?: boolean };

/** A zip of a report; with `streams` its header has no sizes, as of a program that writes a stream. */
export const zip = (text: string, given: Partial<ZipFile> = {}, before: readonly ZipFile[] = []): Buffer => {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const file of [...before, { name: "report.xml", text, ...given }]) {
    const { local, entry } = zipped(file, at);
    locals.push(local);
    entries.push(entry);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...entries, end]);
};

const zipped = ({ name: called, text, streams = false, stored = false }: ZipFile, at: number) => {
  const packed = stored ? Buffer.from(text) : deflateRawSync(text);
  const name = Buffer.from(called);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(streams ? 8 : 0, 6);
  local.writeUInt16LE(stored ? 0 : 8, 8);
  local.writeUInt32LE(streams ? 0 : packed.length, 18);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(stored ? 0 : 8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(at, 42);
  return { local: Buffer.concat([local, name, packed]), entry: Buffer.concat([entry, name]) };
};

/** A mail with a file. */
export const mailWith = (content: Buffer | string, type: string, filename: string): string =>
  [
    "From: noreply@receiver.example",
    "Subject: Report Domain: acme.example Submitter: receiver.example",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "This is an aggregate report.",
    "--b",
    `Content-Type: ${type}; name="${filename}"`,
    "Content-Transfer-Encoding: base64",
    `Content-Disposition: attachment; filename="${filename}"`,
    "",
    ...(Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
    "--b--",
    "",
  ].join("\r\n");
