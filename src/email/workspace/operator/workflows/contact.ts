import type { Refusal } from "../../../../lib/contract/errors.ts";
import {
  contactByEmail,
  contactByUserId,
  contactInRow,
  contactNotFound,
  type StoredContact,
} from "../../contacts/contact-rows.ts";
import { createPause } from "../../core/between-slices.ts";
import { lastContact } from "../../segments/audience.ts";

const SLICE = 20_000;

/**
 * Finds a contact by address, userId or id. An id has no index, so contacts are searched in slices; an index would
 * cost a row per contact.
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
  const pause = createPause();
  for (let after = 0; after < last; after += SLICE) {
    if (after > 0) await pause();
    const [row] = sql
      .exec<{ n: number }>("SELECT n FROM contacts WHERE n > ? AND n <= ? AND id = ?", after, after + SLICE, id)
      .toArray();
    if (row) return contactInRow(sql, row.n);
  }
  return undefined;
};
