import { defineSender } from "../definition.ts";
import { type MailgunSettings, mailgunSender, REGIONS } from "./send.ts";

export const mailgun = defineSender({
  name: "mailgun",
  title: "Mailgun",
  variables: {
    MAILGUN_REGION: {
      help: "Region of the domains at Mailgun: us or eu",
      required: true,
      check: (region) =>
        Object.hasOwn(REGIONS, region) ? undefined : "MAILGUN_REGION is not a region of Mailgun: use us or eu",
    },
    MAILGUN_API_KEY: {
      help: "API key of Mailgun that may send from each domain",
      secret: true,
      required: true,
      check: (key) => (/^[\x21-\x7e]+$/.test(key) ? undefined : "MAILGUN_API_KEY has a space or is not ASCII"),
    },
  },
  read: ({ MAILGUN_REGION, MAILGUN_API_KEY: apiKey }): { settings: MailgunSettings } => ({
    settings: { region: MAILGUN_REGION === "eu" ? "eu" : "us", apiKey },
  }),
  route: ({ region }) => `Mailgun ${region}`,
  note: () =>
    "Verify the domain at Mailgun too. It sets the return path, so bounces are reported by its webhooks to /bounces/mailgun.",
  feedback: "its webhooks, to `/bounces/mailgun`",
  unheard: (_, { MAILGUN_WEBHOOK_SIGNING_KEY: key }) => (key ? undefined : "MAILGUN_WEBHOOK_SIGNING_KEY is not set"),
  create:
    (settings, { https }) =>
    (domain) => ({ sender: mailgunSender(settings, domain, https) }),
});
