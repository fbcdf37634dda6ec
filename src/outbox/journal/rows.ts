import { type Call, type Journalled, lanes } from "../model/types.ts";

export type Row = {
  seq: number;
  source: string;
  event_id: string;
  type: string;
  occurred_at: number;
  rank: number;
  test: number;
  secret_paths: string | null;
  calls: string;
  /** Absent if the query left it out: bodies are large. */
  body?: string;
  outcomes?: string;
};

/** A webhook without body and outcomes. */
export type WebhookCalls = Omit<Journalled, "body" | "outcomes">;

/** Parses a row. Damaged JSON never throws, but marks the webhook `unreadable`. */
export const parseRow = (row: Row): Journalled => {
  const { seq, source, event_id: eventId, type, occurred_at: occurredAt, rank } = row;
  const fields = { seq, source, eventId, type, occurredAt, rank, test: row.test === 1 };
  const secretPaths = parseList(row.secret_paths ?? "[]") as string[] | undefined;
  const outcomes = parseList(row.outcomes ?? "[]") as Journalled["outcomes"] | undefined;
  const calls = parseCalls(row.calls);
  return secretPaths && outcomes && calls
    ? { ...fields, body: row.body ?? "", secretPaths, outcomes, calls }
    : { ...fields, body: "", secretPaths: [], outcomes: [], calls: [], unreadable: true };
};

/** Parses deliveries; undefined if one is unusable. */
export const parseCalls = (json: string): Call[] | undefined => {
  const list = parseList(json);
  return list?.every(isCall) ? (list as Call[]) : undefined;
};

const parseList = (json: string): unknown[] | undefined => {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
};

const STATES = new Set<unknown>(["waiting", "done", "superseded", "skipped", "dead", "parked"]);
const ACTIONS = new Set<unknown>(["contact", "event", "transactional", "delete"]);
const LANES = new Set<unknown>([undefined, ...lanes]);

const isCall = (value: unknown): boolean => {
  const call = (value ?? {}) as Record<string, unknown>;
  const { contact, action, state, lane, due, attempts, key } = call;
  const content = { contact: call.properties, event: call.eventProperties, transactional: call.dataVariables };
  const needed = action === "delete" ? {} : content[action as keyof typeof content];
  return (
    typeof contact === "object" &&
    contact !== null &&
    Object.values(contact).every((id) => id === null || typeof id === "string") &&
    ACTIONS.has(action) &&
    STATES.has(state) &&
    LANES.has(lane) &&
    typeof due === "number" &&
    typeof key === "string" &&
    Array.isArray(attempts) &&
    attempts.every((attempt) => typeof attempt === "object" && attempt !== null) &&
    typeof needed === "object" &&
    needed !== null
  );
};
