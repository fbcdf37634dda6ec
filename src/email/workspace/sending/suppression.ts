import { sha256 } from "@noble/hashes/sha2.js";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { toBytes, toHex } from "../../../lib/util/hmac.ts";
import type { StoredContact } from "../contacts/contact-rows.ts";
import { type Identity, identify } from "../contacts/upsert.ts";
import { type Context, wake } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { possibleAt, type Quota, remainingOf } from "../core/quota.ts";

export const REMOVALS_WINDOW_MS = 30 * DAY_MS;
const REMOVALS: Quota = {
  limit: 100,
  windowMs: REMOVALS_WINDOW_MS,
  times: "SELECT at FROM suppression_removals",
};

/** The digest does not use WebCrypto, because a transaction cannot wait. */
const digestOf = (key: string): string => `sha256:${toHex(sha256(toBytes(key)))}`;

/** Returns the suppressed addresses (as `emailKey`), also by digest. */
export const suppressedKeys = (sql: SqlStorage, keys: readonly string[]): string[] => {
  // A digest is the most expensive part, and most teams have none.
  const hasDigests =
    sql.exec("SELECT 1 FROM suppressions WHERE email_key BETWEEN 'sha256:' AND 'sha256;' LIMIT 1").toArray().length > 0;
  const forms = new Map(keys.map((key) => [key, hasDigests ? [key, digestOf(key)] : [key]]));
  const found = new Set(
    sql
      .exec<{ key: string }>(
        "SELECT email_key AS key FROM suppressions WHERE email_key IN (SELECT value FROM json_each(?))",
        JSON.stringify([...forms.values()].flat()),
      )
      .toArray()
      .map(({ key }) => key),
  );
  return keys.filter((key) => forms.get(key)?.some((form) => found.has(form)));
};

/** True if a suppression of an erased person exists. */
export const hasDigests = (sql: SqlStorage): boolean =>
  // ";" is the character after ":".
  sql.exec("SELECT 1 FROM suppressions WHERE email_key >= 'sha256:' AND email_key < 'sha256;' LIMIT 1").toArray()
    .length > 0;

const FROM_BOTH = "FROM suppressions WHERE email_key IN (?, ?)";

/** Replaces suppressed addresses by digests, hidden from the list. */
export const keepDigest = (sql: SqlStorage, keys: readonly string[]): void => {
  for (const key of keys)
    sql.exec("UPDATE OR REPLACE suppressions SET email_key = ? WHERE email_key = ?", digestOf(key), key);
};

/** Returns a suppression's time (Unix ms) and reason. `key`: an `emailKey`. */
export const suppressionOf = (sql: SqlStorage, key: string): { at: number; reason: string } | undefined =>
  sql.exec<{ at: number; reason: string }>(`SELECT at, reason ${FROM_BOTH}`, key, digestOf(key)).toArray()[0];

const MEANINGS: Readonly<Record<string, string>> = {
  bounce: "A mail to this address bounced.",
  complaint: "The recipient reported a mail as spam.",
  manual: "A person suppressed the address.",
};

export const meaningOfSuppression = (reason: string): string => MEANINGS[reason] ?? "";

const isSuppressed = (sql: SqlStorage, email: string): boolean => suppressedKeys(sql, [emailKey(email)]).length > 0;

/** Returns why mail must not be sent, or undefined. */
export const reasonNotToSend = (sql: SqlStorage, email: string): "suppressed" | undefined =>
  isSuppressed(sql, email) ? "suppressed" : undefined;

/**
 * Suppresses an address; an existing reason stays, and the answer is false.
 *
 * @param cause words of a bounce, without addresses
 */
export const suppress = (
  { sql, now }: Pick<Context, "sql" | "now">,
  email: string,
  reason: "bounce" | "complaint" | "manual",
  cause: string | null = null,
): boolean =>
  sql.exec(
    "INSERT OR IGNORE INTO suppressions (email_key, reason, at, cause) VALUES (?, ?, ?, ?)",
    emailKey(email),
    reason,
    now,
    cause,
  ).rowsWritten > 0;

/** Takes a suppression by a bounce back. `since`: Unix ms. */
export const liftBounce = (
  sql: SqlStorage,
  email: string,
  { cause, since }: { cause: string; since: number },
): boolean =>
  sql.exec(
    "DELETE FROM suppressions WHERE email_key = ? AND reason = 'bounce' AND cause = ? AND at >= ?",
    emailKey(email),
    cause,
    since,
  ).rowsWritten > 0;

/** Removes a suppression; false if none exists. */
export const deleteSuppression = (sql: SqlStorage, email: string): boolean => {
  const key = emailKey(email);
  return sql.exec(`DELETE ${FROM_BOTH} RETURNING 1`, key, digestOf(key)).toArray().length > 0;
};

const quotaOf = ({ sql, now }: Context) => ({ limit: REMOVALS.limit, remaining: remainingOf(sql, REMOVALS, now) });

const contactOf = (
  sql: SqlStorage,
  identity: Identity,
): { contact: StoredContact; path: string } | { refusal: Refusal } => {
  const { byEmail, byUserId } = identify(sql, identity);
  const contact = byEmail ?? byUserId;
  const path = identity.email === undefined ? "userId" : "email";
  if (contact) return { contact, path };
  const message = `There is no contact with this ${path}. Check it, or create the contact first.`;
  return { refusal: { code: "contact_not_found", path, message } };
};

export const suppression: Handlers<"suppression"> = {
  get(context, input) {
    const known = contactOf(context.sql, input);
    if ("refusal" in known) return known;
    const { id, email, userId } = known.contact;
    const suppressed = email !== null && isSuppressed(context.sql, email);
    return { body: { contact: { id, email, userId }, isSuppressed: suppressed, removalQuota: quotaOf(context) } };
  },

  remove(context, input) {
    const { sql, now } = context;
    const known = contactOf(sql, input);
    if ("refusal" in known) return known;
    const { path, contact } = known;
    if (contact.email === null || !isSuppressed(sql, contact.email)) {
      const message = "This contact is not suppressed: there is nothing to remove.";
      return { refusal: { code: "not_suppressed", path, message } };
    }
    if (quotaOf(context).remaining === 0) {
      const next = isoOf(possibleAt(sql, REMOVALS, 1));
      const message = `The quota of ${REMOVALS.limit} removals in 30 days is used up. Try again after ${next}.`;
      return { refusal: { code: "suppression_quota_used", path, message } };
    }
    deleteSuppression(sql, contact.email);
    sql.exec("INSERT INTO suppression_removals (at) VALUES (?)", now);
    wake(context, now + REMOVALS_WINDOW_MS);
    const message = "The contact is no longer suppressed.";
    return { body: { success: true, message, removalQuota: quotaOf(context) } };
  },
};
