const UNKNOWN = "FROM send_events e WHERE e.send = sends.n AND e.kind = 'unknown' ORDER BY e.at DESC LIMIT 1";

/** SQL: a mail provider may have taken the mail. */
export const MAY_HAVE_LEFT = `EXISTS (SELECT 1 ${UNKNOWN})`;

/** SQL: no mail provider answered. A returned mail keeps its attempt count. */
export const HAS_NO_ANSWER = `(attempts = 0 OR NOT EXISTS
  (SELECT 1 FROM send_events e WHERE e.send = sends.n AND e.kind IN ('deferred', 'refused', 'unknown')))`;

/** SQL that ends a waiting mail, unknown if a mail provider may have taken it. Parameters: reason, now. */
export const END_WAITING = `state = iif(${MAY_HAVE_LEFT}, 'unknown', 'not_sent'), due = NULL, variables = NULL,
  error = coalesce((SELECT json_extract(e.detail, '$.message') ${UNKNOWN}), ?), settled_at = ?`;

/** SQL: when a mail of `sends s` became unknown, in Unix ms. */
export const UNKNOWN_SINCE =
  "coalesce((SELECT max(at) FROM send_events WHERE send = s.n AND kind = 'unknown'), s.settled_at, 0)";
