import * as z from "zod";
import { resourceId } from "../../fields.ts";
import { act, question, read } from "../../operation.ts";
import { done, flag, team } from "./email-fields.ts";

const time = z.string();

const record = z.object({
  kind: z.enum(["dkim", "spf", "mx", "dmarc"]),
  type: z.enum(["TXT", "MX"]),
  host: z.string(),
  value: z.string(),
  purpose: z.string(),
  /** False for a record that is only recommended. */
  required: z.boolean(),
  status: z.enum(["right", "missing", "wrong", "unknown", "unchecked"]),
  found: z.array(z.string()),
  message: z.string(),
});

const domain = z.object({
  id: z.string(),
  name: z.string(),
  isDefault: z.boolean(),
  state: z.enum(["pending", "verified", "warning", "failing"]),
  since: time,
  /** Time when a required record first failed; null while all are right. */
  failingSince: time.nullable(),
  checkedAt: time.nullable(),
  /** Null after checks have ended: 7 days without the records. */
  nextCheckAt: time.nullable(),
  createdAt: time,
  /** Null when the domain is warm. `capsTransactional`: transactional mail waits too. */
  warmup: z
    .object({
      day: z.int(),
      cap: z.int(),
      marketing: z.int(),
      transactional: z.int(),
      capsTransactional: z.boolean(),
    })
    .nullable(),
  /** `next`: signs when its record is found. `retired`: its record is still needed. */
  keys: z.array(
    z.object({
      selector: z.string(),
      state: z.enum(["next", "active", "retired"]),
      createdAt: time,
      retiredAt: time.nullable(),
    }),
  ),
  records: z.array(record),
  notes: z.array(z.string()),
});

const WARMUP_DAYS = 13;
const DAY = `must be a whole number from 1 to ${WARMUP_DAYS}`;

const ofDomain = { team, domainId: resourceId };
const example = { team: "acme", domainId: "dom_1" };

export const domains = {
  list: read("viewer", {
    path: "/teams/{team}/domains",
    summary: "List a team's sending domains with their DNS records",
    request: z.strictObject({ team }),
    response: z.object({ data: z.array(domain) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  create: act("owner", {
    method: "POST",
    path: "/teams/{team}/domains",
    summary: "Add a sending domain, with a new DKIM key. The first one is the default",
    danger: false,
    request: z.strictObject({
      team,
      name: z.string().max(300, "must be at most 300 characters"),
      isDefault: flag.default(false),
      /** False for a domain that has sent mail elsewhere. */
      warmup: flag.default(true),
    }),
    response: domain,
    status: 201,
    refusals: [400, 404, 409],
    example: { team: "acme", name: "mail.acme.example" },
  }),

  get: read("viewer", {
    path: "/teams/{team}/domains/{domainId}",
    summary: "Get a sending domain with its DNS records",
    request: z.strictObject(ofDomain),
    response: domain,
    status: 200,
    refusals: [400, 404],
    example,
  }),

  update: act("owner", {
    method: "POST",
    path: "/teams/{team}/domains/{domainId}",
    summary: "Make a sending domain the team's default, or change its warm-up",
    danger: false,
    request: z
      .strictObject({
        ...ofDomain,
        isDefault: z.literal(true, "must be true: choose the domain that replaces it").optional(),
        /** False ends the warm-up; true begins one. */
        warmup: flag.optional(),
        warmupDay: z.int().min(1, DAY).max(WARMUP_DAYS, DAY).optional(),
        capsTransactional: flag.optional(),
      })
      .refine(({ team: _, domainId, ...changes }) => Object.values(changes).some((change) => change !== undefined), {
        message: "needs isDefault, warmup, warmupDay or capsTransactional",
      }),
    response: domain,
    status: 200,
    refusals: [400, 404],
    example: { ...example, isDefault: true },
  }),

  remove: act("owner", {
    method: "DELETE",
    path: "/teams/{team}/domains/{domainId}",
    summary: "Delete a sending domain, unless mail from it waits",
    danger: true,
    request: z.strictObject(ofDomain),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example,
  }),

  check: question("viewer", {
    path: "/teams/{team}/domains/{domainId}/check",
    summary: "Check the DNS records of a sending domain now",
    request: z.strictObject(ofDomain),
    response: domain,
    status: 200,
    refusals: [400, 404],
    example,
    body: false,
  }),

  zone: read("viewer", {
    path: "/teams/{team}/domains/{domainId}/zone",
    summary: "The DNS records of a sending domain as a zone file",
    request: z.strictObject(ofDomain),
    response: z.string(),
    text: true,
    status: 200,
    refusals: [400, 404],
    example,
  }),

  share: act("owner", {
    method: "POST",
    path: "/teams/{team}/domains/{domainId}/share",
    summary: "Make a link to the DNS records of a sending domain, for a person without a login",
    danger: false,
    request: z.strictObject(ofDomain),
    /** `url` shows the records to anyone until `expiresAt`. It is not stored. */
    response: z.object({ url: z.string(), expiresAt: time }),
    status: 200,
    refusals: [400, 404],
    example,
    body: false,
  }),

  reports: read("viewer", {
    path: "/teams/{team}/domains/{domainId}/reports",
    summary: "DMARC aggregate reports of the last 30 days by day, source and result",
    request: z.strictObject(ofDomain),
    response: z.object({
      domain: z.string(),
      /** Address for `rua` of the DMARC record; null without API_KEY_SECRET. */
      address: z.string().nullable(),
      /** Sentence about the mails that fail, and since when. */
      message: z.string(),
      days: z.array(
        z.object({
          day: z.string(),
          source: z.string(),
          dkim: z.boolean(),
          spf: z.boolean(),
          disposition: z.enum(["none", "quarantine", "reject"]),
          mails: z.int(),
        }),
      ),
    }),
    status: 200,
    refusals: [400, 404],
    example,
  }),

  rotate: act("owner", {
    method: "POST",
    path: "/teams/{team}/domains/{domainId}/rotate",
    summary: "Begin to replace the DKIM key of a sending domain",
    danger: false,
    request: z.strictObject(ofDomain),
    response: domain,
    status: 200,
    refusals: [400, 404],
    example,
    body: false,
  }),
};
