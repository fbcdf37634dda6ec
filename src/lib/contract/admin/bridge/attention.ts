import * as z from "zod";
import { action, count, time } from "./answers.ts";

/** Kinds of problems that concern more than one delivery, heaviest first. */
export const problemKinds = [
  "storage",
  "admin_token",
  "outage",
  "blocked",
  "full",
  "refusing",
  "stalled",
  "deliveries",
  "late",
  "journal",
  "foreign_answers",
  "backoff",
  "nearly_full",
  "thin_events",
  "fetch_back",
  "alerts",
  "paused",
] as const;

export type ProblemKind = (typeof problemKinds)[number];

/** `cause`: for `refusing`, the code of the newest refusal. `weight`: entries are sorted by it, heaviest first. */
const common = {
  cause: z.string(),
  message: z.string(),
  /** The next step of a person. */
  cure: z.string(),
  weight: count,
};

export const problem = z.strictObject({
  kind: z.enum(problemKinds),
  ...common,
  source: z.string().nullable(),
  count: count.nullable(),
  since: time.nullable(),
  last: time.nullable(),
});

/** Deliveries that failed or are undecided for one reason. `cause`: the message without addresses, ids and numbers. */
export const cause = z.strictObject({
  kind: z.literal("delivery"),
  ...common,
  source: z.string(),
  rule: z.string(),
  action,
  state: z.enum(["failed", "undecided"]),
  /** The cure as a line to change. `before`: null for a new line. */
  change: z
    .strictObject({ file: z.string(), section: z.string(), before: z.string().nullable(), after: z.string() })
    .optional(),
  count,
  first: time,
  last: time,
  examples: z.array(z.string()),
});

/** How fast the backlog ends, by the last 15 seconds. `doneAt`: null if unknown, or if it does not shrink. */
export const backlog = z.strictObject({
  waiting: count,
  settledPerMinute: count,
  addedPerMinute: count,
  doneAt: time.nullable(),
});
