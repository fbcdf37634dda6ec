import * as z from "zod";
import { audienceFilter } from "../../../audience/filter.ts";
import { contact, page, resourceId, userId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { flag, team } from "../fields.ts";

/** An id, an email address or a userId. */
const anyIdentifier = userId;

const truth = z.enum(["true", "false"], "must be true or false").transform((given) => given === "true");

const suppression = z.object({ since: z.string(), reason: z.string(), meaning: z.string() }).nullable();

/** A contact in a list. `mailingLists`: ids of those it is subscribed to. `suppressed`: no mail is sent to its address. */
const summary = contact
  .pick({ id: true, email: true, userId: true, firstName: true, lastName: true, subscribed: true, optInStatus: true })
  .extend({ mailingLists: z.array(z.string()), suppressed: z.boolean(), createdAt: z.string(), updatedAt: z.string() })
  .strict();

const NOT_JSON = "must be a filter as JSON";

/** A filter in a query: the JSON of an audience filter. */
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

/** Which contacts are meant: those that meet all of it. */
const search = {
  /** The beginning of an address or of a user id. */
  q: z.string().trim().max(500, "must be at most 500 characters").optional(),
  list: resourceId.optional(),
  segmentId: resourceId.optional(),
};

/** Rows about a contact. Each count ends at 1,000, which stands for 1,000 or more. */
const counts = z.object({ sends: z.int(), events: z.int(), workflows: z.int(), campaigns: z.int() });

/** Kinds of entries in the timeline of a contact. `send`: a mail was accepted, or attempted. */
export const timelineKinds = [
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
  "workflow",
  "suppressed",
] as const;

const kind = z.enum(timelineKinds, `must be one of ${timelineKinds.join(", ")}`);

export type TimelineKind = z.output<typeof kind>;

/** `why`: the state of a mail or the end of a passage, in words. `ids`: of what it is about, by kind, such as `send`. */
const entry = z.strictObject({
  at: z.string(),
  kind,
  text: z.string(),
  why: z.string().nullable(),
  ids: z.record(z.string(), z.string()),
});

/** What can be done to many contacts. */
export const bulkActions = ["addToList", "removeFromList", "suppress", "unsubscribe", "delete"] as const;

/** Most ids of one request. It does as much as a slice of a search. */
export const MOST_IDS = 200;

/** Exactly one of `ids`, `all` and the fields of a search says which contacts are meant. */
const bulkRequest = z
  .strictObject({
    team,
    action: z.enum(bulkActions, `must be one of ${bulkActions.join(", ")}`),
    /** The list to join or to leave. */
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
  /**
   * Newest first; with `q` in the order of addresses, then of user ids. One request looks at a bounded number of contacts: ask on with
   * `next` while it is not null, even when `data` is empty. `searchedTo`: when the last contact that was looked at was created; null
   * with `q` and at the end.
   */
  list: operation({
    method: "GET",
    path: "/teams/{team}/contacts",
    summary: "Search a team's contacts",
    request: z.strictObject({
      team,
      ...search,
      filter: filterText.optional(),
      subscribed: truth.optional(),
      suppressed: truth.optional(),
      ...page,
    }),
    response: z.object({ data: z.array(summary), next: z.string().nullable(), searchedTo: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", q: "ada@", subscribed: "true", perPage: "20" },
  }),

  get: operation({
    method: "GET",
    path: "/teams/{team}/contacts/{contact}",
    summary: "Show a contact with its suppression, and how much is stored about it",
    request: z.strictObject({ team, contact: anyIdentifier }),
    response: z.object({ contact, suppression, tracked: z.boolean(), counts }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", contact: "ada@example.com" },
  }),

  /** Newest first. Ask on with `next` while it is not null, even when `data` is empty. */
  timeline: operation({
    method: "GET",
    path: "/teams/{team}/contacts/{contact}/timeline",
    summary: "Show what happened to a contact, newest first",
    request: z.strictObject({ team, contact: anyIdentifier, kind: kind.optional(), ...page }),
    response: z.object({ data: z.array(entry), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", contact: "ada@example.com", perPage: "20" },
  }),

  /**
   * Does the same to many contacts, a slice of them in one request: ask on with `next` while it is not null. A dry run counts and changes
   * nothing. It starts no workflow and asks no person to confirm. `contacts`: those of this slice. A contact that cannot change counts in
   * `unchanged`, with the reason. `searchedTo`: as in the list.
   */
  bulk: operation({
    method: "POST",
    path: "/teams/{team}/contacts/bulk",
    summary: "Change or delete many contacts",
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
