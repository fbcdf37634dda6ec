import * as z from "zod";
import { read } from "../../operation.ts";

const sender = z.strictObject({
  sender: z.string().nullable(),
  title: z.string().nullable(),
  why: z.string().nullable(),
});

export const about = {
  /** `mailDomain`: From domain of teams without a verified domain. */
  get: read("viewer", {
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
