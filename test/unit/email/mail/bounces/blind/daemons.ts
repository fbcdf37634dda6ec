import { b64, dom, type Form, hash, many, one, orig, report, rfc, top } from "./mail.ts";

const opensmtpd: Form = (c) => {
  c.rep ??= "mx.example.com";
  const d = c.action === "delayed";
  const bd = `${hash(`os${c.n}`, 12)}/${c.rep}`;
  const text = d
    ? `    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    A message is delayed for more than 4 hours for the following\n    list of recipients:\n\n${c.rcpt}: ${c.line}\n\n    Please note that this is only a temporary failure report.\n    The message is kept in the queue for up to 4 days.\n    You DO NOT NEED to re-send the message to these recipients.\n\n    Below is a copy of the original message:\n`
    : `    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\n${c.rcpt}: ${c.line}\n\n    Below is a copy of the original message:\n`;
  return report(
    c,
    {
      from: `Mailer Daemon <MAILER-DAEMON@${c.rep}>`,
      subject: d ? "Delivery status notification: warning" : "Delivery status notification: error",
      boundary: bd,
      extra: [
        `Received: from localhost (${c.rep} [local])\n\tby ${c.rep} (OpenSMTPD) with ESMTPA id ${hash(`o${c.n}`, 8)}\n\tfor <${c.rp}>;\n\t${rfc(c.t1)} (UTC)`,
      ],
      tail: ["Auto-Submitted: auto-replied"],
    },
    [
      `Content-Description: Notification\nContent-Type: text/plain; charset=us-ascii\n\n${text}`,
      `Content-Description: Delivery Report\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n`,
      c.headersOnly
        ? `Content-Description: Message headers\nContent-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-Description: Message\nContent-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message.\n\n",
  );
};

const dma: Form = (c) => {
  c.rep ??= "df1.example.com";
  return `${top(c, { from: "MAILER-DAEMON <>", subject: "Mail delivery failed", extra: [`Received: from MAILER-DAEMON\n\tid ${hash(`dma${c.n}`, 5)}\n\tby ${c.rep} (DragonFly Mail Agent v0.13);\n\t${rfc(c.t1)}`, `X-Original-To: <${c.rcpt}>`], id: `${hash(`dma${c.n}`, 5)}@${c.rep}` })}
This is the DragonFly Mail Agent v0.13 at ${c.rep}.

There was an error delivering your mail to <${c.rcpt}>.

${c.text}

${c.headersOnly ? "Message headers follow." : "Original message follows."}

${orig(c, { headers: c.headersOnly })}`;
};

const courier: Form = (c) => {
  c.rep ??= `courier.${dom(c)}`;
  const d = c.action === "delayed";
  const bd = `=_courier_${c.n}`;
  const mid = d
    ? "                           DELAYED MAIL\n\nYour message to the following recipients has not been delivered yet\n(delivery attempts will continue):"
    : c.action === "failed"
      ? "                           UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:"
      : "                          DELIVERED MAIL\n\nYou requested a delivery acknowledgement (a return receipt) for the\nfollowing recipients of your E-mail message. Your message has been\ndelivered to the following recipients:";
  return report(
    c,
    {
      from: `"Courier mail server at ${c.rep}" <@${c.rep}>`,
      subject: "NOTICE: mail delivery status.",
      boundary: bd,
      tail: ["Content-Transfer-Encoding: 7bit"],
      id: `courier.${c.qid}@${c.rep}`,
    },
    [
      `Content-Transfer-Encoding: 7bit\nContent-Type: text/plain; charset=us-ascii\n\nThis is a delivery status notification from ${c.rep},\nrunning the Courier mail server, version 1.2.2.\n\nThe original message was received on ${rfc(c.t0)}\nfrom mail.example.com (mail.example.com [198.51.100.25])\n\n---------------------------------------------------------------------------\n\n${mid}\n\n<${c.rcpt}>:\n${c.text}\n\n---------------------------------------------------------------------------\n\nIf your message was also sent to additional recipients, their delivery\nstatus is not included in this report.  You may or may not receive\nother delivery status notifications for additional recipients.\n\nThe original message follows as a separate attachment.\n`,
      `Content-Type: message/delivery-status\nContent-Transfer-Encoding: 7bit\n\nReporting-MTA: dns; ${c.rep}\nArrival-Date: ${rfc(c.t0)}\nReceived-From-MTA: dns; mail.example.com (mail.example.com [198.51.100.25])\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n${c.diag ? `Diagnostic-Code: ${c.diag}\n` : ""}`,
      `Content-Type: message/rfc822\nContent-Transfer-Encoding: 7bit\n\n${orig(c)}`,
    ],
    "This is a MIME-formatted message.  If you see this text it means that your\nE-mail software does not support MIME-formatted messages.\n\n",
  );
};

const ses: Form = (c) => {
  c.rep ??= "a8-50.smtp-out.amazonses.com";
  const bd = `----=_Part_${c.n}_193887.${c.t1}`;
  return report(
    c,
    {
      from: "MAILER-DAEMON@amazonses.com",
      subject: "Delivery Status Notification (Failure)",
      boundary: bd,
      tail: ["Auto-Submitted: auto-generated"],
    },
    [
      `Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\nContent-Description: Notification\n\nAn error occurred while trying to deliver the mail to the following recipients:\n${c.rcpt}\n`,
      `Content-Type: message/delivery-status\nContent-Transfer-Encoding: 7bit\nContent-Description: Delivery Status Notification\n\nReporting-MTA: dns; ${c.rep}\n\nAction: failed\nFinal-Recipient: rfc822; ${c.rcpt}\nDiagnostic-Code: smtp; ${one(c.reply)}\nStatus: ${c.status}\n`,
      `Content-Type: message/rfc822\nContent-Description: Undelivered Message\n\n${orig(c)}`,
    ],
  );
};

const oracle: Form = (c) => {
  c.rep ??= "st43p00im-zteg10062001.me.com";
  const bd = `Boundary_(ID_${hash(`or${c.n}`, 22)})`;
  return report(
    c,
    {
      from: `postmaster@${c.rep.split(".").slice(-2).join(".")}`,
      subject: "Delivery Notification: Delivery has failed",
      boundary: bd,
    },
    [
      `Content-type: text/plain; charset=us-ascii\nContent-language: en-US\n\nThis report relates to a message you sent with the following header fields:\n\n  Message-id: <${c.msgid}>\n  Date: ${rfc(c.t0)}\n  From: "Riverside Choir" <news@example.com>\n  To: ${c.rcpt}\n  Subject: ${c.subj}\n\nYour message cannot be delivered to the following recipients:\n\n  Recipient address: ${c.rcpt}\n  Reason: ${c.reason}\n${c.reply ? `  Diagnostic code: smtp;${one(c.reply)}\n  Remote system: dns;${c.host} (TCP|17.58.38.56|48044|${c.ip}|25) (${c.host} ESMTP)\n` : ""}`,
      `Content-type: message/delivery-status\n\nOriginal-envelope-id: 0${c.qid}@${c.rep}\nReporting-MTA: dns;${c.rep} (tcp-daemon)\nArrival-date: ${rfc(c.t0)} (GMT)\n\nOriginal-recipient: rfc822;${c.rcpt}\nFinal-recipient: rfc822;${c.rcpt}\nAction: failed\nStatus: ${c.status} (${c.reason})\n${c.reply ? `Remote-MTA: dns;${c.host} (TCP|17.58.38.56|48044|${c.ip}|25)\n (${c.host} ESMTP)\nDiagnostic-code: smtp;${one(c.reply)}\n` : ""}`,
      `Content-type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const coremail: Form = (c) => {
  c.rep ??= "m15-111.163.com";
  const bd = `----=_Part_${c.n}_${hash(`cm${c.n}`, 8)}.${c.t1}`;
  const text = `---------------------------------------------------------------------------\n\n   这是一封来自 ${c.rep} 的系统退信，您的邮件未能投递成功。\n\n   抱歉，您的邮件被退回来了……\n   原邮件信息：\n      时    间: ${rfc(c.t0, "+0800")}\n      主    题: ${c.subj}\n      收 件 人: ${c.rcpt}\n   退信原因：\n      ${c.cn}\n      ${one(c.reply)}\n   建议解决方案：\n      ${c.advice}\n\n   Message from ${c.rep}.\n   I'm afraid I wasn't able to deliver your message to the following addresses.\n   This is a permanent error; I've given up. Sorry it didn't work out.\n\n   ${c.rcpt} ${one(c.reply)}\n`;
  return report(
    c,
    { from: "Postmaster@163.com", subject: `系统退信/Systems bounce`, boundary: bd, tail: ["X-Mailer: Coremail"] },
    [
      `Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: base64\n\n${b64(text)}`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nArrival-Date: ${rfc(c.t0, "+0800")}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: SMTP; ${one(c.reply)}\n`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const qq: Form = (c) => {
  c.rep ??= "out203-205-221-164.mail.qq.com";
  const h = `<html><body><div style="font-size:14px"><p>很抱歉您发送的邮件被退回，以下是该邮件的相关信息：</p>\n<table><tr><td><b>被退回邮件</b></td><td>主 题：${c.subj}<br/>时 间：2026-11-2${c.n % 9} 15:12:45</td></tr></table>\n<table><tr><td colspan="2"><b>无法发送到 ${c.rcpt}</b></td></tr>\n<tr><td>退信原因</td><td>${c.cn}<br/>${one(c.reply).replace(/</g, "&lt;").replace(/>/g, "&gt;")}</td></tr>\n<tr><td>解决方案</td><td>${c.advice}</td></tr></table>\n<p>此外，您还可以点击这里获取更多关于退信的帮助信息。</p></div></body></html>\n`;
  const bd = `----=_NextPart_QQ_${c.n}`;
  return `${top(c, { from: '"=?utf-8?B?UVHpgq7nrrE=?=" <PostMaster@qq.com>', subject: "来自qq.com的退信", tail: ["Auto-Submitted: auto-replied", "MIME-Version: 1.0", `Content-Type: multipart/mixed;\n\tboundary="${bd}"`] })}
--${bd}
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${b64(h)}
--${bd}
Content-Type: message/rfc822

${orig(c)}
--${bd}--
`;
};

const hmail: Form = (c) => {
  c.rep ??= `mail.${dom(c)}`;
  return `${top(c, { from: `mailer-daemon@${dom(c)}`, subject: `Message undeliverable: ${c.subj}`, tail: ["MIME-Version: 1.0", 'Content-Type: text/plain; charset="utf-8"'] })}
Your message did not reach some or all of the intended recipients.

   Sent: ${rfc(c.t0)}
   Subject: ${c.subj}

The following recipient(s) could not be reached:

${c.rcpt}
${c.text}

hMailServer

Return-Path: ${c.rp}
Message-ID: <${c.msgid}>
From: "Riverside Choir" <news@example.com>
To: ${c.rcpt}
`;
};

const mdaemon: Form = (c) => {
  c.rep ??= `mdaemon.${dom(c)}`;
  const bd = `MDAEMON_${hash(`mdm${c.n}`, 16)}`;
  return report(
    c,
    {
      from: `"MDaemon at ${c.rep}" <MDaemon@${c.rep}>`,
      subject: c.sub ?? "Permanent Delivery Failure",
      boundary: bd,
      tail: ["X-MDDSN-Message: yes", "Auto-Submitted: auto-generated", "Precedence: bulk"],
    },
    [
      `Content-Type: text/plain; charset=utf-8\n\nThe attached message had PERMANENT fatal delivery errors!\n\nAfter one or more unsuccessful delivery attempts the attached message has\nbeen removed from the mail queue on this server. The number and frequency\nof delivery attempts are determined by local configuration parameters.\n\nYOUR MESSAGE WAS NOT DELIVERED TO ONE OR MORE RECIPIENTS!\n\nFailed address: ${c.rcpt}\n\n--- Session Transcript ---\n${c.transcript}\n--- End Transcript ---\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nArrival-Date: ${rfc(c.t0)}\n\nOriginal-Recipient: rfc822;${c.rcpt}\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: smtp; ${one(c.reply)}\n`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const haraka: Form = (c) => {
  c.rep ??= "haraka1.example.com";
  const bd = `boundary_${hash(`hk${c.n}`, 16)}`;
  const text = `\nHi. This is the Haraka Mailer program at ${c.rep}.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\nIntended Recipients: <${c.rcpt}>\nFailure Reason: ${c.why2 ?? one(c.reply)}\n`;
  const o = {
    from: `MAILER-DAEMON@${c.rep}`,
    to: `<${c.rp}>`,
    subject: "failure notice",
    boundary: bd,
    extra: [`Received: (Haraka 4711 invoked for bounce); ${rfc(c.t1)}`],
  };
  if (c.plain) return `${top(c, o) + text}\n${orig(c)}`;
  return report(
    c,
    o,
    [
      `Content-Type: text/plain; charset=us-ascii\n${text}`,
      `Content-type: message/delivery-status\n\nOriginal-Envelope-Id: ${c.qid}.1\nReporting-MTA: dns;${c.rep}\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: failed\nStatus: ${c.status}\nRemote-MTA: ${c.host}\nDiagnostic-Code: smtp;${one(c.reply)}\n`,
      `Content-Description: Undelivered Message\nContent-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message.\n\n",
  );
};

const halon: Form = (c) => {
  c.rep ??= `halon2.${dom(c)}`;
  const bd = `${hash(`ha${c.n}`, 32)}`;
  return report(
    c,
    {
      from: `Mail Delivery Subsystem <MAILER-DAEMON@${c.rep}>`,
      subject: "Undeliverable mail",
      boundary: bd,
      tail: ["Auto-Submitted: auto-generated"],
    },
    [
      `Content-Type: text/plain; charset=utf-8\n\nMessage could not be delivered to the following recipient:\n\n${c.rcpt}\n\nThe remote server responded:\n\n${many(c.reply).join("\n")}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nX-Halon-MTA-Queue-Id: ${c.qid}\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nRemote-MTA: dns; ${c.host}\nDiagnostic-Code: smtp; ${one(c.reply)}\n`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

const pmta: Form = (c) => {
  c.rep ??= "mta7.sendhub.example";
  const bd = `report${hash(`pm${c.n}`, 8).toUpperCase()}@${c.rep}`;
  return report(
    c,
    {
      from: `postmaster@${c.rep}`,
      subject: c.action === "failed" ? "Delivery report" : "Delivery report",
      boundary: bd,
    },
    [
      `Content-Type: text/plain\n\nHello, this is the mail server on ${c.rep}.\n\nI am sending you this message to inform you on the delivery status of a\nmessage you previously sent.  Immediately below you will find a list of\nthe affected recipients;  also attached is a Delivery Status Notification\n(DSN) report in standard format, as well as the headers of the original\nmessage.\n\n  <${c.rcpt}>  ${c.pm ?? "delivery failed; will not continue trying"}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns;${c.rep}\nX-PowerMTA-VirtualMTA: vmta3\nReceived-From-MTA: dns;mail.example.com (198.51.100.25)\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822;${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}${c.statusText ? ` (${c.statusText})` : ""}\n${c.host && c.reply ? `Remote-MTA: dns;${c.host} (${c.ip})\nDiagnostic-Code: smtp;${one(c.reply)}\n` : ""}${c.cat ? `X-PowerMTA-BounceCategory: ${c.cat}\n` : ""}`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

const mailenable: Form = (c) => {
  c.rep ??= `mail.${dom(c)}`;
  return `${top(c, { from: `"Postmaster@${dom(c)}" <Postmaster@${dom(c)}>`, subject: "Message Delivery Failure", tail: ["MIME-Version: 1.0", 'Content-Type: text/plain; charset="utf-8"'] })}
MailEnable: Message Delivery Failure.

The following recipient(s) could not be reached:

\tRecipient: [SMTP:${c.rcpt}]
\tReason: ${c.reason}



Message headers follow:

${orig(c, { headers: true })}`;
};

const imail: Form = (c) => {
  c.rep ??= `imail.${dom(c)}`;
  return `${top(c, { from: `"Postmaster" <postmaster@${c.rep}>`, subject: "Undeliverable Mail", tail: ["X-Mailer: <SMTP32 v8.22>", "MIME-Version: 1.0", "Content-Type: text/plain"] })}
${c.text}


Original message follows.

${orig(c)}`;
};

const james: Form = (c) => {
  c.rep ??= `james.${dom(c)}`;
  const bd = `----=_Part_0_${c.n}77.${c.t1}`;
  return `${top(c, { from: `MAILER-DAEMON@${c.rep}`, subject: `Re:${c.subj}`, tail: ["MIME-Version: 1.0", `Content-Type: multipart/mixed;\n\tboundary="${bd}"`, `In-Reply-To: <${c.msgid}>`] })}
--${bd}
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit

Hi. This is the James mail server at ${c.rep}.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.  Below
I include the list of recipients and the reason why I was unable to deliver
your message.

Failed recipient(s):
${c.rcpt}

Error message:
${c.text}

--${bd}
Content-Type: message/rfc822
Content-Disposition: attachment

${orig(c)}
--${bd}--
`;
};

const zoho: Form = (c) => {
  c.rep ??= "sender-of-o55.zoho.eu";
  const bd = `----=_Part_${c.n}_1744249839.${c.t1}`;
  return `${top(c, { from: "mailer-daemon@mail.zoho.eu", subject: "Undelivered Mail Returned to Sender", tail: ["User-Agent: Zoho Mail", "X-Mailer: Zoho Mail", "MIME-Version: 1.0", `Content-Type: multipart/mixed;\n boundary="${bd}"`] })}
--${bd}
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: 7bit

This message was created automatically by mail delivery software.
A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.

${c.rcpt}
${c.text}


${orig(c, { headers: true })}
--${bd}--
`;
};

const cgp: Form = (c) => {
  c.rep ??= `cgp.${dom(c)}`;
  const bd = `_===${c.n}91====${c.rep}===_`;
  return report(
    c,
    {
      from: `<MAILER-DAEMON@${c.rep}>`,
      subject: `Undeliverable mail: ${c.subj}`,
      boundary: bd,
      tail: ["X-Autogenerated: Reply"],
    },
    [
      `Content-Type: text/plain; charset="utf-8"\n\nFailed to deliver to '${c.rcpt}'\n${c.text}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\n\nOriginal-Recipient: rfc822;<${c.rcpt}>\nFinal-Recipient: LOCAL;${c.rcpt}\nAction: failed\nStatus: ${c.status}\n`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

const dovecotMdn: Form = (c) => {
  c.rep ??= `imap.${dom(c)}`;
  const bd = `dovecot-${Math.floor(c.t1 / 1000)}-${c.n}/${c.rep}`;
  return report(
    c,
    {
      type: "disposition-notification",
      from: `Mail Delivery Subsystem <postmaster@${dom(c)}>`,
      subject: `Rejected: ${c.subj}`,
      boundary: bd,
      tail: ["Auto-Submitted: auto-replied (rejected)", "Precedence: bulk"],
    },
    [
      `Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline\nContent-Transfer-Encoding: 8bit\n\nYour message to <${c.rcpt}> was automatically rejected:\n${c.text}\n`,
      `Content-Type: message/disposition-notification\n\nReporting-UA: ${c.rep}; Dovecot Mail Delivery Agent\nOriginal-Recipient: rfc822; ${c.rcpt}\nFinal-Recipient: rfc822; ${c.rcpt}\nOriginal-Message-ID: <${c.msgid}>\nDisposition: automatic-action/MDN-sent-automatically; deleted\n`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

/** Forms of reports by name. */
export const DAEMONS = {
  opensmtpd,
  dma,
  courier,
  ses,
  oracle,
  coremail,
  qq,
  hmail,
  mdaemon,
  haraka,
  halon,
  pmta,
  mailenable,
  imail,
  james,
  zoho,
  cgp,
  dovecotMdn,
};
