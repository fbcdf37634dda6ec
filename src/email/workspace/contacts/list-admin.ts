import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import { countLists } from "./list-counts.ts";
import { readMailingList, readMailingLists } from "./lists.ts";

const MAX_LISTS = 1_000;

const createList = (
  { sql, now, id }: Context,
  { name, description, visibility }: AdminInput<"lists.create">,
): { status: 201; body: unknown } | { refusal: Refusal } => {
  if (readMailingLists(sql).length >= MAX_LISTS) {
    const message = `The team has ${MAX_LISTS} mailing lists, and cannot have more. Rename an archived one.`;
    return { refusal: { code: "too_many_lists", message } };
  }
  const list = id("lst");
  sql.exec(
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES (?, ?, ?, ?, ?)",
    list,
    name,
    description,
    visibility,
    now,
  );
  return { status: 201, body: readMailingList(sql, list) };
};

/** Archiving a list again keeps the first archive time. */
const updateList = (
  { sql, now }: Context,
  { listId, isArchived, ...changes }: AdminInput<"lists.update">,
): { body: unknown } | { refusal: Refusal } => {
  const before = readMailingList(sql, listId);
  if (!before) {
    const message = `There is no mailing list with the id "${listId}" in this team. GET /admin/teams/{team}/lists lists them.`;
    return { refusal: { code: "not_found", path: "listId", message } };
  }
  const { name = before.name, description = before.description, visibility = before.visibility } = changes;
  sql.exec(
    `UPDATE mailing_lists SET name = ?, description = ?, visibility = ?,
       archived_at = CASE ? WHEN 1 THEN coalesce(archived_at, ?) ELSE NULL END WHERE id = ?`,
    name,
    description,
    visibility,
    (isArchived ?? before.isArchived) ? 1 : 0,
    now,
    listId,
  );
  return { body: readMailingList(sql, listId) };
};

export const lists: AdminHandlers<"lists"> = {
  list: ({ sql }) => ({ body: { data: readMailingLists(sql) } }),
  create: createList,
  update: updateList,
  counts: countLists,
};
