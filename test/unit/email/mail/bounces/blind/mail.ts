import { createHash } from "node:crypto";

/** Words that only some forms use. */
type Word =
  | `${"diag" | "gen" | "hdr" | "resp"}Title`
  | `exim${"Cmd" | "Text"}`
  | `ok${"Line" | "Text"}`
  | ("admin" | "advice" | "bd" | "body" | "cat" | "cn" | "ctype" | "diag" | "disp" | "display" | "en" | "envelope")
  | ("from" | "host" | "jp" | "lang" | "lead" | "learn" | "line" | "pm" | "pre" | "prefix" | "problem" | "prog")
  | ("raw" | "rcpt0" | "reason" | "remote" | "rep" | "retry" | "server" | "statusText" | "sub" | "text" | "textLine")
  | ("title" | "toHeader" | "transcript" | "ua" | "why2");

type Filled = "action" | "cmd" | "ip" | "status" | "subj" | "tz";

type Head = {
  from?: string | undefined;
  subject?: string | undefined;
  rawSubject?: string;
  to?: string;
  envelope?: string | undefined;
  rhost?: string | undefined;
  id?: string;
  noId?: boolean;
  extra?: readonly string[];
  tail?: readonly string[];
};

/** Row of the table. `form`: the mail server. `truth`: the right reading. `after`: seconds until the report. */
export type Row = Partial<Record<Word | Filled, string>> & {
  form: string;
  truth: string;
  why: string;
  rcpt?: string;
  after?: number;
  reply?: string | string[];
  fields?: string[];
  o?: Head;
  exo?: boolean;
  headersOnly?: boolean;
  keepRp?: boolean;
  local?: boolean;
  plain?: boolean;
};

/** Row with our own values. `t0`, `t1`: milliseconds at which the mail and the report left. */
export type Mail = Row &
  Record<Filled | "host" | "msgid" | "qid" | "rcpt" | "rep" | "rp" | "token", string> & {
    n: number;
    t0: number;
    t1: number;
  };

export type Form = (c: Mail) => string;

export const hash = (text: string, length = 20): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

export const b64buf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/.{76}/g, "$&\n");
export const b64 = (text: string): string => b64buf(Buffer.from(text));

export const word = (text: string): string =>
  /[^\x20-\x7e]/.test(text)
    ? (text.match(/.{1,14}/gsu) ?? []).map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`).join("\n ")
    : text;

/** Quoted-printable lines of at most 74 characters. */
export const qp = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      let out = "";
      let current = "";
      const bytes = Array.from(new TextEncoder().encode(line));
      bytes.forEach((byte, at) => {
        const isPlain = byte !== 61 && byte > 31 && byte < 127 && !(byte === 32 && at === bytes.length - 1);
        const written = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
        if (current.length + written.length > 73) {
          out += `${current}=\n`;
          current = "";
        }
        current += written;
      });
      return out + current;
    })
    .join("\n");

/** Every character of JIS X 0208 with its two bytes. */
const JIS = new Map(
  Array.from({ length: 94 * 94 }, (_, at) => [Math.floor(at / 94) + 0x21, (at % 94) + 0x21] as const).map((pair) => [
    new TextDecoder("iso-2022-jp").decode(Uint8Array.of(0x1b, 0x24, 0x42, ...pair, 0x1b, 0x28, 0x42)),
    pair,
  ]),
);

/** Bytes of a text in ISO-2022-JP. */
export const iso2022jp = (text: string): Uint8Array => {
  let isWide = false;
  const bytes = Array.from(`${text}\0`).flatMap((char) => {
    const wide = char.charCodeAt(0) < 0x80 ? undefined : JIS.get(char);
    const shift = (wide !== undefined) === isWide ? "" : wide ? "\x1b$B" : "\x1b(B";
    isWide = wide !== undefined;
    return [Buffer.from(shift), Buffer.from(wide ?? char)];
  });
  return Buffer.concat(bytes).subarray(0, -1);
};

export const wrap = (text: string, width = 72, indent = "    "): string => {
  const lines: string[] = [];
  let current = "";
  for (const part of text.split(" ")) {
    const room = width - (lines.length > 0 ? indent.length : 0);
    if (current && current.length + 1 + part.length > room) {
      lines.push(current);
      current = part;
    } else current = current ? `${current} ${part}` : part;
  }
  return [...lines, current].join(`\n${indent}`);
};

/** Date of RFC 5322 of milliseconds, in a zone such as `+0300`. */
export const rfc = (ms: number, tz = "+0000"): string => {
  const minutes = Number(`${tz[0]}1`) * (Number(tz.slice(1, 3)) * 60 + Number(tz.slice(3)));
  const [day, date, month, ...rest] = new Date(ms + minutes * 60_000).toUTCString().split(" ");
  return `${day} ${Number(date)} ${month} ${rest.slice(0, -1).join(" ")} ${tz}`;
};

export const many = (reply: Row["reply"]): string[] => [reply ?? ""].flat();
export const one = (reply: Row["reply"]): string => many(reply).join(" ");
export const dom = (c: Mail): string => c.rcpt.slice(c.rcpt.indexOf("@") + 1);

export const html = (text: string): string => {
  const lines = text
    .split("\n")
    .map((line) => `<p>${line.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")}</p>`);
  const head = '<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>';
  return `<html>${head}<body>\n${lines.join("\n")}\n</body></html>\n`;
};

