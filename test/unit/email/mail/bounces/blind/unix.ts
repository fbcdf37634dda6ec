import {
  b64,
  b64buf,
  dom,
  type Form,
  hash,
  iso2022jp,
  type Mail,
  many,
  one,
  orig,
  report,
  rfc,
  top,
  wrap,
} from "./mail.ts";

const postfix: Form = (c) => {
  c.rep ??= "mail.example.com";
  const bd = `${c.qid}.${Math.floor(c.t1 / 1000)}/${c.rep}`;
  const said = c.textLine ?? `host ${c.host}[${c.ip}] said: ${one(c.reply)} (in reply to ${c.cmd} command)`;
  const intro = {
    failed:
      "I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\nFor further assistance, please send mail to postmaster.\n\nIf you do so, please include this problem report. You can\ndelete your own text from the attached returned message.\n\n                   The mail system\n",
    delayed:
      "####################################################################\n# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n####################################################################\n\nYour message could not be delivered for more than 4 hour(s).\nIt will be retried until it is 5 day(s) old.\n\nFor further assistance, please send mail to postmaster.\n\nIf you do so, please include this problem report. You can\ndelete your own text from the attached returned message.\n\n                   The mail system\n",
    ok: "Your message was successfully delivered to the destination(s)\nlisted below. If the message was delivered to mailbox you will\nreceive no further notifications. Otherwise you may still receive\nnotifications of mail delivery errors from other systems.\n\n                   The mail system\n",
  }[c.action === "failed" || c.action === "delayed" ? c.action : "ok"];
  const subject =
    { failed: "Undelivered Mail Returned to Sender", delayed: "Delayed Mail (still being retried)" }[c.action] ??
    "Successful Mail Delivery Report";
  const diag = c.diag ?? (c.local ? `X-Postfix; ${c.textLine}` : `smtp; ${one(c.reply)}`);
  const ds = `Reporting-MTA: dns; ${c.rep}\nX-Postfix-Queue-ID: ${c.qid}\nX-Postfix-Sender: rfc822; ${c.rp}\nArrival-Date: ${rfc(c.t0, c.tz)}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nOriginal-Recipient: rfc822;${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\n${c.local ? "" : `Remote-MTA: dns; ${c.host}\n`}Diagnostic-Code: ${wrap(diag)}\n${c.action === "delayed" ? `Will-Retry-Until: ${rfc(c.t0 + 432e6, c.tz)}\n` : ""}`;
  const hdrOnly = c.headersOnly;
  return report(
    c,
    {
      from: `MAILER-DAEMON@${c.rep} (Mail Delivery System)`,
      subject,
      boundary: bd,
      extra: [`Received: by ${c.rep} (Postfix)\n\tid ${hash(`x${c.n}`, 10).toUpperCase()}; ${rfc(c.t1, c.tz)}`],
      tail: ["Auto-Submitted: auto-replied"],
    },
    [
      `Content-Description: Notification\nContent-Type: text/plain; charset=us-ascii\n\nThis is the mail system at host ${c.rep}.\n\n${intro}\n<${c.rcpt}>: ${wrap(said)}\n`,
      `Content-Description: Delivery report\nContent-Type: message/delivery-status\n\n${ds}`,
      hdrOnly
        ? `Content-Description: Undelivered Message Headers\nContent-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-Description: Undelivered Message\nContent-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message.\n\n",
  );
};

const zimbra: Form = (c) => {
  c.rep ??= `zimbra.${dom(c)}`;
  return postfix(c);
};

const yandex: Form = (c) => {
  c.rep ??= "forward502a.mail.yandex.net";
  const bd = `${c.qid}.${Math.floor(c.t1 / 1000)}/${c.rep}`;
  return report(
    c,
    {
      from: "mailer-daemon@yandex.ru",
      subject: "Недоставленное сообщение",
      boundary: bd,
      extra: [`X-Yandex-Front: ${c.rep}`],
      tail: ["Auto-Submitted: auto-replied"],
    },
    [
      `Content-Description: Notification\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${b64(`              **********\n\nЭто письмо отправлено почтовым сервером yandex.ru.\n\nК сожалению, мы вынуждены сообщить Вам о том, что Ваше письмо не может\nбыть отправлено одному или нескольким адресатам. Причины указаны ниже.\n\nПожалуйста, не отвечайте на это сообщение. \n\n              **********\n\nThis is the mail system at host yandex.ru.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\nPlease, do not reply to this message.\n\n\n<${c.rcpt}>: ${wrap(`host ${c.host}[${c.ip}] said: ${one(c.reply)} (in reply to ${c.cmd} command)`)}\n`)}`,
      `Content-Description: Delivery report\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nX-Yandex-Queue-ID: ${c.qid}\nX-Yandex-Sender: rfc822; ${c.rp}\nArrival-Date: ${rfc(c.t0, "+0300")} (MSK)\n\nFinal-Recipient: rfc822; ${c.rcpt}\nOriginal-Recipient: rfc822;${c.rcpt}\nAction: ${c.action}\nStatus: ${c.status}\nRemote-MTA: dns; ${c.host}\nDiagnostic-Code: ${wrap(`smtp; ${one(c.reply)}`)}\n`,
      `Content-Description: Undelivered Message\nContent-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message.\n\n",
  );
};

const ezweb: Form = (c) => {
  c.rep = "lsean.ezweb.ne.jp";
  const bd = `${c.qid}.${Math.floor(c.t1 / 1000)}/${c.rep}`;
  const txt = Buffer.from(
    iso2022jp(
      `次のあて先へのメッセージはエラーのため送信できませんでした。\n\n${c.jp}\n\n${c.en}\n\n\n<${c.rcpt}>: ${c.line}\n`,
    ),
  ).toString("latin1");
  return report(
    c,
    { from: "Mail Administrator <Postmaster@ezweb.ne.jp>", subject: "Mail System Error - Returned Mail", boundary: bd },
    [
      `Content-Description: Notification\nContent-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding: 7bit\n\n${txt}`,
      `Content-Description: Delivery error report\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; lsean.ezweb.ne.jp\nArrival-Date: ${rfc(c.t0, "+0900")} (JST)\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\n`,
      `Content-Description: Undelivered Message\nContent-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message.\n\n",
  );
};

const kddi: Form = (c) => {
  c.rep = "nm00omta01.auone-net.jp";
  const bd = `==_${c.qid}/${c.n}/KDDI`;
  return `${top(c, { from: `no-reply@${dom(c)}`, subject: "メールエラー通知", tail: ["Reply-To: no-reply@app.auone-net.jp", "MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="${bd}"`] })}\nThis message is in MIME format.Since your mail reader does not understand this format, some or all of the message may not be legible\n\n--${bd}\nContent-Type: text/plain; charset="ISO-2022-JP"\nContent-Transfer-Encoding: base64\n\n${b64buf(iso2022jp(`${c.jp}\n\n※本メールはau one netのメールシステムより配信しております。\nこのメールには直接返信いただけません。\n\n（　以下、サーバから出力されたエラーメッセージ　）\n\nYour mail sent on: ${rfc(c.t0, "+0900")}\n     Could not be delivered to: <${c.rcpt}>\n     ${c.en}\n`))}\n\n--${bd}\nContent-Type: message/rfc822\nContent-Description: Original message\n\n${orig(c)}\n--${bd}--\n`;
};

const eximFail = (c: Mail): string =>
  c.eximText ??
  (c.reply
    ? `    SMTP error from remote mail server after ${c.eximCmd ?? `RCPT TO:<${c.rcpt}>`}:\n    ${many(c.reply)
        .map((l, i) => (i ? `    ${l.trimStart()}` : l))
        .join("\n")
        .replace(/^/, `host ${c.host} [${c.ip}]: `)}`
    : "");

const exim: Form = (c) => {
  c.rep ??= "mail.example.com";
  const id = `1t${hash(`e${c.n}`, 4)}-0000000${hash(`f${c.n}`, 4)}-${hash(`g${c.n}`, 4)}`;
  const bd = `${Math.floor(c.t1 / 1000)}-eximdsn-${(c.n * 7919) % 1000000}`;
  const retry = c.retry ? `\n    ${c.retry}` : "";
  const delayed = c.action === "delayed";
  const ok = c.action === "delivered" || c.action === "relayed";
  const text = delayed
    ? `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on ${c.rep}.\n\nThe message identifier is:     ${id}\nThe subject of the message is: ${c.subj}\nThe date of the message is:    ${rfc(c.t0)}\n\nThe address to which the message has not yet been delivered is:\n\n  ${c.rcpt}\n${c.eximText ? `${c.eximText}\n` : ""}\nNo action is required on your part. Delivery attempts will continue for\nsome time, and this warning may be repeated at intervals if the message\nremains undelivered. Eventually the mail delivery software will give up,\nand when that happens, the message will be returned to you.\n`
    : ok
      ? `This message was created automatically by mail delivery software.\n ----- The following addresses had successful delivery notifications -----\n  <${c.rcpt}> (${c.okText})\n`
      : `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${c.rcpt}\n${eximFail(c)}${retry}\n`;
  const ds = `Reporting-MTA: dns; ${c.rep}\n\nAction: ${c.action}\nFinal-Recipient: rfc822;${c.rcpt}\nStatus: ${c.status}\n${c.reply && !delayed ? `Remote-MTA: dns; ${c.host}\nDiagnostic-Code: smtp; ${many(c.reply).join("\n ")}\n` : ""}`;
  return report(
    c,
    {
      from: `Mail Delivery System <Mailer-Daemon@${c.rep}>`,
      subject: delayed
        ? `Warning: message ${id} delayed 24 hours`
        : ok
          ? "Delivery Status Notification"
          : "Mail delivery failed: returning message to sender",
      boundary: bd,
      extra: [
        `Received: from mailnull by ${c.rep} with local (Exim 4.97.1)\n\tid ${id}\n\tfor ${c.rp};\n\t${rfc(c.t1)}`,
        ...(delayed || ok ? [] : [`X-Failed-Recipients: ${c.rcpt}`]),
      ],
      tail: ["Auto-Submitted: auto-replied"],
      id: `E${id}@${c.rep}`,
    },
    [
      `Content-type: text/plain; charset=us-ascii\n\n${text}`,
      `Content-type: message/delivery-status\n\n${ds}`,
      c.headersOnly || ok
        ? `Content-type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const eximOld: Form = (c) => {
  c.rep ??= `server1.${dom(c)}`;
  const id = `1X${hash(`e${c.n}`, 4)}-0006${hash(`f${c.n}`, 2)}-9N`;
  return `${top(c, { from: `Mail Delivery System <Mailer-Daemon@${c.rep}>`, subject: "Mail delivery failed: returning message to sender", extra: [`Received: from mailnull by ${c.rep} with local (Exim 4.80)\n\tid ${id}\n\tfor ${c.rp}; ${rfc(c.t1)}`, `X-Failed-Recipients: ${c.rcpt}`], tail: ["Auto-Submitted: auto-replied"], id: `E${id}@${c.rep}` })}
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${c.rcpt}
${eximFail(c)}${c.retry ? `: ${c.retry}` : ""}

------ This is a copy of the message, including all the headers. ------

${orig(c)}`;
};

const mailru: Form = (c) => {
  c.rep ??= "smtp58.i.mail.ru";
  const block = `  ${c.rcpt}\n${eximFail(c)}`;
  return `${top(c, { from: "mailer-daemon@corp.mail.ru", rawSubject: `=?UTF-8?B?${Buffer.from("Ваше сообщение не доставлено").toString("base64")}?=. Mail failure.`, extra: [`X-Failed-Recipients: ${c.rcpt}`], tail: ["Auto-Submitted: auto-replied", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"] })}
Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.

К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:

${block}

Рекомендуем Вам проверить корректность указания адресов получателей.

**********************


This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

${block}

------ This is a copy of the message, including all the headers. ------

${orig(c)}`;
};

const gmx: Form = (c) => {
  c.rep ??= "mout.gmx.net";
  return `${top(c, { from: "GMX Mailer Daemon <mailer-daemon@gmx.de>", subject: "Mail delivery failed: returning message to sender", tail: ["Auto-Submitted: auto-replied", "MIME-Version: 1.0", 'Content-Type: text/plain; charset="utf-8"'] })}
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

${c.rcpt}:
SMTP error from remote server for ${c.cmd} command, host: ${c.host} (${c.ip}) reason: ${many(c.reply).join("\n")}

--- The header of the original message is following. ---

${orig(c, { headers: true })}`;
};

const sendmail: Form = (c) => {
  c.rep ??= "mail.example.com";
  const bd = `kAK${hash(`s${c.n}`, 6)}.${Math.floor(c.t1 / 1000)}/${c.rep}`;
  const warn = c.action === "delayed";
  const ok = ["delivered", "relayed", "expanded"].includes(c.action);
  const errs = warn
    ? "   ----- The following addresses had transient non-fatal errors -----"
    : ok
      ? "   ----- The following addresses had successful delivery notifications -----"
      : "   ----- The following addresses had permanent fatal errors -----";
  const body = `${warn ? "    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    **********************************************\n\n" : ""}The original message was received at ${rfc(c.t0)}\nfrom mail.example.com [198.51.100.25]\n\n${errs}\n<${c.rcpt}>${c.okText ? `  (${c.okText})` : ""}\n${c.reason ? `    (reason: ${c.reason})\n` : ""}${ok ? `\n   ----- Transcript of session follows -----\n<${c.rcpt}>... ${c.okLine}\n` : `\n   ----- Transcript of session follows -----\n${c.transcript}\n`}`;
  return report(
    c,
    {
      from: `Mail Delivery Subsystem <MAILER-DAEMON@${c.rep}>`,
      to: `<${c.rp}>`,
      subject: warn
        ? "Warning: could not send message for past 4 hours"
        : ok
          ? "Return receipt"
          : (c.sub ?? "Returned mail: see transcript for details"),
      boundary: bd,
      extra: [
        `Received: from localhost (localhost)\n\tby ${c.rep} (8.17.1/8.17.1) id kAK${hash(`s${c.n}`, 6)};\n\t${rfc(c.t1)}`,
      ],
      tail: [`Auto-Submitted: auto-generated (${warn ? "warning-timeout" : ok ? "return-receipt" : "failure"})`],
    },
    [
      `\n${body}`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nReceived-From-MTA: DNS; mail.example.com\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: RFC822; ${c.rcpt}\nAction: ${c.action}${c.okText === "relayed to non-DSN-aware mailer" ? " (to non-DSN-aware mailer)" : ""}\nStatus: ${c.status}\n${c.reply ? `Remote-MTA: DNS; ${c.host}\nDiagnostic-Code: SMTP; ${many(c.reply)[0]}\n` : ""}Last-Attempt-Date: ${rfc(c.t1)}\n${warn ? `Will-Retry-Until: ${rfc(c.t0 + 432e6)}\n` : ""}`,
      c.headersOnly
        ? `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`
        : `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
    "This is a MIME-encapsulated message\n\n",
  );
};

const proofpoint: Form = (c) => {
  c.rep ??= "mx0a-00a1b201.pphosted.com";
  c.transcript ??= `... while talking to ${c.host}.:\n>>> ${c.cmd === "DATA" ? "DATA" : `RCPT To:<${c.rcpt}>`}\n${many(
    c.reply,
  )
    .map((l) => `<<< ${l}`)
    .join("\n")}\n550 5.1.1 <${c.rcpt}>... User unknown`;
  return sendmail(c);
};

const qmail: Form = (c) => {
  c.rep ??= `mail.${dom(c)}`;
  return `${top(c, { from: `MAILER-DAEMON@${c.rep}`, subject: "failure notice", noId: true, extra: [`Received: (qmail 24581 invoked for bounce); ${rfc(c.t1)}`] })}
Hi. This is the ${c.prog ?? `qmail-send program at ${c.rep}`}.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${c.rcpt}>:
${c.text}

--- Below this line is a copy of the message.

${orig(c)}`;
};

const godaddy: Form = (c) => {
  c.rep ??= "p3plibsmtp03-12.prod.phx3.secureserver.net";
  return qmail(c);
};

const yahooOld: Form = (c) => {
  c.rep ??= "nm21-vm3.bullet.mail.bf1.yahoo.com";
  return `${top(c, { from: "MAILER-DAEMON@yahoo.com", subject: "Failure Notice", tail: ["MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii"] })}
Sorry, we were unable to deliver your message to the following address.

<${c.rcpt}>:
${c.text}

--- Below this line is a copy of the message.

${orig(c)}`;
};

const yahoo: Form = (c) => {
  c.rep ??= "sonic313-21.consmr.mail.ne1.yahoo.com";
  const bd = `----=_Part_${c.n}_${c.n * 7717}.${c.t1}`;
  return report(
    c,
    { from: "Mail Delivery System <mailer-daemon@yahoo.com>", subject: "Failure Notice", boundary: bd },
    [
      `Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 7bit\n\nSorry, we were unable to deliver your message to the following address.\n\n<${c.rcpt}>:\n${c.text}\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nArrival-Date: ${rfc(c.t0)}\n\nFinal-Recipient: rfc822; ${c.rcpt}\nAction: failed\nStatus: ${c.status}\nDiagnostic-Code: smtp; ${one(c.reply)}\n`,
      `Content-Type: message/rfc822\n\n${orig(c)}`,
    ],
  );
};

const messagelabs: Form = (c) => {
  c.rep ??= "mail6.bemta23.messagelabs.com";
  const bd = `b_${c.qid}`;
  return report(
    c,
    {
      from: "MAILER-DAEMON@messagelabs.com",
      subject: "Mail Delivery Failure",
      boundary: bd,
      extra: [`X-Msg-Ref: server-6.tower-${c.n}.messagelabs.com!${Math.floor(c.t0 / 1000)}!1`],
    },
    [
      `Content-Type: text/plain; charset=us-ascii\n\nThis is the mail delivery agent at messagelabs.com.\n\nI was unable to deliver your message to the following addresses:\n\n${c.rcpt}\n\nReason: ${one(c.reply)}\n\nThe message subject was: ${c.subj}\nThe message date was: ${rfc(c.t0)}\nThe message identifier was: <${c.msgid}>\nThe message reference was: server-6.tower-${c.n}.messagelabs.com!${Math.floor(c.t0 / 1000)}!1\n\nPlease do not reply to this email as it is sent from an unattended mailbox.\nPlease visit www.messagelabs.com/support for more details\nabout this error message and instructions to resolve this issue.\n`,
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns; ${c.rep}\nArrival-Date: ${rfc(c.t0)}\n\nAction: failed\nStatus: ${c.status}\nLast-Attempt-Date: ${rfc(c.t1)}\nDiagnostic-Code: smtp; ${one(c.reply)}\nFinal-Recipient: rfc822; ${c.rcpt}\n`,
      `Content-Type: text/rfc822-headers\n\n${orig(c, { headers: true })}`,
    ],
  );
};

/** Forms of reports by name. */
export const UNIX = {
  postfix,
  zimbra,
  yandex,
  ezweb,
  kddi,
  exim,
  eximOld,
  mailru,
  gmx,
  sendmail,
  proofpoint,
  qmail,
  godaddy,
  yahooOld,
  yahoo,
  messagelabs,
};
