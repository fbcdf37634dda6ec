import { defineSender } from "../definition.ts";
import { type SesSettings, sesSender } from "./send.ts";

const REGION = /^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/;

export const ses = defineSender({
  name: "ses",
  title: "Amazon SES",
  variables: {
    SES_REGION: {
      help: "Region of Amazon SES",
      example: "eu-west-1",
      required: true,
      check: (region) => (REGION.test(region) ? undefined : "SES_REGION is not a region of AWS, such as eu-west-1"),
    },
    SES_ACCESS_KEY_ID: { help: "Access key of an IAM user that may do ses:SendEmail", secret: true, required: true },
    SES_SECRET_ACCESS_KEY: { help: "Secret access key of that user", secret: true, required: true },
    SES_CONFIGURATION_SET: { help: "Configuration set that publishes bounces and complaints" },
  },
  read: (values): { settings: SesSettings } => ({
    settings: {
      region: values.SES_REGION,
      accessKeyId: values.SES_ACCESS_KEY_ID,
      secretAccessKey: values.SES_SECRET_ACCESS_KEY,
      ...(values.SES_CONFIGURATION_SET ? { configurationSet: values.SES_CONFIGURATION_SET } : {}),
    },
  }),
  route: ({ region }) => `Amazon SES ${region}`,
  // https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
  envelope: ({ region }) => ({
    mechanisms: ["include:amazonses.com"],
    mx: [`10 feedback-smtp.${region}.amazonses.com`],
    onlyMx: true,
  }),
  note: () => "Verify the domain at Amazon SES too, and set envelope.<domain> as its custom MAIL FROM domain there.",
  feedback: "an SNS topic of the configuration set, to `/bounces/ses`",
  unheard: ({ configurationSet }, { SES_TOPIC_ARN }) => {
    if (!configurationSet) return "SES_CONFIGURATION_SET is not set";
    return SES_TOPIC_ARN ? undefined : "SES_TOPIC_ARN is not set";
  },
  create: (settings, { https }) => {
    const sender = sesSender(settings, https);
    return () => ({ sender });
  },
});
