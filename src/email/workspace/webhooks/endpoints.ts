import type { Refusal } from "../../../lib/contract/errors.ts";
import type { EventType } from "../../../lib/webhook/outgoing-events.ts";

/** An endpoint of the team. Times are Unix ms. */
export type Endpoint = {
  n: number;
  id: string;
  url: string;
  description: string;
  /** JSON array of types; empty means all. */
  events: string;
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

/** The team's endpoints, oldest first. */
export const readEndpoints = (sql: SqlStorage): Endpoint[] =>
  sql.exec<Endpoint>("SELECT * FROM webhook_endpoints WHERE deleted_at IS NULL ORDER BY n").toArray();

export const findEndpoint = (sql: SqlStorage, id: string): Endpoint | undefined =>
  sql.exec<Endpoint>("SELECT * FROM webhook_endpoints WHERE id = ? AND deleted_at IS NULL", id).toArray()[0];

export const endpointNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no webhook with the id "${id}" in this team. GET /admin/teams/{team}/webhooks lists them.`;
  return { refusal: { code: "not_found", path: "webhookId", message } };
};

/** True where an endpoint with this filter gets events of a type. `events`: JSON array. */
export const wants = ({ events }: Pick<Endpoint, "events">, type: string): boolean => {
  const types = JSON.parse(events) as string[];
  return types.length === 0 || types.includes(type);
};

/** The endpoints that want events of a type, disabled ones too. A test event goes to the endpoint that is tested only. */
export const endpointsFor = (sql: SqlStorage, type: EventType): Pick<Endpoint, "n" | "disabled_at">[] =>
  sql
    .exec<Pick<Endpoint, "n" | "events" | "disabled_at">>(
      "SELECT n, events, disabled_at FROM webhook_endpoints WHERE deleted_at IS NULL ORDER BY n",
    )
    .toArray()
    .filter((endpoint) => wants(endpoint, type));
