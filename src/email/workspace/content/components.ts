import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { checkComponent } from "../../../lib/lmx/compile.ts";
import type { Handlers } from "../core/handler.ts";
import { nextNumber } from "../core/numbers.ts";
import { breaksMessages, spread, usesOf } from "./cascade.ts";
import { invalidContent, tooLarge } from "./content-refusals.ts";
import { libraryOf } from "./library.ts";

type Row = { n: number; id: string; name: string; lmx: string };

const MAX_COMPONENTS = 1_000;

const COLUMNS = "n, id, name, lmx";

const find = (sql: SqlStorage, id: string): Row | undefined =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM components WHERE id = ?`, id).toArray()[0];

const count = (sql: SqlStorage): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM components").one().total;

const shown = (sql: SqlStorage, { id, name, lmx }: Row) => {
  const { pending: pendingEmailCount, failed: failedEmailCount } = usesOf(sql, id);
  return { id, name, lmx, pendingEmailCount, failedEmailCount };
};

const notFound = (id: string): { refusal: Refusal } => {
  const message = `There is no component with the id "${id}". GET /v1/components lists them.`;
  return { refusal: { code: "component_not_found", path: "componentId", message } };
};

const refusalOf = (sql: SqlStorage, lmx: string, id?: string): Refusal | undefined => {
  const large = tooLarge(lmx);
  if (large) return large;
  const { problems } = checkComponent(lmx, libraryOf(sql, lmx), id);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return undefined;
  const refusal = invalidContent(errors.map((problem) => ({ ...problem, field: "lmx" })));
  const invalidTags = [...new Set(errors.flatMap(({ tag }) => tag ?? []))];
  return invalidTags.length === 0 ? refusal : { ...refusal, detail: { ...refusal.detail, invalidTags } };
};

export const deleteComponent = (sql: SqlStorage, id: string): void => {
  sql.exec("DELETE FROM components WHERE id = ?", id);
};

export const components: Handlers<"components"> = {
  list({ sql, origin }, input) {
    const rows = (before: number, limit: number) =>
      sql.exec<Row>(`SELECT ${COLUMNS} FROM components WHERE n < ? ORDER BY n DESC LIMIT ?`, before, limit).toArray();
    return pageOf(`${origin}/v1/components`, input, count(sql), rows, (row) => shown(sql, row));
  },

  create({ sql, now, id }, { name, lmx }) {
    if (count(sql) >= MAX_COMPONENTS) {
      const message = `The team has ${MAX_COMPONENTS} components, and cannot have more. Change one of them.`;
      return { refusal: { code: "too_many_components", message } };
    }
    const refusal = refusalOf(sql, lmx);
    if (refusal) return { refusal };
    const row = { n: nextNumber(sql, "components", now), id: id("cmp"), name, lmx };
    sql.exec(
      `INSERT INTO components (${COLUMNS}, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
      row.n,
      row.id,
      name,
      lmx,
      now,
      now,
    );
    return { body: shown(sql, row) };
  },

  get({ sql }, { componentId }) {
    const row = find(sql, componentId);
    return row ? { body: shown(sql, row) } : notFound(componentId);
  },

  /** The alarm recompiles messages that use the component. */
  update(context, { componentId, ...changes }) {
    const { sql, now } = context;
    const before = find(sql, componentId);
    if (!before) return notFound(componentId);
    const { name = before.name, lmx = before.lmx } = changes;
    const isContentChanged = lmx !== before.lmx;
    const refusal = isContentChanged ? refusalOf(sql, lmx, componentId) : undefined;
    if (refusal) return { refusal };
    if (isContentChanged || name !== before.name)
      sql.exec("UPDATE components SET name = ?, lmx = ?, updated_at = ? WHERE n = ?", name, lmx, now, before.n);
    // A refusal reverts the change.
    const broken = isContentChanged ? breaksMessages(sql, componentId, lmx.length) : undefined;
    if (broken) return { refusal: broken };
    const affectedEmailCount = isContentChanged ? spread(context, componentId) : 0;
    return { body: { ...shown(sql, { ...before, name, lmx }), affectedEmailCount } };
  },
};
