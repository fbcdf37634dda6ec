/** SQL: what happened to the mail `n`, as rows of `at` (Unix ms), `kind` and `detail` (JSON). */
export const happenedTo = (n: string): string => `(SELECT at, kind, detail FROM send_events WHERE send = ${n}
  UNION ALL SELECT value->>'at', value->>'kind', value->'detail' FROM json_each((SELECT history FROM sends h WHERE h.n = ${n})))`;

const UNKNOWN = `FROM ${happenedTo("sends.n")} WHERE kind = 'unknown' ORDER BY at DESC LIMIT 1`;

/** SQL: a mail provider may have taken the mail. */
export const MAY_HAVE_LEFT = `EXISTS (SELECT 1 ${UNKNOWN})`;

/** SQL: no mail provider answered. A returned mail keeps its attempt count. */
export const HAS_NO_ANSWER = `(attempts = 0 OR NOT EXISTS
  (SELECT 1 FROM ${happenedTo("sends.n")} WHERE kind IN ('deferred', 'refused', 'unknown')))`;

/** SQL that ends a waiting mail, unknown if a mail provider may have taken it. Parameters: reason, now. */
export const END_WAITING = `state = iif(${MAY_HAVE_LEFT}, 'unknown', 'not_sent'), due = NULL, variables = NULL,
  error = coalesce((SELECT json_extract(detail, '$.message') ${UNKNOWN}), ?), settled_at = ?`;

/** SQL: when a mail of `sends s` became unknown, in Unix ms. */
export const UNKNOWN_SINCE = `coalesce((SELECT max(at) FROM ${happenedTo("s.n")} WHERE kind = 'unknown'), s.settled_at, 0)`;
