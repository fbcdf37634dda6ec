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
  note: () => "Onboard the domain at Cloudflare Email Service too: it signs the mail that it sends.",
  create: (binding, { emailMessage: message }) => {
    const sender = cloudflareSender({ send: (mail) => binding.send(mail), message });
    return () => ({ sender });
  },
});
