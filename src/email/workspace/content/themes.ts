import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { themeFaults } from "../../../lib/lmx/check/style.ts";
import { defaultTheme, type Theme, type ThemeStyles } from "../../../lib/lmx/language/theme.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { Context } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { nextNumber } from "../core/numbers.ts";
import { spread, usesOf } from "./cascade.ts";

type Row = {
  n: number;
  id: string;
  name: string;
  styles: string;
  is_default: number;
  created_at: number;
  updated_at: number;
};

const MAX_THEMES = 200;

const COLUMNS = "n, id, name, styles, is_default, created_at, updated_at";

const find = (sql: SqlStorage, id: string): Row | undefined =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM themes WHERE id = ?`, id).toArray()[0];

const count = (sql: SqlStorage): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM themes").one().total;

const shown = (sql: SqlStorage, row: Row) => {
  const { pending: pendingEmailCount, failed: failedEmailCount } = usesOf(sql, row.id);
  return {
    id: row.id,
    name: row.name,
    styles: { ...defaultTheme, ...(JSON.parse(row.styles) as object) } as Theme,
    isDefault: row.is_default === 1,
    pendingEmailCount,
    failedEmailCount,
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
  };
};

const notFound = (id: string): { refusal: Refusal } => {
  const message = `There is no theme with the id "${id}". GET /v1/themes lists them.`;
  return { refusal: { code: "theme_not_found", path: "themeId", message } };
};

type Styles = Readonly<Record<string, string | number | null | undefined>>;

/** A null value removes a style. */
const merged = (before: Styles, changes: Styles): { styles: string } | { refusal: Refusal } => {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined);
  const [fault] = themeFaults(Object.fromEntries(all));
  if (!fault) return { styles: JSON.stringify(Object.fromEntries(all)) };
  const path = `styles.${fault.key}`;
  return { refusal: { code: "invalid_request", path, message: `${path}: ${fault.message}` } };
};

export const hasTheme = (sql: SqlStorage, id: string): boolean => find(sql, id) !== undefined;

/** Becomes the default theme if the team has none. */
export const addTheme = (
  context: Context,
  { id = context.id("thm"), name, styles }: { id?: string; name: string; styles: ThemeStyles },
): void => {
  const isDefault = context.sql.exec("SELECT 1 FROM themes WHERE is_default").toArray().length === 0;
  insert(context, { id, name, styles: JSON.stringify(styles) }, isDefault);
};

export const removeUnusedDefault = ({ sql }: Context): void => {
  sql.exec(
    `DELETE FROM themes WHERE is_default AND styles = '{}' AND updated_at = created_at
       AND NOT EXISTS (SELECT 1 FROM message_uses WHERE used = themes.id)`,
  );
};

export const deleteTheme = (sql: SqlStorage, id: string): void => {
  sql.exec("DELETE FROM themes WHERE id = ?", id);
};

const insert = ({ sql, now }: Context, theme: Pick<Row, "id" | "name" | "styles">, isDefault: boolean): Row => {
  const row = { n: nextNumber(sql, "themes", now), ...theme, is_default: isDefault ? 1 : 0 };
  sql.exec(
    `INSERT INTO themes (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.n,
    row.id,
    row.name,
    row.styles,
    row.is_default,
    now,
    now,
  );
  return { ...row, created_at: now, updated_at: now };
};

export const themes: Handlers<"themes"> = {
  list({ sql, origin }, input) {
    const rows = (before: number, limit: number) =>
      sql.exec<Row>(`SELECT ${COLUMNS} FROM themes WHERE n < ? ORDER BY n DESC LIMIT ?`, before, limit).toArray();
    return pageOf(`${origin}/v1/themes`, input, count(sql), rows, (row) => shown(sql, row));
  },

  create(context, { name, styles = {} }) {
    const { sql } = context;
    if (count(sql) >= MAX_THEMES) {
      const message = `The team has ${MAX_THEMES} themes, and cannot have more. Change one of them.`;
      return { refusal: { code: "too_many_themes", message } };
    }
    const after = merged({}, styles);
    if ("refusal" in after) return after;
    return { body: shown(sql, insert(context, { id: context.id("thm"), name, styles: after.styles }, false)) };
  },

  get({ sql }, { themeId }) {
    const row = find(sql, themeId);
    return row ? { body: shown(sql, row) } : notFound(themeId);
  },

  update(context, { themeId, name, styles: changes = {} }) {
    const { sql, now } = context;
    const before = find(sql, themeId);
    if (!before) return notFound(themeId);
    const after = merged(JSON.parse(before.styles) as Styles, changes);
    if ("refusal" in after) return after;
    const row = { ...before, name: name ?? before.name, styles: after.styles };
    const isLookChanged = row.styles !== before.styles;
    if (isLookChanged || row.name !== before.name) {
      row.updated_at = now;
      sql.exec("UPDATE themes SET name = ?, styles = ?, updated_at = ? WHERE n = ?", row.name, row.styles, now, row.n);
    }
    const affectedEmailCount = isLookChanged ? spread(context, themeId) : 0;
    return { body: { ...shown(sql, row), affectedEmailCount } };
  },
};
