import type { Refusal } from "../../../lib/contract/errors.ts";
import type { EventType } from "../../../lib/contract/outgoing-events.ts";

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

type Wanting = Pick<Endpoint, "n" | "events" | "disabled_at">;

/** True where an endpoint gets events of one of these types. No type in its filter means all. */
const wants = ({ events }: Wanting, types: readonly EventType[]): boolean => {
  const filter = JSON.parse(events) as string[];
  return filter.length === 0 || types.some((type) => filter.includes(type));
};

/** The endpoints that want events of one of these types, disabled ones too. A test event goes to the endpoint that is tested only. */
export const endpointsFor = (sql: SqlStorage, ...types: readonly EventType[]): Wanting[] =>
  sql
    .exec<Wanting>("SELECT n, events, disabled_at FROM webhook_endpoints WHERE deleted_at IS NULL ORDER BY n")
    .toArray()
    .filter((endpoint) => wants(endpoint, types));
