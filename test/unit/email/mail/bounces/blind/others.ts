import { dom, type Form, hash, orig, report, top } from "./mail.ts";

const arf: Form = (c) => {
  c.rep ??= `fbl.${dom(c)}`;
  const bd = c.bd ?? `_----${hash(`arf${c.n}`, 22)}`;
  return report(
    c,
    {
      type: "feedback-report",
      from: c.from,
      to: "fbl@bounces.example.com",
      subject: c.sub,
      boundary: bd,
      envelope: c.envelope,
    },
    [
      `Content-Type: text/plain; charset="US-ASCII"\nContent-Transfer-Encoding: 7bit\n\n${c.text}\n`,
      `Content-Type: message/feedback-report\n\n${c.fields?.join("\n")}\n`,
      c.headersOnly
        ? `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true, rp: c.keepRp })}`
        : `Content-Type: message/rfc822\nContent-Disposition: inline\n\n${orig(c, { rp: c.keepRp })}`,
    ],
    c.pre ?? "",
  );
};

const jmrp: Form = (c) => {
  c.rep = "CO1NAM11FT029.mail.protection.outlook.com";
  const bd = `${hash(`jm${c.n}`, 8).toUpperCase()}-0000-2111-AAB0-${hash(`jn${c.n}`, 12).toUpperCase()}`;
  return `${top(c, { envelope: "staff@hotmail.com", from: "staff@hotmail.com", to: "fbl@bounces.example.com", subject: "complaint about message from 198.51.100.25", tail: ["MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="${bd}"`] })}
--${bd}
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: ${c.rcpt}
X-Reporter-IP: 192.0.2.201
X-SID-PRA: news@example.com
X-AUTH-Result: PASS
X-SID-Result: PASS
${orig(c, { rp: false })}
--${bd}--
`;
};

const plain: Form = (c) =>
  `${top(c, { rhost: c.rep, ...c.o, tail: [...(c.o?.tail ?? []), "MIME-Version: 1.0", `Content-Type: ${c.ctype ?? "text/plain; charset=utf-8"}`, ...(c.ctype?.startsWith("multipart") ? [] : ["Content-Transfer-Encoding: 8bit"])] })}\n${c.raw}`;

const mdn: Form = (c) => {
  const bd = `----=_mdn_${hash(`mdn${c.n}`, 10)}`;
  return report(
    c,
    {
      type: "disposition-notification",
      envelope: "",
      from: c.from,
      subject: c.sub,
      boundary: bd,
      tail: [`In-Reply-To: <${c.msgid}>`, `References: <${c.msgid}>`],
    },
    [
      `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${c.text}\n`,
      `Content-Type: message/disposition-notification\n\nReporting-UA: ${c.ua}\nOriginal-Recipient: rfc822;${c.rcpt0}\nFinal-Recipient: rfc822;${c.rcpt0}\nOriginal-Message-ID: <${c.msgid}>\nDisposition: ${c.disp}\n`,
    ],
  );
};

/** Forms of reports by name. */
export const OTHERS = { arf, jmrp, plain, mdn };
