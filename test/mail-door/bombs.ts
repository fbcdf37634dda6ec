const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join("");

const BYTES = 900_000;
const NOTICE = "From: mailer-daemon@example.com\r\nSubject: failure notice\r\n";
const MIXED = "From: <>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";

const dsn = (status: string, text = "It failed.") =>
  `From: <>\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n--b--\r\n`;

const group = (n: number) => `Final-Recipient: rfc822; a${n}@example.com\r\nAction: failed\r\nStatus: 5.0.0\r\n\r\n`;

/** Mails that cost a parser far more than their bytes: of 0.2 to 0.9 MB. */
export const BOMBS: Readonly<Record<string, string>> = {
  "empty lines": `From: <>\r\n\r\n${"\r\n".repeat(BYTES / 2)}`,
  "line feeds": `From: <>\r\n\r\n${"\n".repeat(BYTES)}`,
  "line feeds in a report": dsn("\r\n".repeat(BYTES / 2)),
  "open tags": `From: <>\r\nContent-Type: text/html\r\n\r\n${"<".repeat(BYTES)}`,
  "lines of open tags": `From: <>\r\nContent-Type: text/html\r\n\r\n${lines(12_000, () => `${"<".repeat(70)}\r\n`)}`,
  "blanks in HTML": `From: <>\r\nContent-Type: text/html\r\n\r\n${" ".repeat(BYTES)}`,
  "empty parts": `${MIXED}${"--b\r\n\r\n\r\n".repeat(42_000)}--b--`,
  "parts in parts": `From: <>\r\n${lines(300, (n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`)}x`,
  "parts with many headers": `${MIXED}--b\r\n${"X: y\r\n".repeat(30_000)}\r\nx\r\n--b--`,
  "a part with many parameters": `${MIXED}--b\r\nContent-Type: text/plain; ${"a=b; ".repeat(40_000)}\r\n\r\nx\r\n--b--`,
  "a part with a long name": `${MIXED}--b\r\nContent-Type: text/plain; ${lines(9_000, (n) => `name*${n}*=%41%42; `)}\r\n\r\nx\r\n--b--`,
  "lines like boundaries": `${MIXED}${lines(45, (n) => `--b\r\nContent-Type: multipart/mixed; boundary=c${n}\r\n\r\n`)}${"--x\r\n".repeat(100_000)}`,
  "boundaries that begin alike": `From: <>\r\n${lines(51, (n) => `X: boundary=${"-".repeat(60)}${n}\r\n`)}\r\n${`${"-".repeat(62)}\r\n`.repeat(2_900)}`,
  "a list of addresses": `From: <>\r\nTo: ${"a@example.com, ".repeat(16_000)}\r\n\r\nx`,
  "a folded list of addresses": `From: <>\r\nTo: ${"a@example.com,\r\n ".repeat(16_000)}\r\n\r\nx`,
  "many lists of addresses": `From: <>\r\n${"To: a@example.com\r\n".repeat(12_000)}\r\nx`,
  "many headers": `From: <>\r\n${"X: y\r\n".repeat(100_000)}\r\nx`,
  "encoded words": `From: <>\r\nSubject: ${"=?utf-8?q?a?= ".repeat(60_000)}\r\n\r\nx`,
  "groups of a report": dsn(lines(2_000, group)),
  "groups of a report beside words": dsn(lines(1_000, group), "a mail delivery failed 5 \r\n".repeat(4_000)),
  "groups of a report beside addresses": dsn(lines(1_000, group), "a@b.c: refused, deferred\r\n".repeat(4_000)),
  "blanks in a report": dsn(`a${" ".repeat(BYTES)}:`),
  "addresses in a notice": `${NOTICE}\r\n${lines(40_000, (n) => `<a${n}@b.c>: no\r\n`)}`,
  "one address in a notice": `${NOTICE}\r\n${"<a@b.c>: unknown\r\n".repeat(40_000)}`,
  "failed recipients": `${NOTICE}X-Failed-Recipients: ${lines(30_000, (n) => `a${n}@b.c,`)}\r\n\r\n${"550 no\r\n".repeat(20_000)}`,
  "replies of a transcript": `${NOTICE}\r\n${">>> RCPT TO:<a@b.c>\r\n550 5.1.1 no\r\n".repeat(20_000)}`,
  "failed recipients of a transcript": `${NOTICE}X-Failed-Recipients: ${lines(90, (n) => `a${n}@example.com, `)}\r\n\r\n${">>> RCPT TO:<a@b.c>\r\n550 5.1.1 refused, deferred\r\n".repeat(2_400)}`,
  dashes: `${NOTICE}\r\n${"-".repeat(BYTES)}`,
  "lines of dashes": `${NOTICE}\r\n${"---- a\r\n".repeat(100_000)}`,
  "a line of at signs": `${NOTICE}\r\n${"a@".repeat(BYTES / 2)}`,
  "soft line breaks": `From: <>\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${"=\r\n".repeat(BYTES / 3)}`,
  "lines of base64": `From: <>\r\nContent-Transfer-Encoding: base64\r\n\r\n${"A\r\n".repeat(BYTES / 3)}`,
  "flowed lines": `From: <>\r\nContent-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${"> \r\n".repeat(BYTES / 4)}`,
  "fields of a complaint": `${MIXED}--b\r\nContent-Type: message/feedback-report\r\n\r\n${"Feedback-Type: abuse\r\n".repeat(40_000)}\r\n--b--`,
  "fields of a returned mail": `${MIXED}--b\r\nContent-Type: message/rfc822\r\n\r\n${"X: a@b.c\r\n".repeat(80_000)}\r\n--b--`,
  "beginnings of return paths": `From: <>\r\n\r\n${"bounce+".repeat(BYTES / 7)}`,
  "return paths": `From: <>\r\n\r\n${"bounce+acme_1_abcdefghijkl@".repeat(BYTES / 27)}`,
  "beginnings of message ids": `From: <>\r\n\r\n${"<snd_".repeat(BYTES / 5)}`,
  "beginnings of links": `From: <>\r\n\r\n${"https://a".repeat(BYTES / 9)}`,
  links: `From: <>\r\n\r\n${"https://a.example/u/abcdefghijklmnop\r\n".repeat(BYTES / 38)}`,
};
