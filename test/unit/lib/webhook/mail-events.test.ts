import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { MailSource } from "../../../../src/lib/contract/outgoing-events.ts";
import {
  mailDataOf,
  marketingDataOf,
  type ReportedMail,
  sentEventOf,
} from "../../../../src/lib/webhook/mail-events.ts";

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/email/outgoing-webhooks.json"), "utf8"),
) as { events: Record<string, string>; schemas: Record<string, object> };
const ajv = new Ajv({ strict: false });
ajv.addSchema({ $id: "published", components: { schemas: published.schemas } });

const own = new Ajv2020({ strict: false });
const openapi = readFileSync(join(import.meta.dirname, "../../../..", "openapi.json"), "utf8");
own.addSchema({ ...JSON.parse(openapi), $id: "openapi" });

const problemsOf = (name: string, eventName: string, data: object | undefined): string => {
  const body = { eventName, eventTime: 1_700_000_000, webhookSchemaVersion: "1.0.0", ...data };
  ajv.validate({ $ref: `published#/components/schemas/Webhook${name}Payload` }, body);
  own.validate({ $ref: `openapi#/components/schemas/Webhook${name}` }, body);
  return [ajv, own].map((by) => by.errorsText()).find((text) => text !== "No errors") ?? "No errors";
};

const list = { id: "lst_1", name: "News", description: null, isPublic: true };
const sources: Record<string, MailSource> = {
  transactional: { sourceType: "transactional", transactionalId: "tpl_1", transactionalName: "Welcome" },
  campaign: { sourceType: "campaign", campaignId: "cmp_1", campaignName: "May", mailingLists: [list] },
  workflow: { sourceType: "loop", loopId: "wfl_1", loopName: "Onboarding", mailingLists: [] },
};
const mailOf = (kind: string): ReportedMail => ({
  contactIdentity: { id: "con_1", email: "ada@example.com", userId: null },
  email: { id: "snd_1", emailMessageId: "msg_1", subject: "Hello" },
  source: sources[kind] as MailSource,
});

describe("the events about a mail have the published bodies", () => {
  it.each([
    ["transactional", "transactional.email.sent", "TransactionalEmailSent"],
    ["campaign", "campaign.email.sent", "CampaignEmailSent"],
    ["workflow", "loop.email.sent", "LoopEmailSent"],
  ])("when it was sent: %s", (kind, type, schema) => {
    const event = sentEventOf(mailOf(kind));
    expect(event.type).toBe(type);
    expect(problemsOf(schema, type, event.data)).toBe("No errors");
    expect(Object.keys(event.data)).not.toContain("sourceType");
  });

  it.each(Object.keys(sources))("when something is known of it: %s", (kind) => {
    const data = mailDataOf(mailOf(kind));
    for (const type of ["delivered", "softBounced", "hardBounced", "spamReported"]) {
      const schema = `Email${type.charAt(0).toUpperCase()}${type.slice(1)}`;
      expect(problemsOf(schema, `email.${type}`, data)).toBe("No errors");
    }
    expect(JSON.stringify(data)).not.toMatch(/Name|mailingLists/);
  });

  it.each(["campaign", "workflow"])("when its recipient did something: %s", (kind) => {
    const data = marketingDataOf(mailOf(kind));
    for (const type of ["opened", "clicked", "unsubscribed", "resubscribed"]) {
      const schema = `Email${type.charAt(0).toUpperCase()}${type.slice(1)}`;
      expect(problemsOf(schema, `email.${type}`, data)).toBe("No errors");
    }
  });

  it("but transactional mail has none about what its recipient did", () => {
    expect(marketingDataOf(mailOf("transactional"))).toBeUndefined();
  });
});
