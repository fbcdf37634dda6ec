/** The part of version 16 for the send limits of a team, and for its API keys. */
export const limitStatements: readonly string[] = [
  // Most mails in any second, hour and day; NULL for no limit.
  "ALTER TABLE team ADD COLUMN send_per_second INTEGER",
  "ALTER TABLE team ADD COLUMN send_per_hour INTEGER",
  "ALTER TABLE team ADD COLUMN send_per_day INTEGER",
  // Mails that were claimed while a limit was set. at: Unix ms. Old rows are merged into a later one. Kept one day.
  "CREATE TABLE claimed_mails (at INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT",

  // At most an hour before the last use, in Unix ms; NULL: not used since this version.
  "ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER",
];
