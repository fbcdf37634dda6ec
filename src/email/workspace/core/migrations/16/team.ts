/** The part of version 16 for the settings of a team. */
export const teamStatements: readonly string[] = [
  // Of messages that have none of their own. from_email: the part before the @. NULL: none.
  "ALTER TABLE team ADD COLUMN from_name TEXT",
  "ALTER TABLE team ADD COLUMN from_email TEXT",
  "ALTER TABLE team ADD COLUMN reply_to_email TEXT",
  // Lines of the footer of marketing mail, above the team's name. NULL: none.
  "ALTER TABLE team ADD COLUMN footer TEXT",
];
