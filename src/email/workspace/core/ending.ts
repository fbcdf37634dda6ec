/** SQL: the newest attempt of a row of `sends` whose outcome is not known, with what was said about it; no row where there is none. */
const UNKNOWN = "FROM send_events e WHERE e.send = sends.n AND e.kind = 'unknown' ORDER BY e.at DESC LIMIT 1";

/** SQL: a relay may have taken the mail in a row of `sends`. */
export const MAY_HAVE_LEFT = `EXISTS (SELECT 1 ${UNKNOWN})`;

/** SQL: no relay has answered for the mail in a row of `sends`. A Mailer that gives a mail back leaves the attempt counted. */
export const HAS_NO_ANSWER = `(attempts = 0 OR NOT EXISTS
  (SELECT 1 FROM send_events e WHERE e.send = sends.n AND e.kind IN ('deferred', 'refused', 'unknown')))`;

/**
 * SQL that ends a mail that waits, for an UPDATE of `sends`. It was not sent, unless a relay may have taken it before: then its outcome stays
 * unknown. Parameters: why it is not sent, now.
 */
export const END_WAITING = `state = iif(${MAY_HAVE_LEFT}, 'unknown', 'not_sent'), due = NULL, variables = NULL,
  error = coalesce((SELECT json_extract(e.detail, '$.message') ${UNKNOWN}), ?), settled_at = ?`;
