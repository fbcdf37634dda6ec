/** An unusual file. `query`: of the upload. `mapping`: in place of the guessed one. */
export type NastyFile = {
  name: string;
  body: string | Uint8Array<ArrayBuffer>;
  query?: string;
  mapping?: Record<string, string | null>;
};

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const units = (text: string): number[][] =>
  [...text].map((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]);

const utf16 = (text: string, isLittle: boolean): Uint8Array<ArrayBuffer> => {
  const units = [...text].flatMap((char) => [...Array(char.length).keys()].map((index) => char.charCodeAt(index)));
  return bytes(
    [...(isLittle ? [0xff, 0xfe] : [0xfe, 0xff])],
    units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  );
};

const HEAD = "email,firstName,plan\n";
const long = (count: number) => "x".repeat(count);

const range = (count: number) => [...Array(count).keys()];
const wide = (rows: number, cells: number, character: string) =>
  range(rows)
    .map((row) => `w${row}@example.com${`,${character.repeat(500)}`.repeat(cells)}\n`)
    .join("");

/** Files that make importers fail, each with another fault. */
export const nastyFiles: readonly NastyFile[] = [
  { name: "utf-8-bom", body: bytes([0xef, 0xbb, 0xbf], `${HEAD}a1@example.com,Zoë,pro\n`) },
  { name: "utf-16-little-endian", body: utf16("email\tfirstName\na2@example.com\tŁukasz\n", true) },
  { name: "utf-16-big-endian", body: utf16("email,firstName\r\na3@example.com,😀 Ada\r\n", false) },
  { name: "utf-16-without-mark", body: utf16("email\na@example.com\n", true).slice(2) },
  { name: "latin-1", body: bytes(`${HEAD}a4@example.com,Zo`, [0xeb], ",pro\n") },
  { name: "latin-1-named", body: bytes(`${HEAD}a4@example.com,Zo`, [0xeb], ",pro\n"), query: "encoding=windows-1252" },
  { name: "half-a-character-at-the-end", body: bytes(`${HEAD}a5@example.com,Ada,p`, [0xc3]) },
  {
    name: "two-byte-order-marks",
    body: bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], `${HEAD}l1@example.com,Ada,pro\n`),
  },
  {
    name: "byte-order-mark-against-the-named-encoding",
    body: bytes([0xef, 0xbb, 0xbf], `${HEAD}l2@example.com,Zoë,pro\n`),
    query: "encoding=windows-1252",
  },
  {
    name: "utf-16-named",
    body: utf16("email,firstName\nl3@example.com,Łukasz\n", true).slice(2),
    query: "encoding=utf-16le",
  },
  { name: "utf-16-with-half-a-pair", body: bytes([0xff, 0xfe], ...units("email\nl4@example.com\n"), [0x3d, 0xd8]) },
  { name: "utf-16-with-half-a-unit", body: bytes([0xff, 0xfe], ...units("email\nl4@example.com\n"), [0x61]) },
  { name: "utf-32", body: bytes([0xff, 0xfe, 0, 0], [0x65, 0, 0, 0, 0x0a, 0, 0, 0]) },
  {
    name: "cyrillic-named",
    body: bytes(`${HEAD}l5@example.com,`, [0xce, 0xeb, 0xfc, 0xe3, 0xe0], ",pro\n"),
    query: "encoding=windows-1251",
  },
  {
    name: "japanese-named",
    body: bytes(`${HEAD}l6@example.com,`, [0x89, 0xd4, 0x8e, 0x71], ",pro\n"),
    query: "encoding=shift_jis",
  },
  { name: "html-page", body: "<!DOCTYPE html>\n<html><body>Please sign in</body></html>\n" },
  { name: "json", body: '[{"email": "a@example.com"}]\n' },
  { name: "excel-workbook", body: bytes([0x50, 0x4b, 0x03, 0x04], "xl/workbook.xml") },
  { name: "gzip", body: bytes([0x1f, 0x8b, 0x08, 0x00], "x") },
  { name: "nul-characters", body: `${HEAD}a6@exam\0ple.com,Ada,pro\n` },
  { name: "no-break-spaces", body: `\u00a0email\u00a0,first name\n\u00a0a7@example.com\u00a0,\u00a0Ada\u00a0\n` },
  {
    name: "no-break-spaces-within",
    body: `email,first\u00a0name\nl7@exam\u00a0ple.com,Ada\nl8@example.com,Ada\u00a0Lovelace\n`,
  },
  { name: "zero-width-space-in-address", body: `${HEAD}a8@exam\u200bple.com,Ada,pro\n` },
  { name: "blank-rows-and-cells", body: `\n\n${HEAD}\n , , \na9@example.com,,\n\n,,\n` },
  { name: "carriage-returns-only", body: "email,firstName\rb1@example.com,Ada\rb2@example.com,Bob\r" },
  { name: "mixed-line-ends", body: "email,firstName\r\nb3@example.com,Ada\nb4@example.com,Bob\rb5@example.com,Eve" },
  { name: "two-returns-before-each-line-feed", body: "email,firstName\r\r\nb7@example.com,Ada\r\r\nnobody,Bob\r\r\n" },
  { name: "no-line-end-at-the-end", body: "email\nb6@example.com" },
  { name: "line-end-in-quotes", body: `${HEAD}c1@example.com,"Ada\r\nLovelace",pro\nc2@example.com,Bob,pro\n` },
  { name: "doubled-quotes", body: `${HEAD}c3@example.com,"Ada ""the first"" Lovelace",pro\n` },
  { name: "delimiter-in-quotes", body: `${HEAD}"c4@example.com","Lovelace, Ada",pro\n` },
  {
    name: "text-after-quote",
    body: `${HEAD}c5@example.com,"Ada" Lovelace,pro\nc6@example.com,"Bob",pro\nc7@example.com,Eve,pro\n`,
  },
  {
    name: "quotes-after-backslashes",
    body: `${HEAD}m1@example.com,"Ada \\"the first\\" Lovelace",pro\nm2@example.com,Bob,pro\n`,
  },
  { name: "typographic-quotes", body: `${HEAD}m3@example.com,“Ada, Countess”,pro\nm4@example.com,“Ada”,pro\n` },
  { name: "quote-in-plain-cell", body: `${HEAD}c8@example.com,5" nail,pro\n` },
  { name: "quote-never-closed", body: `${HEAD}c9@example.com,"Ada,pro\nd1@example.com,Bob,pro\n` },
  { name: "blanks-around-quotes", body: `${HEAD}"d2@example.com"  ,"Ada"\t,"pro" \n` },
  {
    name: "blanks-before-quotes",
    body: `${HEAD}p1@example.com, "Ada, Countess" , "pro"\n "p2@example.com", "Bob", x\n`,
  },
  {
    name: "words-for-nothing",
    body: `${HEAD}p3@example.com,NULL,\\N\np4@example.com,#N/A,N/A\np5@example.com,Null,n/a\n`,
  },
  { name: "semicolons", body: "email;firstName;plan\nd3@example.com;Lovelace, Ada;pro\nd4@example.com;Bob;free\n" },
  { name: "tabs", body: "email\tfirstName\nd5@example.com\tAda\n" },
  { name: "pipes", body: "email|firstName\nd6@example.com|Ada\n" },
  { name: "sep-line-of-excel", body: 'sep=;\r\nemail;firstName\r\nd7@example.com;"Ada; Lovelace"\r\n' },
  {
    name: "sep-line-after-a-byte-order-mark",
    body: bytes([0xef, 0xbb, 0xbf], "sep=;\nemail;firstName\nm5@example.com;Ada\n"),
  },
  { name: "wrong-delimiter-named", body: `${HEAD}m6@example.com,Ada,pro\n`, query: "delimiter=semicolon" },
  { name: "one-column-with-commas", body: 'email\n"d8@example.com"\nd9@example.com,oops\n', query: "delimiter=comma" },
  { name: "duplicate-columns", body: "email,email,firstName\ne1@example.com,e2@example.com,Ada\n" },
  {
    name: "column-without-a-name-at-the-end",
    body: "email,firstName,,\ne4@example.com,Ada,,\ne5@example.com,Bob,note,\n",
    mapping: { email: "email", "Column 3": "lastName" },
  },
  { name: "text-after-the-last-quote", body: `${HEAD}e6@example.com,Ada,pro\ne7@example.com,"Bob" B,pro\n` },
  { name: "columns-without-names", body: "email,,firstName,,\ne3@example.com,x,Ada,,\n" },
  {
    name: "rows-with-other-widths",
    body: `${HEAD}e4@example.com\ne5@example.com,Ada,pro,more\ne6@example.com,Ada,pro,,\n`,
  },
  { name: "no-header", body: "e7@example.com,Ada\ne8@example.com,Bob\n" },
  { name: "columns-named-as-parts-of-objects", body: "email,__proto__,constructor,toString\nm7@example.com,x,y,z\n" },
  { name: "first-row-again", body: `${HEAD}m8@example.com,Ada,pro\n${HEAD}m9@example.com,Bob,pro\n` },
  { name: "column-name-of-201-characters", body: `email,${long(201)}\nn1@example.com,x\n` },
  { name: "no-address-column", body: "name,phone\nAda,1\n" },
  { name: "header-only", body: HEAD },
  { name: "empty", body: "" },
  {
    name: "formulas",
    body: '=1+1,email,"=HYPERLINK(""http://x"",""y"")"\nmany,f1@example.com,\n5,f2@example.com,=cmd|\' /C calc\'!A0\n',
    mapping: { "=1+1": "score", email: "email", '=HYPERLINK("http://x","y")': "firstName" },
  },
  {
    name: "numbers-and-dates",
    body: [
      "email,score,since",
      "n2@example.com,1e400,",
      "n3@example.com,-0,",
      "n4@example.com,1_000,",
      "n5@example.com,٣,",
      "n6@example.com,€5,",
      "n7@example.com,+5.,2024-02-29",
      "n8@example.com,0x10,",
      "n9@example.com,,45321",
      "o1@example.com,,2023-02-29",
      "o2@example.com,,2026-01-31 25:00",
      "o3@example.com,,2026-01-31T12:00:00+02:00",
    ].join("\n"),
  },
  {
    name: "domain-in-two-forms",
    body: "email,firstName\no4@exämple.com,Ada\nO4@XN--EXMPLE-CUA.COM,Eve\n",
  },
  {
    name: "wrong-types",
    body: 'email,score,vip,since,subscribed\ng1@example.com,"1,5",true,2026-01-31,yes\ng2@example.com,1e3,maybe,2026-01-31,yes\ng3@example.com,-.5,No,31.01.2026,yes\ng4@example.com,7,x,2026-02-30,no\ng5@example.com,7,0,1700000000000,perhaps\ng6@example.com,7,0,1700000000000,unsubscribed\n',
    mapping: { email: "email", score: "score", vip: "vip", since: "since", subscribed: "subscribed" },
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
  { name: "row-of-5-million-cells", body: `${HEAD}k7@example.com${",".repeat(5_000_000)}\n` },
  { name: "400-columns", body: `email,${[...Array(400).keys()].map((index) => `c${index}`).join(",")}\n` },
  { name: "wide-rows", body: `email,${range(298).map((index) => `c${index}`)}\n${wide(21, 298, "漢")}` },
  { name: "rows-wider-than-the-columns", body: `email,plan\n${wide(3, 999, "\u0001")}k8@example.com,pro\n` },
];
