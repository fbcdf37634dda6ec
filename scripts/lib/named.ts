import { UsageError } from "./cli.ts";
import { type Admin, Refused } from "./team-service.ts";

/** Finds items by name. Case counts only between otherwise equal names. */
export const namedLike = <Item extends { name: string }>(all: readonly Item[], name: string): Item[] => {
  const exact = all.filter((item) => formOf(item.name) === formOf(name));
  return exact.length > 0
    ? exact
    : all.filter((item) => formOf(item.name).toLowerCase() === formOf(name).toLowerCase());
};

/** Editors and terminals use different Unicode forms. */
const formOf = (name: string): string => name.normalize("NFC");

type Page<Item> = { pagination: { nextCursor: string | null }; data: Item[] };

export const everyPage = async <Item>(get: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> => {
  const all: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, pagination } = await get(cursor);
    all.push(...data);
    cursor = pagination.nextCursor;
  }
  return all;
};

export const listAll = <Item>(admin: Admin, path: string): Promise<Item[]> =>
  everyPage((cursor) =>
    admin<Page<Item>>("GET", `${path}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`),
  );

/**
 * Finds a status by id without reading hundreds of list pages.
 * @param code of the refusal of an unknown id
 */
export const statusWithId = <Status>(admin: Admin, id: string, code: string): Promise<Status | undefined> =>
  admin<Status>("GET", `/${id}/status`).catch((error: unknown) => {
    if (error instanceof Refused && error.code === code) return undefined;
    throw error;
  });

/** Finds an item by id or name. Throws with the existing items unless exactly one matches. */
export const findNamed = <Item extends { id: string; name: string; status: string }>(
  kind: string,
  all: readonly Item[],
  name: string,
): Item => {
  const byId = all.filter((item) => item.id === name);
  const found = byId.length > 0 ? byId : namedLike(all, name);
  const [one, ...more] = found;
  if (one && more.length === 0) return one;
  if (one) {
    const ids = found.map(({ id, status }) => `  ${id}  ${status}`).join("\n");
    throw new Error(`${found.length} ${kind}s have the name "${name}". Give the id of one:\n${ids}`);
  }
  const names = all.map((other) => `  ${other.id}  ${other.name}`).join("\n");
  throw new Error(
    `There is no ${kind} "${name}". ${all.length > 0 ? `The team has:\n${names}` : "The team has none."}`,
  );
};

/** Encodes a contact as a path step. URLs resolve `.` and `..`, even escaped. */
export const contactStep = (contact: string): string => {
  if (!/^\.{0,2}$/.test(contact)) return encodeURIComponent(contact);
  throw new UsageError(`"${contact}" names no contact: give its email address, its userId or its id.`);
};
