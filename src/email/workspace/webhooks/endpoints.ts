import type { Refusal } from "../../../lib/contract/errors.ts";
import type { EventType } from "../../../lib/contract/outgoing-events.ts";

/** Times are Unix ms. */
export type Endpoint = {
  n: number;
  id: string;
  url: string;
  description: string;
  /** An empty JSON array means all types. */
  events: string;
  /** Sealed, as the previous one. */
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  disabled_reason: "manual" | "gone" | "failing" | null;
  disabled_at: number | null;
  failing_since: number | null;
  failures: number;
  resume_at: number;
  created_at: number;
};

export const readEndpoints = (sql: SqlStorage): Endpoint[] =>
  sql.exec<Endpoint>("SELECT * FROM webhook_endpoints WHERE deleted_at IS NULL ORDER BY n").toArray();

export const findEndpoint = (sql: SqlStorage, id: string): Endpoint | undefined =>
  sql.exec<Endpoint>("SELECT * FROM webhook_endpoints WHERE id = ? AND deleted_at IS NULL", id).toArray()[0];

export const endpointNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no webhook with the id "${id}" in this team. GET /admin/teams/{team}/webhooks lists them.`;
  return { refusal: { code: "not_found", path: "webhookId", message } };
};

type Wanting = Pick<Endpoint, "n" | "events" | "disabled_at">;

const wants = ({ events }: Wanting, types: readonly EventType[]): boolean => {
  const filter = JSON.parse(events) as string[];
  return filter.length === 0 || types.some((type) => filter.includes(type));
};

/** Returns endpoints for these types, also disabled. A test event goes only to the tested endpoint. */
export const endpointsFor = (sql: SqlStorage, ...types: readonly EventType[]): Wanting[] =>
  sql
    .exec<Wanting>("SELECT n, events, disabled_at FROM webhook_endpoints WHERE deleted_at IS NULL ORDER BY n")
    .toArray()
    .filter((endpoint) => wants(endpoint, types));
