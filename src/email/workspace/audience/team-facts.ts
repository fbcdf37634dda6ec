import type { TeamFacts } from "../../audience/facts.ts";
import { customTypes } from "../contacts/properties.ts";

/** What filters need to know of the team. A team has no campaigns and no workflows yet, and so no targets of activity. */
export const teamFactsOf = (sql: SqlStorage): TeamFacts => ({
  types: customTypes(sql),
  messagesOf: () => undefined,
});
