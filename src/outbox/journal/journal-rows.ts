import { type Delivery, type Journaled, lanes } from "../model/journal-types.ts";

export type Row = {
  seq: number;
  source: string;
  event_id: string;
  type: string;
  occurred_at: number;
  rank: number;
  test: number;
  secret_paths: string | null;
  deliveries: string;
  /** Absent if the query left it out: bodies are large. */
  body?: string;
  outcomes?: string;
};

/** A webhook without body and outcomes. */
export type WebhookDeliveries = Omit<Journaled, "body" | "outcomes">;

/** Parses a row. Damaged JSON never throws, but marks the webhook `unreadable`. */
export const parseRow = (row: Row): Journaled => {
  const { seq, source, event_id: eventId, type, occurred_at: occurredAt, rank } = row;
  const fields = { seq, source, eventId, type, occurredAt, rank, test: row.test === 1 };
  const secretPaths = parseList(row.secret_paths ?? "[]") as string[] | undefined;
  const outcomes = parseList(row.outcomes ?? "[]") as Journaled["outcomes"] | undefined;
  const deliveries = parseDeliveries(row.deliveries);
  return secretPaths && outcomes && deliveries
    ? { ...fields, body: row.body ?? "", secretPaths, outcomes, deliveries }
    : { ...fields, body: "", secretPaths: [], outcomes: [], deliveries: [], unreadable: true };
};

/** Parses deliveries; undefined if one is unusable. */
export const parseDeliveries = (json: string): Delivery[] | undefined => {
  const list = parseList(json);
  return list?.every(isDelivery) ? (list as Delivery[]) : undefined;
};

const parseList = (json: string): unknown[] | undefined => {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
};

const STATES = new Set<unknown>(["waiting", "done", "replaced", "skipped", "failed", "undecided"]);
const ACTIONS = new Set<unknown>(["contact", "event", "transactional", "delete", "fetch"]);
const LANES = new Set<unknown>([undefined, ...lanes]);

const isDelivery = (value: unknown): boolean => {
  const delivery = (value ?? {}) as Record<string, unknown>;
  const { contact, action, state, lane, due, attempts, key } = delivery;
  const content = {
    contact: delivery.properties,
    event: delivery.eventProperties,
    transactional: delivery.dataVariables,
  };
  const needed = action === "delete" || action === "fetch" ? {} : content[action as keyof typeof content];
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
