import { contactFieldNames, givenFields } from "../../../lib/contract/contact-fields.ts";
import type { StoredContact } from "../contacts/contact-rows.ts";
import { toResponse } from "../contacts/contact-rows.ts";
import { reasonNotToMarket } from "../sending/gate.ts";
import { hasDigests, suppressedKeys } from "../sending/suppression.ts";

/** `needed`: contact properties without which the mail is not sent. */
export type Conditions = { list: string | null; needed: readonly string[] };

const MISSING = "missing_variables";

/** Always set, or required for any mail. */
const THERE: readonly string[] = ["email", ...givenFields];

/** Contact properties among these variables that may be empty. */
export const neededBy = (variables: readonly string[]): string[] =>
  variables.flatMap((variable) => {
    const name = variable.startsWith("contact.") ? variable.slice("contact.".length) : undefined;
    return name === undefined || THERE.includes(name) ? [] : [name];
  });

const jsonPathOf = (name: string): string => {
  if (name === "userId") return name;
  return (contactFieldNames as readonly string[]).includes(name) ? `$.${name}` : `$.properties."${name}"`;
};

/**
 * `exclusionOf` in SQL, without digests of erased people. `?2`: the mailing list. `?3`: JSON of property places.
 * Empty text: not excluded.
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
  JSON.stringify(needed.map(jsonPathOf)),
];

/** Counts contacts per reason; empty text means included. */
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
  const erased = hasDigests(sql) ? erasedAmong(sql, conditions, numbers) : 0;
  add(reasons, "", -erased);
  add(reasons, "suppressed", erased);
  return reasons;
};

const erasedAmong = (sql: SqlStorage, conditions: Conditions, numbers: readonly number[]): number => {
  const keys = sql
    .exec<{ key: string }>(
      `SELECT email_key AS key FROM contacts WHERE n IN (SELECT value FROM json_each(?1)) AND ${REASON} = ''`,
      ...valuesOf(conditions, numbers),
    )
    .toArray()
    .map(({ key }) => key);
  return suppressedKeys(sql, keys).length;
};

export const add = (counts: Map<string, number>, key: string, more: number): void => {
  if (more !== 0) counts.set(key, (counts.get(key) ?? 0) + more);
};

/** Returns why a contact gets no mail; empty text if it does. */
export const exclusionOf = (sql: SqlStorage, contact: StoredContact, { list, needed }: Conditions): string => {
  const reason = reasonNotToMarket(sql, contact, list);
  if (reason !== undefined) return reason;
  const values: Readonly<Record<string, unknown>> = toResponse(contact);
  return needed.some((name) => !Object.hasOwn(values, name) || values[name] === null) ? MISSING : "";
};
