import type { Refusal } from "../../../../lib/contract/errors.ts";
import {
  contactByEmail,
  contactByUserId,
  contactInRow,
  contactNotFound,
  type StoredContact,
} from "../../contacts/row.ts";
import { pause } from "../../core/pause.ts";
import { lastContact } from "../../segments/audience.ts";

/** Row numbers that are searched for an id before other requests come in. */
const SLICE = 20_000;

/**
 * The contact with this address, userId or id. An id has no index, so the contacts are searched for it in slices: an operator asks
 * seldom, and an index would cost a row for each contact.
 *
 * @param path of the value in the request
 */
export const findContact = async (
  sql: SqlStorage,
  given: string,
  path: string,
): Promise<{ contact: StoredContact } | { refusal: Refusal }> => {
  const contact =
    (given.includes("@") ? contactByEmail(sql, given) : undefined) ??
    contactByUserId(sql, given) ??
    (given.startsWith("con_") ? await contactById(sql, given) : undefined);
  return contact ? { contact } : contactNotFound(given, path);
};

const contactById = async (sql: SqlStorage, id: string): Promise<StoredContact | undefined> => {
  const last = lastContact(sql);
  for (let after = 0; after < last; after += SLICE) {
    if (after > 0) await pause();
    const [row] = sql
      .exec<{ n: number }>("SELECT n FROM contacts WHERE n > ? AND n <= ? AND id = ?", after, after + SLICE, id)
      .toArray();
    if (row) return contactInRow(sql, row.n);
  }
  return undefined;
};
