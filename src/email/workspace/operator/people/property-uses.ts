import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import type { Column } from "../../../../lib/imports/mapping.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";

export type Use = { kind: "segment" | "campaign" | "workflow" | "import"; id: string; name: string };

type Row = { id: string; name: string; json: string };

/** Returns the users of each property, by name. A sent campaign no longer needs it. */
export const propertyUses = (sql: SqlStorage): Map<string, Use[]> => {
  const uses = new Map<string, Use[]>();
  const add = (kind: Use["kind"], { id, name }: Pick<Row, "id" | "name">, properties: readonly string[]) => {
    for (const property of properties) {
      const of = uses.get(property) ?? [];
      if (!of.some((use) => use.id === id)) uses.set(property, [...of, { kind, id, name }]);
    }
  };
  const each = (query: string, use: (row: Row) => void) => {
    for (const row of sql.exec<Row>(query)) use(row);
  };
  each("SELECT id, name, filter AS json FROM segments ORDER BY n", (row) => add("segment", row, inFilter(parsed(row))));
  each(
    "SELECT id, name, filter AS json FROM campaigns WHERE status <> 'Sent' AND filter IS NOT NULL ORDER BY n",
    (row) => add("campaign", row, inFilter(parsed(row))),
  );
  each("SELECT id, name, graph AS json FROM workflows WHERE deleted_at IS NULL ORDER BY n", (row) =>
    add("workflow", row, inGraph(parsed(row))),
  );
  each(mailsOf("campaigns", "o.n = m.campaign AND o.status <> 'Sent'"), (row) =>
    add("campaign", row, inMail(parsed(row))),
  );
  each(mailsOf("workflows", "o.n = m.workflow AND o.deleted_at IS NULL AND m.removed_at IS NULL"), (row) =>
    add("workflow", row, inMail(parsed(row))),
  );
  each("SELECT id, name, settings AS json FROM imports WHERE state = 'running' ORDER BY n", (row) =>
    add("import", row, inImport(parsed(row))),
  );
  return uses;
};

const mailsOf = (owners: "campaigns" | "workflows", join: string): string =>
  `SELECT o.id, o.name, json_extract(r.compiled, '$.variables') AS json FROM email_messages m JOIN ${owners} o ON ${join}
   JOIN message_revisions r ON r.n = m.revision WHERE instr(r.compiled, '"contact.') > 0 ORDER BY o.n`;

const parsed = <T>({ json }: Row): T => JSON.parse(json) as T;

const inFilter = (filter: AudienceFilter | null): string[] =>
  (filter?.conditions ?? []).flatMap((condition) => (condition.type === "property" ? [condition.key] : []));

const inGraph = ({ nodes }: Graph): string[] =>
  Object.values(nodes).flatMap((node) => {
    if (node.typeName === "AudienceFilter") return inFilter(node.audienceFilter);
    if (node.typeName === "ContactPropertyTrigger" && node.contactPropertyQuery) return [node.contactPropertyQuery.key];
    return [];
  });

const inImport = ({ columns }: { columns: Column[] }): string[] =>
  columns.flatMap(({ target }) => (target.kind === "property" ? [target.name] : []));

const PREFIX = "contact.";
const inMail = (variables: readonly string[]): string[] =>
  variables.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
