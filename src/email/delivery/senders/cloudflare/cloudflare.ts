import { defineSender } from "../definition.ts";
import { cloudflareSender } from "./send.ts";

export const cloudflare = defineSender({
  name: "cloudflare",
  title: "Cloudflare Email Service",
  variables: {},
  only: "transactional",
  binding: "EMAIL",
  read: (_values, _class, { EMAIL }) =>
    EMAIL
      ? { settings: EMAIL }
      : { problem: 'there is no binding EMAIL: add [[send_email]] with name = "EMAIL" to wrangler.toml' },
  route: () => "Cloudflare",
  note: () =>
    "Onboard the domain at Cloudflare Email Service too: it signs the mail that it sends. Then subscribe the queue of EMAIL_EVENTS to the events of the domain there.",
  feedback: "events of Email Sending, through the queue of the binding `EMAIL_EVENTS`",
  unheard: (_, { EMAIL_EVENTS }) =>
    EMAIL_EVENTS ? undefined : "there is no queue EMAIL_EVENTS: run npm run deploy again, which makes it",
  create: (binding, { emailMessage: message }) => {
    const sender = cloudflareSender({ send: (mail) => binding.send(mail), message });
    return () => ({ sender });
  },
});
