import * as z from "zod";
import { operation } from "../../operation.ts";

/** `sender`: null where no mail of the class can be sent. `why`: what keeps it from being sent; null for nothing. */
const sender = z.strictObject({
  sender: z.enum(["inbox", "smtp", "ses", "cloudflare"]).nullable(),
  why: z.string().nullable(),
});

/** How this email service is configured. No secret is in it. */
export const about = {
  /** `mailDomain`: of From addresses of a team without a domain. `uploads`: true where pictures can be uploaded. */
  get: operation({
    method: "GET",
    path: "/about",
    summary: "Show how the email service is configured",
    request: z.strictObject({}),
    response: z.strictObject({
      version: z.string(),
      senders: z.strictObject({ transactional: sender, marketing: sender }),
      mailDomain: z.string(),
      inbox: z.boolean(),
      publicUrl: z.string().nullable(),
      uploads: z.boolean(),
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
};
