import type { Chore } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";

export const SLICE = 2_000;

/** Deletes a custom property. Its values are erased later, in slices. */
export const removeProperty = (context: Context, name: string): void => {
  const { sql, now } = context;
  sql.exec("DELETE FROM properties WHERE name = ?", name);
  sql.exec("INSERT INTO removed_properties (name, after) VALUES (?, 0)", name);
  wake(context, now);
};

/** True while values of the deleted property remain. */
export const isBeingRemoved = (sql: SqlStorage, name: string): boolean =>
  sql.exec("SELECT 1 FROM removed_properties WHERE name = ?", name).toArray().length > 0;

type Removed = { name: string; after: number };

export const chores: readonly Chore[] = [
  {
    next: (sql) =>
      sql.exec("SELECT 1 FROM removed_properties LIMIT 1").toArray().length > 0 ? 0 : Number.POSITIVE_INFINITY,
    run: (sql) => {
      const [removed] = sql.exec<Removed>("SELECT name, after FROM removed_properties LIMIT 1").toArray();
      if (!removed) return;
      const { name, after } = removed;
      const path = `$.properties.${name}`;
      sql.exec(
        `UPDATE contacts SET data = jsonb_remove(data, ?) WHERE n > ? AND n <= ? AND json_type(data, ?) IS NOT NULL`,
        path,
        after,
        after + SLICE,
        path,
      );
      const isLast = sql.exec("SELECT 1 FROM contacts WHERE n > ? LIMIT 1", after + SLICE).toArray().length === 0;
      if (isLast) sql.exec("DELETE FROM removed_properties WHERE name = ?", name);
      else sql.exec("UPDATE removed_properties SET after = ? WHERE name = ?", after + SLICE, name);
    },
  },
];
