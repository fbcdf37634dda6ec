import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Handlers } from "../core/handler.ts";

type Visibility = "public" | "private";
type Row = { id: string; name: string; description: string; visibility: Visibility; archived_at: number | null };

const shown = ({ archived_at, ...row }: Row) => ({
  ...row,
  isPublic: row.visibility === "public",
  isArchived: archived_at !== null,
});

const COLUMNS = "id, name, description, visibility, archived_at";

export const readMailingLists = (sql: SqlStorage) =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM mailing_lists ORDER BY created_at, id`).toArray().map(shown);

export const readMailingList = (sql: SqlStorage, id: string) =>
  sql.exec<Row>(`SELECT ${COLUMNS} FROM mailing_lists WHERE id = ?`, id).toArray().map(shown)[0];

export const archivedLists = (sql: SqlStorage): ReadonlySet<string> =>
  new Set(readMailingLists(sql).flatMap(({ id, isArchived }) => (isArchived ? [id] : [])));

export const lists: Handlers<"lists"> = {
  list: ({ sql }) => ({ body: readMailingLists(sql) }),
};

/** Returns why a list cannot be used; undefined if usable or absent. */
export const listRefusal = (sql: SqlStorage, id: string | null | undefined): Refusal | undefined => {
  if (id === null || id === undefined) return undefined;
  const path = "mailingListId";
  const list = readMailingList(sql, id);
  if (!list) {
    const message = `There is no mailing list "${id}". GET /v1/lists lists the ids.`;
    return { code: "unknown_mailing_list", path, message };
  }
  if (!list.isArchived) return undefined;
  return { code: "mailing_list_archived", path, message: `The mailing list "${id}" is archived. Choose another one.` };
};

/** Returns why a contact cannot subscribe (true) or unsubscribe (false). */
export const membershipRefusal = (sql: SqlStorage, id: string, subscribed: boolean): Refusal | undefined => {
  const list = readMailingList(sql, id);
  const path = `mailingLists.${id}`;
  if (!list) {
    return {
      code: "unknown_mailing_list",
      path,
      message: `There is no mailing list "${id}". GET /v1/lists lists the ids.`,
    };
  }
  // Unsubscribing must always be possible.
  if (!list.isArchived || !subscribed) return undefined;
  const message = `The mailing list "${id}" is archived and takes no subscribers. Leave it out, or send false to unsubscribe.`;
  return { code: "mailing_list_archived", path, message };
};
