export const storyStatements: readonly string[] = [
  // Idempotency key of the accepting request. Erasing a person deletes it.
  "ALTER TABLE sends ADD COLUMN idempotency_key TEXT",
];
