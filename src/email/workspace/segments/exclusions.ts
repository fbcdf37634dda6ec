import { contactFieldNames, givenFields } from "../../../lib/contract/contact-fields.ts";
import type { StoredContact } from "../contacts/row.ts";
import { toResponse } from "../contacts/row.ts";
import { reasonNotToMarket } from "../sending/gate.ts";
import { hasDigests, suppressedKeys } from "../sending/suppression.ts";

/** What decides which contacts of an audience get a mail. `needed`: properties of the contact that the mail is not sent without. */
export type Conditions = { list: string | null; needed: readonly string[] };

/** Why a contact gets no mail that has a variable without a value and without a fallback. */
const MISSING = "missing_variables";

/** Always there, or a mail is not sent without it anyway. */
const THERE: readonly string[] = ["email", ...givenFields];

/** The properties of a contact among these variables that it may have no value of. */
export const neededBy = (variables: readonly string[]): string[] =>
  variables.flatMap((variable) => {
    const name = variable.startsWith("contact.") ? variable.slice("contact.".length) : undefined;
    return name === undefined || THERE.includes(name) ? [] : [name];
  });

/** Where the row of a contact has a property: a path in its data, or the name of the column. */
const placeOf = (name: string): string => {
  if (name === "userId") return name;
  return (contactFieldNames as readonly string[]).includes(name) ? `$.${name}` : `$.properties."${name}"`;
};

/**
 * `exclusionOf` in SQL, for one query over many contacts: it has no digests of forgotten people. `?2`: the mailing list. `?3`: JSON of the
 * places of the needed properties. The empty text: the contact gets the mail.
 */
const REASON = `CASE
    WHEN email IS NULL THEN 'no_email'
    WHEN NOT (data->>'$.subscribed') THEN 'unsubscribed'
    WHEN data->>'$.optInStatus' IN ('pending', 'rejected') THEN 'not_confirmed'
    WHEN ?2 IS NOT NULL AND data->>('$.mailingLists."' || ?2 || '"') IS NOT 1 THEN 'not_on_list'
    WHEN EXISTS (SELECT 1 FROM suppressions s WHERE s.email_key = contacts.email_key) THEN 'suppressed'
    WHEN EXISTS (SELECT 1 FROM json_each(?3) p WHERE iif(p.value = 'userId', user_id, data->>p.value) IS NULL) THEN '${MISSING}'
    ELSE '' END`;

const valuesOf = ({ list, needed }: Conditions, numbers: readonly number[]) => [
  JSON.stringify(numbers),
  list,
  JSON.stringify(needed.map(placeOf)),
];

/** How many of these contacts (n of their rows) are excluded for each reason; under the empty text those that get the mail. */
export const countExclusions = (
  sql: SqlStorage,
  conditions: Conditions,
  numbers: readonly number[],
): Map<string, number> => {
  const rows = sql
    .exec<{ reason: string; contacts: number }>(
      `SELECT ${REASON} AS reason, count(*) AS contacts FROM contacts WHERE n IN (SELECT value FROM json_each(?1)) GROUP BY reason`,
      ...valuesOf(conditions, numbers),
    )
    .toArray();
  const reasons = new Map(rows.map(({ reason, contacts }) => [reason, contacts]));
  const forgotten = hasDigests(sql) ? forgottenAmong(sql, conditions, numbers) : 0;
  add(reasons, "", -forgotten);
  add(reasons, "suppressed", forgotten);
  return reasons;
};

/** How many of these contacts are excluded only because a person with their address was forgotten. */
const forgottenAmong = (sql: SqlStorage, conditions: Conditions, numbers: readonly number[]): number => {
  const keys = sql
    .exec<{ key: string }>(
      `SELECT email_key AS key FROM contacts WHERE n IN (SELECT value FROM json_each(?1)) AND ${REASON} = ''`,
      ...valuesOf(conditions, numbers),
    )
    .toArray()
    .map(({ key }) => key);
  return suppressedKeys(sql, keys).length;
};

/** Adds to a count. */
export const add = (counts: Map<string, number>, key: string, more: number): void => {
  if (more !== 0) counts.set(key, (counts.get(key) ?? 0) + more);
};

/** Why a contact does not get a mail; the empty text when it gets it. */
export const exclusionOf = (sql: SqlStorage, contact: StoredContact, { list, needed }: Conditions): string => {
  const reason = reasonNotToMarket(sql, contact, list);
  if (reason !== undefined) return reason;
  const values: Readonly<Record<string, unknown>> = toResponse(contact);
  return needed.some((name) => !Object.hasOwn(values, name) || values[name] === null) ? MISSING : "";
};
