/** The part of version 16 for the story of a mail. */
export const storyStatements: readonly string[] = [
  // The idempotency key of the request that a mail was accepted with. A forget erases it.
  "ALTER TABLE sends ADD COLUMN idempotency_key TEXT",
];
