import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import type { PropertyType } from "../contacts/properties.ts";
import type { Context, Result } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";

/** `types`: JSON. */
type Row = { n: number; id: string; name: string; types: string; received: number };

// The bridge handles webhooks of platforms, so every event here is a plain event.
const summary = ({ id, name }: Row) => ({ id, eventName: name, incomingWebhookPlatform: null });

export const propertiesOf = ({ types }: Pick<Row, "types">) =>
  Object.entries(JSON.parse(types) as Record<string, PropertyType>).map(([name, type]) => ({ name, type }));

const detail = (row: Row) => ({ ...summary(row), eventProperties: propertiesOf(row) });

export const findPattern = (sql: SqlStorage, column: "id" | "name", value: string): Row | undefined =>
  sql.exec<Row>(`SELECT n, id, name, types, received FROM event_patterns WHERE ${column} = ?`, value).toArray()[0];

export const patternNotFound = (path: string): { refusal: Refusal } => {
  const message = `There is no event pattern with this ${path}; names are case-sensitive. GET /v1/event-patterns lists them.`;
  return { refusal: { code: "event_pattern_not_found", path, message } };
};

const one = (
  { sql }: Context,
  column: "id" | "name",
  value: string,
  path: string,
): Result<ReturnType<typeof detail>> => {
  const row = findPattern(sql, column, value);
  return row ? { body: detail(row) } : patternNotFound(path);
};

export const eventPatterns: Handlers<"eventPatterns"> = {
  list({ sql, origin }, input) {
    const { total } = sql.exec<{ total: number }>("SELECT count(*) AS total FROM event_patterns").one();
    const rows = (before: number, count: number) =>
      sql
        .exec<Row>(
          "SELECT n, id, name, types, received FROM event_patterns WHERE n < ? ORDER BY n DESC LIMIT ?",
          before,
          count,
        )
        .toArray();
    return pageOf(`${origin}/v1/event-patterns`, input, total, rows, summary);
  },

  get: (context, { eventPatternId }) => one(context, "id", eventPatternId, "eventPatternId"),

  getByName: (context, { eventName }) => one(context, "name", eventName, "eventName"),
};
