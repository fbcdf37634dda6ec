import type { Refusal } from "../../../lib/contract/errors.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { Context, Result } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { nextNumber } from "../core/numbers.ts";

type Kind = "campaign" | "transactional" | "workflow";
type Row = {
  n: number;
  id: string;
  name: string;
  description: string;
  created_at: number;
  updated_at: number;
  reserved: number;
};
type Fields = { name?: string | undefined; description?: string | undefined };

const MAX_GROUPS = 1_000;

const shown = ({ id, name, description, created_at, updated_at }: Row) => ({
  id,
  name,
  description,
  createdAt: isoOf(created_at),
  updatedAt: isoOf(updated_at),
});
type Group = ReturnType<typeof shown>;

const COLUMNS = "n, id, name, description, created_at, updated_at, reserved";

const find = (sql: SqlStorage, kind: Kind, id: string): Row | undefined =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM content_groups WHERE id = ? AND kind = ?`, id, kind).toArray()[0];

const count = (sql: SqlStorage, kind: Kind): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM content_groups WHERE kind = ?", kind).one().total;

const notFound = (kind: Kind, id: string) => {
  const message = `There is no ${kind} group with the id "${id}". GET /v1/${kind}-groups lists them.`;
  return { refusal: { code: "group_not_found", path: `${kind}GroupId`, message } as const };
};

/** Returns `n` of a named group, or a refusal. */
export const groupNamed = (sql: SqlStorage, kind: Kind, id: string) => {
  const row = find(sql, kind, id);
  return row ? { n: row.n } : notFound(kind, id);
};

/** Returns `n`. The group is not in the path, so an unknown one is no 404. */
export const groupInBody = (
  sql: SqlStorage,
  kind: "campaign" | "workflow",
  id: string | undefined,
): { n: number } | { refusal: Refusal } | undefined => {
  if (id === undefined) return undefined;
  const named = groupNamed(sql, kind, id);
  return "n" in named ? named : { refusal: { ...named.refusal, code: `unknown_${kind}_group` } };
};

const list = ({ sql, origin }: Context, kind: Kind, input: Parameters<typeof pageOf>[1]) => {
  const rows = (before: number, limit: number) =>
    sql
      .exec<Row>(
        `SELECT ${COLUMNS} FROM content_groups WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT ?`,
        kind,
        before,
        limit,
      )
      .toArray();
  return pageOf(`${origin}/v1/${kind}-groups`, input, count(sql, kind), rows, shown);
};

const create = (
  { sql, now, id }: Context,
  kind: Kind,
  { name, description = "" }: Fields & { name: string },
): Result<Group> => {
  if (count(sql, kind) >= MAX_GROUPS) {
    const message = `The team has ${MAX_GROUPS} ${kind} groups, and cannot have more. Use one of them.`;
    return { refusal: { code: "too_many_groups", message } };
  }
  const taken = reservedName(sql, kind, name);
  if (taken) return { refusal: taken };
  const row = {
    n: nextNumber(sql, "content_groups", now),
    id: id("grp"),
    name,
    description,
    created_at: now,
    updated_at: now,
    reserved: 0,
  };
  sql.exec(
    `INSERT INTO content_groups (${COLUMNS}, kind) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
    row.n,
    row.id,
    name,
    description,
    now,
    now,
    kind,
  );
  return { body: shown(row) };
};

const reservedOf = (sql: SqlStorage, kind: Kind): Row | undefined =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM content_groups WHERE kind = ? AND reserved = 1`, kind).toArray()[0];

const reservedName = (sql: SqlStorage, kind: Kind, name: string): Refusal | undefined => {
  const reserved = reservedOf(sql, kind);
  if (!reserved || reserved.name.toLowerCase() !== name.trim().toLowerCase()) return undefined;
  const message = `name: "${reserved.name}" is the group of every ${kind} without another group. Choose another name.`;
  return { code: "group_reserved", path: "name", message };
};

/** Returns `n` of the default group. */
export const unsorted = (sql: SqlStorage, kind: "campaign" | "workflow"): number => reservedOf(sql, kind)?.n ?? 0;

export const addUnsorted = ({ sql, now, id }: Context): void => {
  for (const [n, kind] of [
    [1, "workflow"],
    [2, "campaign"],
  ] as const) {
    sql.exec(
      "INSERT INTO content_groups (n, id, kind, name, description, created_at, updated_at, reserved) VALUES (?, ?, ?, 'Unsorted', '', ?, ?, 1)",
      n,
      id("grp"),
      kind,
      now,
      now,
    );
  }
};

const get = ({ sql }: Context, kind: Kind, id: string): Result<Group> => {
  const row = find(sql, kind, id);
  return row ? { body: shown(row) } : notFound(kind, id);
};

const update = ({ sql, now }: Context, kind: Kind, id: string, changes: Fields): Result<Group> => {
  const before = find(sql, kind, id);
  if (!before) return notFound(kind, id);
  if (before.reserved) {
    const message = `The group "${before.name}" holds every ${kind} without another group, and cannot be changed.`;
    return { refusal: { code: "group_reserved", path: `${kind}GroupId`, message } };
  }
  const taken = changes.name === undefined ? undefined : reservedName(sql, kind, changes.name);
  if (taken) return { refusal: taken };
  const { name = before.name, description = before.description } = changes;
  if (name === before.name && description === before.description) return { body: shown(before) };
  sql.exec(
    "UPDATE content_groups SET name = ?, description = ?, updated_at = ? WHERE n = ?",
    name,
    description,
    now,
    before.n,
  );
  return { body: shown({ ...before, name, description, updated_at: now }) };
};

export const campaignGroups: Handlers<"campaignGroups"> = {
  list: (context, input) => list(context, "campaign", input),
  create: (context, input) => create(context, "campaign", input),
  get: (context, { campaignGroupId }) => get(context, "campaign", campaignGroupId),
  update: (context, { campaignGroupId, ...changes }) => update(context, "campaign", campaignGroupId, changes),
};

export const transactionalGroups: Handlers<"transactionalGroups"> = {
  list: (context, input) => list(context, "transactional", input),
  create: (context, input) => create(context, "transactional", input),
  get: (context, { transactionalGroupId }) => get(context, "transactional", transactionalGroupId),
  update: (context, { transactionalGroupId, ...changes }) =>
    update(context, "transactional", transactionalGroupId, changes),
};

export const workflowGroups: Handlers<"workflowGroups"> = {
  list: (context, input) => list(context, "workflow", input),
  create: (context, input) => create(context, "workflow", input),
  get: (context, { workflowGroupId }) => get(context, "workflow", workflowGroupId),
  update: (context, { workflowGroupId, ...changes }) => update(context, "workflow", workflowGroupId, changes),
};