const SUBJECTS = [
  "Rehearsals in December",
  "Your invoice 2026-1187",
  "Sommerfest: Anmeldung offen",
  "Please confirm your e-mail address",
  "Newsletter 47/2026",
  "Lettre d'information de novembre",
  "Password reset",
  "Minutes of the board meeting",
];

/** Row as the mail number `n`. */
export const filled = (row: Row, n: number): Mail => {
  const token = hash(`token${n}`, 24);
  const msgid = `${hash(`msg${n}`, 22)}@bounces.example.com`;
  const rp = `bounce+${token}@bounces.example.com`;
  const own = (text: string) =>
    text.replace(
      /\{(msgid|token|rp|rcpt)\}/g,
      (_, name) => ({ msgid, token, rp, rcpt: row.rcpt ?? "" })[String(name)] ?? "",
    );
  const redacted = row.form === "arf" ? "redacted@redacted.invalid" : undefined;
  const t0 = Date.UTC(2026, 10, 12, 7, 11, 5) + n * 3_911_000;
  return {
    tz: "+0000",
    subj: SUBJECTS[n % SUBJECTS.length] as string,
    host: row.rcpt ? `mx1.${row.rcpt.slice(row.rcpt.indexOf("@") + 1)}` : redacted ? "mx" : "",
    ip: `203.0.113.${((n * 7) % 250) + 1}`,
    action: "failed",
    status: "5.0.0",
    cmd: "RCPT TO",
    rep: undefined as unknown as string,
    ...row,
    ...(row.fields && { fields: row.fields.map(own) }),
    ...(row.raw !== undefined && { raw: own(row.raw) }),
    rcpt: row.rcpt ?? redacted ?? "",
    n,
    token,
    msgid,
    rp,
    t0,
    t1: t0 + (row.after ?? 3) * 1000,
    qid: hash(`q${n}`, 11).toUpperCase(),
  };
};

/** The mail of ours that a report returns, or its headers alone. */
export const orig = (
  c: Mail,
  { headers, rp }: { headers?: boolean | undefined; rp?: boolean | undefined } = {},
): string => {
  const head = [
    ...(rp === false ? [] : [`Return-Path: <${c.rp}>`]),
    `Received: from mail.example.com (mail.example.com [198.51.100.25])
\tby ${c.rep ?? c.host} with ESMTPS id ${c.qid}
\tfor <${c.rcpt}>; ${rfc(c.t0)}`,
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s2026;
 h=from:to:subject:date:message-id; bh=${hash(`bh${c.n}`, 40)}=;
 b=${hash(`b${c.n}`, 60)}`,
    `Date: ${rfc(c.t0 - 2000)}`,
    'From: "Riverside Choir" <news@example.com>',
    `To: ${c.toHeader ?? c.rcpt}`,
    `Subject: ${word(c.subj)}`,
    `Message-ID: <${c.msgid}>`,
    `List-Unsubscribe: <https://example.com/u/${c.token}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 7bit",
  ].join("\n");
  const body =
    c.body ?? "Dear member,\n\nthe details are on our site: https://example.com/news\n\nThe Riverside Choir\n";
  return headers ? `${head}\n` : `${head}\n\n${body}`;
};

/** Header of a report. `extra` stands before the date, `tail` last. */
export const top = (c: Mail, o: Head): string => {
  const host = o.rhost ?? c.rep;
  return `${[
    `Return-Path: <${o.envelope ?? ""}>`,
    `X-Original-To: ${c.rp}`,
    `Delivered-To: ${c.rp}`,
    `Received: from ${host} (${host} [192.0.2.77])
\tby in.bounces.example.com with ESMTPS id ${hash(`in${c.n}`, 12)}
\tfor <${c.rp}>; ${rfc(c.t1 + 4000)}`,
    ...(o.extra ?? []),
    `Date: ${rfc(c.t1, c.tz)}`,
    `From: ${o.from}`,
    `To: ${o.to ?? c.rp}`,
    `Subject: ${o.rawSubject ?? word(o.subject ?? "")}`,
    ...(o.noId ? [] : [`Message-ID: <${o.id ?? `${hash(`rid${c.n}`, 16)}@${host}`}>`]),
    ...(o.tail ?? []),
  ].join("\n")}\n`;
};

/** A `multipart/report` of parts. `pre`: its preamble. */
export const report = (
  c: Mail,
  { type = "delivery-status", boundary, ...o }: Head & { type?: string; boundary: string },
  parts: readonly string[],
  pre = "",
): string => {
  const tail = [
    ...(o.tail ?? []),
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${type};\n\tboundary="${boundary}"`,
  ];
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join("");
  return `${top(c, { ...o, tail })}\n${pre}${body}--${boundary}--\n`;
};
