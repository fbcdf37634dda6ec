import { b64, dom, type Form, hash, html, many, one, orig, qp, report, rfc, top, word, wrap } from "./mail.ts";

const exchange: Form = (c) => {
  c.rep ??= c.exo ? "DB9PR0402MB7321.eurprd04.prod.outlook.com" : `EX01.corp.${dom(c)}`;
  const bd = `${hash(`mb${c.n}`, 8)}-${hash(`mc${c.n}`, 4)}-4f01-9c2d-${hash(`md${c.n}`, 12)}`;
  const alt = `${hash(`ma${c.n}`, 8)}-0d04-4f0b-880c-${hash(`me${c.n}`, 12)}`;
  const gen = c.exo ? `${dom(c).split(".")[0]}.onmicrosoft.com` : c.rep;
  const text = `${c.text}\n\n${c.diagTitle ?? "Diagnostic information for administrators:"}\n\n${c.genTitle ?? "Generating server:"} ${c.rep}\n\n${c.rcpt}\n${c.admin}\n\n${c.hdrTitle ?? "Original message headers:"}\n\n${orig(c, { headers: true, rp: false })}`;
  return report(
    c,
    {
      from: c.exo
        ? `Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@${gen}>`
        : `"Microsoft Outlook" <postmaster@${dom(c)}>`,
      to: `<${c.rp}>`,
      subject: `${c.prefix ?? "Undeliverable"}: ${c.subj}`,
      boundary: bd,
      extra: c.exo
        ? ["X-MS-Exchange-Message-Is-Ndr:", "X-MS-Exchange-Organization-SCL: -1", "X-MS-PublicTrafficType: Email"]
        : ["X-MS-Exchange-Message-Is-Ndr:"],
      tail: [
        `Content-Language: ${c.lang ?? "en-US"}`,
        `In-Reply-To: <${c.msgid}>`,
        `References: <${c.msgid}>`,
        "Auto-Submitted: auto-replied",
      ],
    },
    [
      `Content-Type: multipart/alternative; differences=Content-Type;\n\tboundary="${alt}"\n\n--${alt}\nContent-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n${qp(text)}\n--${alt}\nContent-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: base64\n\n${b64(html(text))}\n--${alt}--\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns;${c.rep}\nReceived-From-MTA: dns;mail.example.com\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n${c.diag ? `Diagnostic-Code: smtp;${c.diag}\n` : ""}${c.remote ? `Remote-MTA: dns;${c.remote}\n` : ""}${c.action === "delayed" ? `Will-Retry-Until: ${rfc(c.t0 + 172800e3)}\n` : ""}X-Display-Name: ${c.display ?? c.rcpt}\n`,
      c.headersOnly
        ? `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const exo: Form = (c) => {
  c.exo = true;
  return exchange(c);
};

const exchange2003: Form = (c) => {
  c.rep ??= `mail01.${dom(c)}`;
  const bd = `9B095B5ADSN=_01D${hash(`a${c.n}`, 12).toUpperCase()}00000${hash(`z${c.n}`, 4).toUpperCase()}${c.rep}`;
  return report(
    c,
    {
      from: `postmaster@${dom(c)}`,
      subject: c.sub ?? "Delivery Status Notification (Failure)",
      boundary: bd,
      tail: ["X-DSNContext: 335a7efd - 4457 - 00000001 - 80040546"],
    },
    [
      `Content-Type: text/plain; charset=unicode-1-1-utf-7\n\n${c.text}\n\n       ${c.rcpt}\n\n\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns;${c.rep}\nReceived-From-MTA: dns;mail.example.com\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n${c.diag ? `Diagnostic-Code: smtp;${c.diag}\n` : ""}`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-formatted message.  \nPortions of this message may be unreadable without a MIME-capable mail program.\n\n",
  );
};

const exchange55: Form = (c) => {
  c.rep ??= `ims1.${dom(c)}`;
  const bd = `----_=_NextPart_000_01D${c.qid}`;
  return `${top(c, { from: `System Administrator <postmaster@${dom(c)}>`, subject: `Undeliverable: ${c.subj}`, tail: ["MIME-Version: 1.0", "X-Mailer: Internet Mail Service (5.5.2653.19)", "X-MS-Embedded-Report:", `Content-Type: multipart/mixed;\n\tboundary="${bd}"`] })}
This message is in MIME format. Since your mail reader does not understand
this format, some or all of this message may not be legible.

--${bd}
Content-Type: text/plain; charset="iso-8859-1"

Your message

  To:      ${c.rcpt}
  Subject: ${c.subj}
  Sent:    ${rfc(c.t0)}

did not reach the following recipient(s):

${c.rcpt} on ${rfc(c.t1)}
${c.text}


--${bd}
Content-Type: message/rfc822

${orig(c)}
--${bd}--
`;
};

const gmail: Form = (c) => {
  c.rep ??= "mail-wr1-f69.google.com";
  const bd = `00000000000${hash(`gm${c.n}`, 16)}`;
  const rel = `${bd.slice(0, -2)}r1`;
  const alt = `${bd.slice(0, -2)}x2`;
  const d = c.action === "delayed";
  const text = `\n** ${c.title} **\n\n${c.lead}\n\n${c.learn ? `Learn more here: ${c.learn}\n\n` : ""}${c.respTitle ?? "The response was:"}\n\n${one(c.reply)}\n`;
  return report(
    c,
    {
      from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
      subject: c.sub ?? (d ? "Delivery Status Notification (Delay)" : "Delivery Status Notification (Failure)"),
      boundary: bd,
      extra: d ? [] : [`X-Failed-Recipients: ${c.rcpt}`],
      tail: ["Auto-Submitted: auto-replied", `In-Reply-To: <${c.msgid}>`, `References: <${c.msgid}>`],
    },
    [
      `Content-Type: multipart/related; boundary="${rel}"\n\n--${rel}\nContent-Type: multipart/alternative; boundary="${alt}"\n\n--${alt}\nContent-Type: text/plain; charset="UTF-8"\nContent-Transfer-Encoding: quoted-printable\n\n${qp(text)}\n--${alt}\nContent-Type: text/html; charset="UTF-8"\nContent-Transfer-Encoding: quoted-printable\n\n${qp(html(text))}\n--${alt}--\n--${rel}\nContent-Type: image/png; name="icon.png"\nContent-Disposition: attachment; filename="icon.png"\nContent-Transfer-Encoding: base64\nContent-ID: <icon.png>\n\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n\n--${rel}--\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; googlemail.com\nReceived-From-MTA: dns; news@example.com\nArrival-Date: ${rfc(c.t0, "-0800")} (PST)\nX-Original-Message-ID: <${c.msgid}>\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n${c.remote ? `Remote-MTA: dns; ${c.remote}\n` : ""}Diagnostic-Code: smtp; ${many(c.reply).join("\n ")}\nLast-Attempt-Date: ${rfc(c.t1, "-0800")} (PST)\n${d ? `Will-Retry-Until: ${rfc(c.t0 + 2592e5, "-0800")} (PST)\n` : ""}`,
      c.headersOnly
        ? `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const domino: Form = (c) => {
  c.rep ??= `domino1.${dom(c)}`;
  const bd = `==IFJRGLKFGIR${c.n}UHRUHIHD`;
  return report(
    c,
    {
      from: `Postmaster@${dom(c)}`,
      subject: `${c.prefix ?? "DELIVERY FAILURE"}: ${c.line}`,
      boundary: bd,
      tail: [`X-MIMETrack: Itemize by SMTP Server on ${c.rep.split(".")[0]}/ACME(Release 12.0.2)`],
    },
    [
      `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n${qp(`Your message\n\n  Subject: ${c.subj}\n\nwas not delivered to:\n\n  ${c.rcpt}\n\nbecause:\n\n  ${c.line}\n`)}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns;${c.rep}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: X-Notes; ${wrap(c.line ?? "", 68, " ")}\n`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const mimecast: Form = (c) => {
  c.rep ??= "eu-smtp-delivery-172.mimecast.com";
  const bd = `Mcst-Bdry-${c.qid}`;
  return report(
    c,
    {
      from: `"Postmaster" <postmaster@${dom(c)}>`,
      subject: "[Postmaster] Email Delivery Failure",
      boundary: bd,
      extra: ["X-MC-System: 1"],
      tail: ["Auto-Submitted: auto-generated"],
    },
    [
      `Content-Type: text/plain; charset=UTF-8\n\nThis is a delivery failure notification message indicating that\nan email you addressed to email address :\n-- ${c.rcpt}\n\ncould not be delivered. The problem appears to be :\n-- ${c.problem}\n\nAdditional information follows :\n-- ${one(c.reply)}\n\nThis condition occurred after 1 attempt(s) to deliver over\na period of 0 hour(s).\n\nIf you sent the email to multiple recipients, you will receive one\nof these messages for each one which failed delivery, otherwise they\nhave been sent.\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: smtp; ${one(c.reply)}\n`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

const barracuda: Form = (c) => {
  c.rep ??= `barracuda.${dom(c)}`;
  const bd = `=_${hash(`bar${c.n}`, 16)}`;
  return report(
    c,
    {
      from: `"Barracuda Email Security Gateway" <postmaster@${dom(c)}>`,
      subject: "**Message you sent blocked by our bulk email filter**",
      boundary: bd,
      extra: ["X-Barracuda-Connect: mail.example.com[198.51.100.25]"],
    },
    [
      `Content-Type: text/plain; charset=UTF-8\n\nYour message to: ${c.rcpt}\nwas blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:\n\nSubject: ${c.subj}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nReceived-From-MTA: smtp; ${c.rep} ([127.0.0.1])\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: smtp; ${c.reply}\nLast-Attempt-Date: ${rfc(c.t1)}\n`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

const amavis: Form = (c) => {
  c.rep ??= `mailgw.${dom(c)}`;
  const bd = `----------=_${Math.floor(c.t1 / 1000)}-${c.n}-0`;
  return report(c, { from: `"Content-filter at ${c.rep}" <postmaster@${dom(c)}>`, subject: c.sub, boundary: bd }, [
    `Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\nContent-Transfer-Encoding: 7bit\n\n${c.text}\n\nReturn-Path: <${c.rp}>\nFrom: "Riverside Choir" <news@example.com>\nMessage-ID: <${c.msgid}>\nSubject: ${word(c.subj)}\n\nDelivery of the email was stopped!\n`,
    `Content-Type: message/delivery-status\nContent-Disposition: inline\nContent-Transfer-Encoding: 7bit\nContent-Description: Delivery error report\n\nReporting-MTA: dns; ${c.rep}\nReceived-From-MTA: dns; ${c.rep} ([127.0.0.1])\nArrival-Date: ${rfc(c.t0)}\n\nOriginal-Recipient: rfc822;${c.rcpt}\nFinal-Recipient: rfc822;${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: smtp; ${c.reply}\nLast-Attempt-Date: ${rfc(c.t1)}\nFinal-Log-ID: 04211-${c.n}/${hash(`am${c.n}`, 12)}\n`,
    `Content-Type: text/rfc822-headers\nContent-Disposition: inline\nContent-Transfer-Encoding: 7bit\nContent-Description: Message header section\n\n${orig(c, { headers: true })}`,
  ]);
};

const ironport: Form = (c) => {
  c.rep ??= `esa2.${dom(c)}`;
  const bd = `${hash(`ip${c.n}`, 5).toUpperCase()}/${c.rep}`;
  return report(
    c,
    {
      from: `Mail Delivery System <MAILER-DAEMON@${c.rep}>`,
      subject: "Delivery Status Notification (Failure)",
      boundary: bd,
      tail: ["Auto-Submitted: auto-generated"],
    },
    [
      `content-type: text/plain;\n    charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n${qp(`The following message to <${c.rcpt}> was undeliverable.\nThe reason for the problem:\n${c.line}\n`)}`,
      `content-type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: failed\nStatus: ${c.status}${c.statusText ? ` (${c.statusText})` : ""}\n${c.diag ? `Diagnostic-Code: smtp; ${c.diag}\n` : ""}`,
      `content-type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

/** Forms of reports by name. */
export const OFFICES = {
  exchange,
  exo,
  exchange2003,
  exchange55,
  gmail,
  domino,
  mimecast,
  barracuda,
  amavis,
  ironport,
};
