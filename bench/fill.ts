/** Steps modulo this prime scatter neighbors over the whole index. */
const PRIME = 1_000_003;
const STEP = 7_919;

/** Returns the number in the email of the i-th contact. */
export const nameOf = (i: number): number => (i * STEP) % PRIME;

/** Adds contacts `?1` to `?2`, both included, at most a million. Direct writes avoid the rate limit. */
export const FILL = `
WITH RECURSIVE s (i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM s WHERE i < ?2),
     p (i, k) AS (SELECT i, i * ${STEP} % ${PRIME} FROM s)
INSERT INTO contacts (id, email, email_key, user_id, data, created_at, updated_at)
SELECT 'con_' || k, 'person' || k || '@example.com', 'person' || k || '@example.com', 'user_' || k,
  jsonb_object(
    'firstName', 'First' || (k % 997), 'lastName', 'Last' || (k % 4999), 'source', 'API', 'subscribed', json('true'),
    'userGroup', '', 'optInStatus', NULL, 'mailingLists', jsonb_object(),
    'properties', jsonb_object('plan', 'pro', 'seats', k % 50, 'country', 'GB', 'company', 'Company ' || (k % 9973),
      'lifetimeValue', k % 1000, 'trial', json('false'))
  ), 1760000000000 + i, 1760000000000 + i
FROM p`;
