export const limitStatements: readonly string[] = [
  // Mails per second, hour and day; NULL for no limit.
  "ALTER TABLE team ADD COLUMN send_per_second INTEGER",
  "ALTER TABLE team ADD COLUMN send_per_hour INTEGER",
  "ALTER TABLE team ADD COLUMN send_per_day INTEGER",
  // Mails claimed while a limit was set. at: Unix ms. Old rows are merged. Kept one day.
  "CREATE TABLE claimed_mails (at INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT",

  // At most an hour before the last use, in Unix ms; NULL if unused.
  "ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER",
];
