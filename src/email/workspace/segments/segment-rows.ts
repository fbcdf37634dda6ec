import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { Context } from "../core/context.ts";
import { nextNumber } from "../core/numbers.ts";

type Row = {
  n: number;
  id: string;
  name: string;
  description: string | null;
  filter: string;
  created_at: number;
  updated_at: number;
};

export type SegmentFields = { name: string; description: string | null; filter: AudienceFilter };

const COLUMNS = "n, id, name, description, filter, created_at, updated_at";

const keyOf = (name: string): string => name.normalize("NFC").toLowerCase();

export const findSegment = (sql: SqlStorage, id: string): Row | undefined =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM segments WHERE id = ?`, id).toArray()[0];

export const segmentsBelow = (sql: SqlStorage, before: number, count: number): Row[] =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM segments WHERE n < ? ORDER BY n DESC LIMIT ?`, before, count).toArray();

export const countSegments = (sql: SqlStorage): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM segments").one().total;

export const filterOf = ({ filter }: Row): AudienceFilter => JSON.parse(filter) as AudienceFilter;

export const shownSegment = (row: Row) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
  filter: filterOf(row),
});

export const segmentNotFound = (id: string): { refusal: Refusal } => {
  const message = `There is no audience segment with the id "${id}". GET /v1/audience-segments lists them.`;
  return { refusal: { code: "segment_not_found", path: "audienceSegmentId", message } };
};

/** Refusal if another segment than `own` has the name. */
export const nameTaken = (sql: SqlStorage, name: string, own?: string): Refusal | undefined => {
  const [taken] = sql
    .exec<{ id: string; name: string }>("SELECT id, name FROM segments WHERE name_key = ?", keyOf(name))
    .toArray();
  if (!taken || taken.id === own) return undefined;
  const message = `The audience segment ${taken.id} has the name "${taken.name}". Choose another name.`;
  return { code: "segment_name_taken", path: "name", message };
};

export const insertSegment = ({ sql, now, id }: Context, { name, description, filter }: SegmentFields): Row => {
  const row = { n: nextNumber(sql, "segments", now), id: id("seg"), name, description, filter: JSON.stringify(filter) };
  sql.exec(
    `INSERT INTO segments (${COLUMNS}, name_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.n,
    row.id,
    name,
    description,
    row.filter,
    now,
    now,
    keyOf(name),
  );
  return { ...row, created_at: now, updated_at: now };
};

export const saveSegment = ({ sql, now }: Context, before: Row, fields: SegmentFields): Row => {
  const after = { ...before, ...fields, filter: JSON.stringify(fields.filter) };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  sql.exec(
    "UPDATE segments SET name = ?, name_key = ?, description = ?, filter = ?, updated_at = ? WHERE n = ?",
    after.name,
    keyOf(after.name),
    after.description,
    after.filter,
    now,
    before.n,
  );
  return { ...after, updated_at: now };
};

export const removeSegment = (sql: SqlStorage, { n }: Row): void => {
  sql.exec("DELETE FROM segments WHERE n = ?", n);
};
