/** The refusal of a write without room. */
export const NO_ROOM = {
  code: "storage_full",
  message:
    "The database has no room for this. Reads and deletions still work: delete what is not needed, and send this again.",
  retryAfter: 60,
} as const;

/** True if a database had no room for a write. The object of the database is then reset, and the write undone. */
export const isDiskFull = (error: unknown): boolean =>
  (error instanceof Error ? error.message : String(error)).includes("SQLITE_FULL");
