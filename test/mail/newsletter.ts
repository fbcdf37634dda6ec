import { composeMail } from "../../src/email/delivery/mailer/compose-mail.ts";
import { marketingOf } from "../../src/email/delivery/mailer/marketing.ts";
import type { Mail } from "../../src/email/types/mail-handover.ts";
import { compileMessage } from "../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../src/lib/lmx/message/message-source.ts";
import { themes } from "../unit/lib/lmx/sample-mails.ts";

const DOMAIN = "acme.example";
const PUBLIC_URL = `https://mail.${DOMAIN}`;

const LMX = `<H1>What is new in March</H1>
<Paragraph>Hi {contact.firstName}, this month the reports got faster, and the calendar shows the whole team.</Paragraph>
<H2>Reports in seconds</H2>
<Paragraph>A report of a full year now opens in two seconds. <Link href="https://acme.example/blog/reports">Read how we did it</Link>.</Paragraph>
<H2>One calendar for the team</H2>
<Paragraph>Choose the people you work with, and see their week next to yours.</Paragraph>
<Button href="https://acme.example/calendar?from=newsletter&month=3">Open the calendar</Button>
<Paragraph>Is something missing? Reply to this email. A person reads it and answers.</Paragraph>`;

/** A marketing mail as a Mailer hands it over: with footer, list fields, tracked links and open picture. */
export const newsletter = async (date: number): Promise<Mail> => {
  const { compiled, problems } = compileMessage(
    {
      ...emptySource,
      subject: "What is new in March",
      previewText: "Faster reports and one calendar",
      fromName: "Acme",
      fromEmail: "news",
      languageCode: "en",
      lmx: LMX,
    },
    "campaign",
    { themes: { calm: themes.calm?.styles ?? {} }, defaultThemeId: "calm" },
  );
  if (!compiled) throw new Error(JSON.stringify(problems));
  const send = {
    n: 1,
    attempt: 1,
    revision: 1,
    id: "snd_n1B2",
    messageId: `<snd_n1B2@${DOMAIN}>`,
    date,
    recipient: "ada@example.com",
    withheld: [],
    preview: false,
    attachments: 0,
    values: JSON.stringify({ "contact.firstName": "Ada" }),
    marketing: {
      contact: { n: 1, id: "con_a1" },
      message: 1,
      run: 0,
      list: "lst_news",
      isTracked: true,
      team: "Acme",
      postalAddress: "1 Harbour Street\n20457 Hamburg",
    },
  };
  const links = { secret: "a secret of the tests", publicUrl: PUBLIC_URL };
  const parts = await marketingOf(links, "acme", send, DOMAIN);
  if (!parts) throw new Error("The mail has no marketing parts.");
  const mail = composeMail("acme", send, compiled, [], PUBLIC_URL, parts);
  return { ...mail, ...(await parts.finish(mail)) };
};
