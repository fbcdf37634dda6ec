/** The refusal of a write without room. */
export const NO_ROOM = {
  code: "storage_full",
  message:
    "The database has no room for this. Reads and deletions still work: delete what is not needed, and send this again.",
  retryAfter: 60,
} as const;

/** True if a database had no room for a write. The object of the database is then reset, and the write undone. */
export const isDiskFull = (error: unknown): boolean => messageOf(error).includes("SQLITE_FULL");

/** Words of workerd, SQLite and Cloudflare: no room, a broken disk, or the rows or the time of the day are used up. */
const REFUSED =
  /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|disk is full|storage|daily limit|exceeded allowed/i;

/** True if storage refused the work of an object. */
export const isStorageRefusal = (error: unknown): boolean => REFUSED.test(messageOf(error));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
