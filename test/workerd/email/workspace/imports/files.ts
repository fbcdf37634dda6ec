/** A file as someone may upload it. `query`: of the upload. `mapping`: in place of the guessed one. */
export type NastyFile = {
  name: string;
  body: string | Uint8Array<ArrayBuffer>;
  query?: string;
  mapping?: Record<string, string | null>;
};

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const utf16 = (text: string, isLittle: boolean): Uint8Array<ArrayBuffer> => {
  const units = [...text].flatMap((char) => [...Array(char.length).keys()].map((index) => char.charCodeAt(index)));
  return bytes(
    [...(isLittle ? [0xff, 0xfe] : [0xfe, 0xff])],
    units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  );
};

const HEAD = "email,firstName,plan\n";
const long = (count: number) => "x".repeat(count);

/** Files that make importers fail, each with another fault. */
export const nastyFiles: readonly NastyFile[] = [
  // Encodings.
  { name: "utf-8-bom", body: bytes([0xef, 0xbb, 0xbf], `${HEAD}a1@example.com,Zoë,pro\n`) },
  { name: "utf-16-little-endian", body: utf16("email\tfirstName\na2@example.com\tŁukasz\n", true) },
  { name: "utf-16-big-endian", body: utf16("email,firstName\r\na3@example.com,😀 Ada\r\n", false) },
  { name: "utf-16-without-mark", body: utf16("email\na@example.com\n", true).slice(2) },
  { name: "latin-1", body: bytes(`${HEAD}a4@example.com,Zo`, [0xeb], ",pro\n") },
  { name: "latin-1-named", body: bytes(`${HEAD}a4@example.com,Zo`, [0xeb], ",pro\n"), query: "encoding=windows-1252" },
  { name: "half-a-character-at-the-end", body: bytes(`${HEAD}a5@example.com,Ada,p`, [0xc3]) },
  { name: "excel-workbook", body: bytes([0x50, 0x4b, 0x03, 0x04], "xl/workbook.xml") },
  { name: "gzip", body: bytes([0x1f, 0x8b, 0x08, 0x00], "x") },
  { name: "nul-characters", body: `${HEAD}a6@exam\0ple.com,Ada,pro\n` },
  // Blanks.
  { name: "no-break-spaces", body: `\u00a0email\u00a0,first name\n\u00a0a7@example.com\u00a0,\u00a0Ada\u00a0\n` },
  { name: "zero-width-space-in-address", body: `${HEAD}a8@exam\u200bple.com,Ada,pro\n` },
  { name: "blank-rows-and-cells", body: `\n\n${HEAD}\n , , \na9@example.com,,\n\n,,\n` },
  // Line ends.
  { name: "carriage-returns-only", body: "email,firstName\rb1@example.com,Ada\rb2@example.com,Bob\r" },
  { name: "mixed-line-ends", body: "email,firstName\r\nb3@example.com,Ada\nb4@example.com,Bob\rb5@example.com,Eve" },
  { name: "no-line-end-at-the-end", body: "email\nb6@example.com" },
  // Quotes.
  { name: "line-end-in-quotes", body: `${HEAD}c1@example.com,"Ada\r\nLovelace",pro\nc2@example.com,Bob,pro\n` },
  { name: "doubled-quotes", body: `${HEAD}c3@example.com,"Ada ""the first"" Lovelace",pro\n` },
  { name: "delimiter-in-quotes", body: `${HEAD}"c4@example.com","Lovelace, Ada",pro\n` },
  {
    name: "text-after-quote",
    body: `${HEAD}c5@example.com,"Ada" Lovelace,pro\nc6@example.com,"Bob",pro\nc7@example.com,Eve,pro\n`,
  },
  { name: "quote-in-plain-cell", body: `${HEAD}c8@example.com,5" nail,pro\n` },
  { name: "quote-never-closed", body: `${HEAD}c9@example.com,"Ada,pro\nd1@example.com,Bob,pro\n` },
  { name: "blanks-around-quotes", body: `${HEAD}"d2@example.com"  ,"Ada"\t,"pro" \n` },
  // Delimiters.
  { name: "semicolons", body: "email;firstName;plan\nd3@example.com;Lovelace, Ada;pro\nd4@example.com;Bob;free\n" },
  { name: "tabs", body: "email\tfirstName\nd5@example.com\tAda\n" },
  { name: "pipes", body: "email|firstName\nd6@example.com|Ada\n" },
  { name: "sep-line-of-excel", body: 'sep=;\r\nemail;firstName\r\nd7@example.com;"Ada; Lovelace"\r\n' },
  { name: "one-column-with-commas", body: 'email\n"d8@example.com"\nd9@example.com,oops\n', query: "delimiter=comma" },
  // Columns.
  { name: "duplicate-columns", body: "email,email,firstName\ne1@example.com,e2@example.com,Ada\n" },
  { name: "columns-without-names", body: "email,,firstName,,\ne3@example.com,x,Ada,,\n" },
  {
    name: "rows-with-other-widths",
    body: `${HEAD}e4@example.com\ne5@example.com,Ada,pro,more\ne6@example.com,Ada,pro,,\n`,
  },
  { name: "no-header", body: "e7@example.com,Ada\ne8@example.com,Bob\n" },
  { name: "no-address-column", body: "name,phone\nAda,1\n" },
  { name: "header-only", body: HEAD },
  { name: "empty", body: "" },
  // Values.
  {
    name: "formulas",
    body: '=1+1,email,"=HYPERLINK(""http://x"",""y"")"\nmany,f1@example.com,\n5,f2@example.com,=cmd|\' /C calc\'!A0\n',
    mapping: { "=1+1": "score", email: "email", '=HYPERLINK("http://x","y")': "firstName" },
  },
  {
    name: "wrong-types",
    body: 'email,score,vip,since,subscribed\ng1@example.com,"1,5",true,2026-01-31,yes\ng2@example.com,1e3,maybe,2026-01-31,yes\ng3@example.com,-.5,No,31.01.2026,yes\ng4@example.com,7,x,2026-02-30,no\ng5@example.com,7,0,1700000000000,perhaps\ng6@example.com,7,0,1700000000000,unsubscribed\n',
  },
  {
    name: "wrong-addresses",
    body: `email\nada\nada@\n@example.com\nada@example\nada@@example.com\nAda <h1@example.com>\nada..b@example.com\nada@-example.com\nada@192.168.0.1\nada@exａmple.com\nh2@example.com, h3@example.com\n${long(260)}@example.com\nada@${long(64)}.com\n`,
    query: "delimiter=tab",
  },
  {
    name: "same-person-several-times",
    body: `${HEAD}i1@example.com,Ada,free\nI1@Example.com,,pro\ni1@example.com,Ada,pro\n`,
  },
  {
    name: "two-people-in-one-row",
    body: "email,userId\nada@example.com,u-bob\nada@example.com,u-ada\nnew@example.com,u-ada\nada@example.com,u-other\n,u-new\n,\n",
  },
  {
    name: "left-and-suppressed",
    body: "email,subscribed,News\nleft@example.com,true,true\nsuppressed@example.com,true,\nada@example.com,,yes\nj1@example.com,,yes\n",
  },
  { name: "cell-of-501-characters", body: `${HEAD}k1@example.com,${long(500)},pro\nk2@example.com,${long(501)},pro\n` },
  { name: "cell-of-10-mb", body: `${HEAD}k3@example.com,"${long(10_000_000)}",pro\nk4@example.com,Ada,pro\n` },
  { name: "row-of-20-mb", body: `${HEAD}k5@example.com,"${long(20_000_000)}",pro\n` },
  { name: "row-of-2000-cells", body: `${HEAD}k6@example.com,Ada,pro${",".repeat(2_000)}x\n` },
  { name: "400-columns", body: `email,${[...Array(400).keys()].map((index) => `c${index}`).join(",")}\n` },
];
