import * as z from "zod";
import { email } from "../email.ts";
import { resourceId, variableValues } from "../fields.ts";
import { act, read } from "../operation.ts";

const line = (max: number) => z.string().max(max, `must be at most ${max} characters`);
const format = z.enum(["styled", "plain"], 'must be "styled" or "plain"');
const fallbacks = z.record(z.string(), z.string());
/** Fallbacks by name; null removes one. */
const fallbackChanges = z.record(
  z.string().max(100, "must have a name of at most 100 characters"),
  line(500).nullable(),
);

const warning = z
  .object({
    rule: z.string(),
    severity: z.literal("warning"),
    message: z.string(),
    path: z.string().optional(),
  })
  .meta({ id: "EmailMessageWarning" });

/** `contentRevisionId` changes with each edit. */
export const emailMessage = z
  .object({
    id: z.string(),
    transactionalId: z.string().optional(),
    campaignId: z.string().optional(),
    workflowId: z.string().optional(),
    subject: z.string(),
    previewText: z.string(),
    fromName: z.string(),
    fromEmail: z.string(),
    replyToEmail: z.string(),
    ccEmail: z.string(),
    bccEmail: z.string(),
    languageCode: z.string(),
    emailFormat: format,
    lmx: z.string(),
    contentRevisionId: z.string().nullable(),
    updatedAt: z.string(),
    contactPropertiesFallbacks: fallbacks,
    eventPropertiesFallbacks: fallbacks,
    dataVariablesFallbacks: fallbacks,
    warnings: z.array(warning).optional(),
  })
  .meta({ id: "EmailMessage" });

const MAX_PREVIEWED = 10;

/** `not_sent`: the address is suppressed. */
const previewSend = z
  .object({ id: z.string(), email: z.string(), state: z.enum(["queued", "not_sent"]) })
  .meta({ id: "EmailMessagePreview" });

/** `path`: a field, or line and column ("lmx:3:14"). */
const guardianItem = z
  .object({
    label: z.string(),
    codeName: z.string().optional(),
    path: z.string(),
    line: z.int(),
    column: z.int(),
    component: z.object({ id: z.string(), line: z.int(), column: z.int() }).optional(),
    fix: z.string(),
  })
  .meta({ id: "GuardianItem" });

const guardianRule = z
  .object({
    rule: z.string(),
    title: z.string(),
    description: z.string(),
    items: z.array(guardianItem),
  })
  .meta({ id: "GuardianRule" });

export const emailMessages = {
  /** The 409 is for other email services: messages not written in LMX. */
  get: read("viewer", {
    path: "/email-messages/{emailMessageId}",
    summary: "Get an email message",
    request: z.object({ emailMessageId: resourceId }),
    response: emailMessage,
    status: 200,
    refusals: [400, 404, 409],
    window: "content",
    example: { emailMessageId: "msg_1" },
  }),

  /** 409 if `expectedRevisionId` is not the draft's current revision. 422 lists every content error. */
  update: act("editor", {
    method: "POST",
    path: "/email-messages/{emailMessageId}",
    summary: "Update an email message",
    danger: false,
    request: z.strictObject({
      emailMessageId: resourceId,
      expectedRevisionId: resourceId.optional(),
      subject: line(500).optional(),
      previewText: line(500).optional(),
      fromName: line(200).optional(),
      fromEmail: line(200).optional(),
      replyToEmail: line(254).optional(),
      ccEmail: line(254).optional(),
      bccEmail: line(254).optional(),
      languageCode: z
        .string()
        .regex(/^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4})?$/, 'must be a language tag such as "en" or "pt-BR"')
        .optional(),
      emailFormat: format.optional(),
      lmx: z.string().optional(),
      contactPropertiesFallbacks: fallbackChanges.optional(),
      eventPropertiesFallbacks: fallbackChanges.optional(),
      dataVariablesFallbacks: fallbackChanges.optional(),
    }),
    response: emailMessage,
    status: 200,
    refusals: [400, 404, 409, 413, 422],
    window: "content",
    example: { emailMessageId: "msg_1", subject: "Welcome to Acme, {data.name}" },
  }),

  /** Sends the current message to up to 10 addresses, at most 100 mails in 24 hours. All are accepted or none. */
  preview: act("editor", {
    method: "POST",
    path: "/email-messages/{emailMessageId}/preview",
    summary: "Send a preview of an email message",
    danger: false,
    request: z.strictObject({
      emailMessageId: resourceId,
      emails: z
        .array(email)
        .min(1, "must have at least one address")
        .max(MAX_PREVIEWED, `must have at most ${MAX_PREVIEWED} addresses`),
      contactProperties: variableValues.optional(),
      eventProperties: variableValues.optional(),
      dataVariables: variableValues.optional(),
    }),
    response: z.object({ id: z.string(), sends: z.array(previewSend) }),
    status: 200,
    refusals: [400, 404],
    window: "content",
    example: { emailMessageId: "msg_1", emails: ["ada@example.com"], dataVariables: { name: "Ada" } },
  }),

  /**
   * Checks the message. `errors` prevent publishing; `warnings` may be intended. `mailspan.` marks rules specific to
   * this service.
   */
  guardian: read("viewer", {
    path: "/email-messages/{emailMessageId}/guardian",
    summary: "Check an email message",
    request: z.object({ emailMessageId: resourceId }),
    response: z.object({ errors: z.array(guardianRule), warnings: z.array(guardianRule) }),
    status: 200,
    refusals: [400, 404, 409],
    window: "content",
    example: { emailMessageId: "msg_1" },
  }),
};
