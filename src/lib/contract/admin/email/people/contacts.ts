import * as z from "zod";
import { audienceFilter } from "../../../audience/filter.ts";
import { contact, page, resourceId, userId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { flag, team } from "../email-fields.ts";
import { send } from "../sends.ts";

const anyIdentifier = userId;

const truth = z.enum(["true", "false"], "must be true or false").transform((given) => given === "true");

const suppression = z.object({ since: z.string(), reason: z.string(), meaning: z.string() }).nullable();

const propertyValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * `mailingLists`: ids of its subscriptions. `suppressed`: no mail is sent to its address. `properties`: the
 * properties named in the request. `lastMail`: the newest mail to its address that is stored.
 */
const summary = contact
  .pick({ id: true, email: true, userId: true, firstName: true, lastName: true, subscribed: true, optInStatus: true })
  .extend({
    mailingLists: z.array(z.string()),
    suppressed: z.boolean(),
    properties: z.record(z.string(), propertyValue),
    lastMail: send.nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .strict();

const NOT_JSON = "must be a filter as JSON";

const filterText = z
  .string()
  .max(20_000, "must be at most 20000 characters")
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: "custom", message: NOT_JSON, input: text });
      return z.NEVER;
    }
  })
  .pipe(audienceFilter);

const search = {
  /** Words, each a part of the name, the address or the user id. */
  q: z.string().trim().max(500, "must be at most 500 characters").optional(),
  list: resourceId.optional(),
  segmentId: resourceId.optional(),
};

/** Each count ends at 1,000, which stands for 1,000 or more. */
const counts = z.object({ sends: z.int(), events: z.int(), workflows: z.int(), campaigns: z.int() });

/** Mails to its address of the last `days`, ending at 1,000. `tracked`: sent ones with known opens. */
const mailCounts = z.object({
  days: z.int(),
  sent: z.int(),
  tracked: z.int(),
  opened: z.int(),
  clicked: z.int(),
  failed: z.int(),
});

const timelineKinds = [
  "created",
  "changed",
  "event",
  "send",
  "notSent",
  "delivered",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "resubscribed",
  "confirmed",
  "declined",
  "workflow",
  "suppressed",
] as const;

const kind = z.enum(timelineKinds, `must be one of ${timelineKinds.join(", ")}`);

export type TimelineKind = z.output<typeof kind>;

const entry = z.strictObject({
  at: z.string(),
  kind,
  text: z.string(),
  why: z.string().nullable(),
  ids: z.record(z.string(), z.string()),
});

const bulkActions = ["addToList", "removeFromList", "suppress", "unsubscribe", "delete"] as const;

/** When and where the person agreed to get mail, as an import said. */
const consent = z.object({ at: z.string().nullable(), source: z.string().nullable() }).nullable();

export const MOST_IDS = 200;

/** Exactly one of `ids`, `all` and the search fields selects the contacts. */
const bulkRequest = z
  .strictObject({
    team,
    action: z.enum(bulkActions, `must be one of ${bulkActions.join(", ")}`),
    mailingListId: resourceId.optional(),
    ids: z
      .array(resourceId)
      .min(1, "must not be empty")
      .max(MOST_IDS, `must have at most ${MOST_IDS} entries`)
      .optional(),
    all: z.literal(true, "must be true").optional(),
    ...search,
    subscribed: flag.optional(),
    suppressed: flag.optional(),
    filter: audienceFilter.optional(),
    dryRun: flag.default(false),
    cursor: z.string().optional(),
  })
  .refine(({ action, mailingListId }) => mailingListId !== undefined || !action.endsWith("List"), {
    path: ["mailingListId"],
    message: "is required: the list to join or to leave",
  })
  .refine(({ action, mailingListId }) => mailingListId === undefined || action.endsWith("List"), {
    path: ["mailingListId"],
    message: "is only for addToList and removeFromList",
  })
  .refine(
    ({ ids, all, q, list, segmentId, subscribed, suppressed, filter }) => {
      const isSearch = [q === "" ? undefined : q, list, segmentId, subscribed, suppressed, filter].some(
        (field) => field !== undefined,
      );
      return [ids !== undefined, all === true, isSearch].filter(Boolean).length === 1;
    },
    { path: ["ids"], message: "give either ids, or the fields of a search, or all: true for every contact" },
  );

export const contacts = {
  /** Newest first. `data` may be empty before the end. */
  list: read("viewer", {
    path: "/teams/{team}/contacts",
    summary: "Search a team's contacts",
    request: z.strictObject({
      team,
      ...search,
      filter: filterText.optional(),
      subscribed: truth.optional(),
      suppressed: truth.optional(),
      properties: z
        .string()
        .transform((names) => names.split(","))
        .pipe(z.array(z.string().min(1, "must not be empty")).max(10, "must name at most 10 properties"))
        .optional(),
      ...page,
    }),
    response: z.object({
      data: z.array(summary),
      next: z.string().nullable(),
      searchedTo: z.string().nullable(),
      rowsRead: z.int(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", q: "ada@", subscribed: "true", perPage: "20" },
  }),

  get: read("viewer", {
    path: "/teams/{team}/contacts/{contact}",
    summary: "Show a contact with its suppression, and how much is stored about it",
    request: z.strictObject({ team, contact: anyIdentifier }),
    response: z.object({ contact, suppression, tracked: z.boolean(), consent, counts, mail: mailCounts }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", contact: "ada@example.com" },
  }),

  /** Newest first. `data` may be empty before the end. */
  timeline: read("viewer", {
    path: "/teams/{team}/contacts/{contact}/timeline",
    summary: "Show what happened to a contact, newest first",
    request: z.strictObject({ team, contact: anyIdentifier, kind: kind.optional(), ...page }),
    response: z.object({ data: z.array(entry), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", contact: "ada@example.com", perPage: "20" },
  }),

  /**
   * Changes a slice of contacts in one request; repeat with `next` until it is null. Starts no workflow and asks for
   * no confirmation. `unchanged`: contacts that cannot change, by reason.
   */
  bulk: act("editor", {
    method: "POST",
    path: "/teams/{team}/contacts/bulk",
    summary: "Change or delete many contacts",
    danger: true,
    dryRun: false,
    request: bulkRequest,
    response: z.object({
      action: z.enum(bulkActions),
      dryRun: z.boolean(),
      contacts: z.int(),
      changed: z.int(),
      unchanged: z.array(z.object({ reason: z.string(), count: z.int() })),
      next: z.string().nullable(),
      searchedTo: z.string().nullable(),
    }),
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", action: "unsubscribe", q: "ada@", dryRun: true },
  }),
};
