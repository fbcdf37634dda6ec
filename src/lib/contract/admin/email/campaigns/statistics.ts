import * as z from "zod";
import { page, resourceId } from "../../../fields.ts";
import { read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

/** `skipped`: the contact may not get marketing mail, lacks a value, or was deleted. */
const states = [
  "queued",
  "sent",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "unknown",
  "skipped",
  "cancelled",
] as const;
/** Answers that a person may give after it has unsubscribed. */
export const unsubscribeReasons = ["too_many", "not_for_me", "never_signed_up", "something_else"] as const;
const groups = ["opened", "notOpened", "clicked", "unsubscribed"] as const;

const state = z.enum(states, `must be one of ${states.join(", ")}`);

/** `notOpened`: the mail was sent, and no open by a person is known. */
export const recipientFilters = {
  state: state.optional(),
  reason: z.string().max(500, "must be at most 500 characters").optional(),
  group: z.enum(groups, `must be one of ${groups.join(", ")}`).optional(),
};

const time = z.string().nullable();

/** `sendId`: null before the mail exists and 30 days after it was settled. */
const recipient = z.object({
  contactId: z.string(),
  email: z.string().nullable(),
  userId: z.string().nullable(),
  state,
  reason: z.string().nullable(),
  meaning: z.string(),
  sendId: z.string().nullable(),
  settledAt: time,
  sentAt: time,
  openedAt: time,
  clickedAt: time,
  unsubscribedAt: time,
});

/** Counts of the results of a campaign. */
const counts = {
  sent: z.int(),
  delivered: z.int(),
  bounced: z.int(),
  opened: z.int(),
  clicked: z.int(),
  unsubscribed: z.int(),
  complained: z.int(),
};

const point = { sent: z.int(), opened: z.int(), clicked: z.int() };

const campaign = { team, campaignId: resourceId };
const path = (rest: string) => `/teams/{team}/campaigns/{campaignId}${rest}` as const;
const ofOne = { status: 200, refusals: [400, 404] } as const;

export const statistics = {
  /**
   * `recipients` is the sum of all states. `opened` and `clicked` count people; `prefetched` and `scanned` count
   * programs. `reasonsAt`: at most 10 seconds ago. `leftOut`: contacts that are no recipients, because they did not meet
   * segment or filter, or were not on the list; null before the start, and of campaigns of earlier versions. `previous`:
   * the campaign that began last before this one and is done, among 500 that are older.
   */
  results: read("viewer", {
    ...ofOne,
    path: path("/results"),
    summary: "Show the results of a campaign",
    request: z.strictObject(campaign),
    response: z.object({
      id: z.string(),
      name: z.string(),
      status: z.enum(["Draft", "Scheduled", "Sending", "Sent"]),
      recipients: z.int(),
      queued: z.int(),
      sent: z.int(),
      skipped: z.int(),
      failed: z.int(),
      unknown: z.int(),
      cancelled: z.int(),
      delivered: z.int(),
      bounced: z.int(),
      hardBounces: z.int(),
      softBounces: z.int(),
      complained: z.int(),
      unsubscribed: z.int(),
      unsubscribeReasons: z.array(z.object({ reason: z.enum(unsubscribeReasons), people: z.int() })),
      opened: z.int(),
      clicked: z.int(),
      prefetched: z.int(),
      scanned: z.int(),
      reasons: z.array(z.object({ state, reason: z.string(), meaning: z.string(), recipients: z.int() })),
      leftOut: z.object({ notSelected: z.int(), notOnList: z.int() }).nullable(),
      previous: z.object({ id: z.string(), name: z.string(), startedAt: z.string(), ...counts }).nullable(),
      deleted: z.int(),
      reasonsAt: z.string(),
    }),
    example: { team: "acme", campaignId: "cmp_2" },
  }),

  /**
   * Mails that were sent, and people who opened and clicked for the first time. By hour: the first 168 hours of UTC. By
   * day: the day of the start in the team's time zone, and 90 more. `at`: the beginning. `later`: all that is in no point.
   */
  series: read("viewer", {
    ...ofOne,
    path: path("/series"),
    summary: "Show how a campaign went over time, by hour or by day",
    request: z.strictObject({ ...campaign, unit: z.enum(["hour", "day"], "must be hour or day").default("hour") }),
    response: z.object({
      unit: z.enum(["hour", "day"]),
      timeZone: z.string(),
      startedAt: time,
      points: z.array(z.object({ at: z.string(), ...point })),
      later: z.object(point),
    }),
    example: { team: "acme", campaignId: "cmp_2", unit: "day" },
  }),

  /**
   * `url`: without the query; null if it differs by recipient. `clicks`: at most 100 per mail. `place`: of the link among
   * all links of the mail, 1 for the first; the same address may have several. `text`: the words of the link.
   */
  links: read("viewer", {
    ...ofOne,
    path: path("/links"),
    summary: "Show how often each link of a campaign was clicked",
    request: z.strictObject(campaign),
    response: z.object({
      data: z.array(
        z.object({
          url: z.string().nullable(),
          clicks: z.int(),
          people: z.int(),
          robots: z.int(),
          places: z.array(
            z.object({
              place: z.int(),
              kind: z.enum(["button", "picture", "text"]),
              text: z.string(),
              clicks: z.int(),
              people: z.int(),
            }),
          ),
        }),
      ),
    }),
    example: { team: "acme", campaignId: "cmp_2" },
  }),

  /** In the order of contact creation. `data` may be empty before the end. */
  recipients: read("viewer", {
    ...ofOne,
    path: path("/recipients"),
    summary: "List the recipients of a campaign, and what became of each",
    request: z.strictObject({ ...campaign, ...recipientFilters, ...page }),
    response: z.object({ data: z.array(recipient), next: z.string().nullable(), searchedTo: time }),
    example: { team: "acme", campaignId: "cmp_2", state: "skipped", perPage: "20" },
  }),

  contact: read("viewer", {
    ...ofOne,
    path: path("/contacts/{contact}"),
    summary: "Explain why a contact got a campaign, or why not",
    request: z.strictObject({
      ...campaign,
      contact: z.string().min(1, "must not be empty").max(500, "must be at most 500 characters"),
    }),
    response: z.object({
      contact: z.object({ id: z.string(), email: z.string().nullable(), userId: z.string().nullable() }),
      code: z.string(),
      text: z.string(),
      recipient: recipient.nullable(),
      sendUrl: z.string().nullable(),
      story: z.array(z.object({ at: z.string(), text: z.string() })),
    }),
    example: { team: "acme", campaignId: "cmp_2", contact: "ada@example.com" },
  }),
};
