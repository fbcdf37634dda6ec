export const teamStatements: readonly string[] = [
  // from_email: the part before the @.
  "ALTER TABLE team ADD COLUMN from_name TEXT",
  "ALTER TABLE team ADD COLUMN from_email TEXT",
  "ALTER TABLE team ADD COLUMN reply_to_email TEXT",
  "ALTER TABLE team ADD COLUMN footer TEXT",
];
