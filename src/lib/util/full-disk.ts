/** The refusal of a write without room. */
export const NO_ROOM = {
  code: "storage_full",
  message:
    "The database has no room for this. Reads and deletions still work: delete what is not needed, and send this again.",
  retryAfter: 60,
} as const;

let isFull = false;

/**
 * True if a database had no room for a write. The object of the database is then reset, and the write undone. An object
 * that a full disk prevents from opening fails without a cause.
 */
export const isDiskFull = (error: unknown): boolean => {
  const message = messageOf(error);
  return message.includes("SQLITE_FULL") || (isFull && message.startsWith("internal error"));
};

/** Words of workerd, SQLite and Cloudflare: no room, a broken disk, or the rows or the time of the day are used up. */
const REFUSED =
  /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|disk is full|storage|daily limit|exceeded allowed/i;

/** True if storage refused the work of an object. */
export const isStorageRefusal = (error: unknown): boolean => REFUSED.test(messageOf(error));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The cron of an event that `npm start` sends when the disk of all databases is full, and when it has room again. */
export const DISK_EVENTS = { full: "disk full", free: "disk free" } as const;

/** True if the event is one of `DISK_EVENTS`: objects in this isolate then know it. Cloudflare sends none. */
export const hearDisk = (cron: string): boolean => {
  if (cron !== DISK_EVENTS.full && cron !== DISK_EVENTS.free) return false;
  isFull = cron === DISK_EVENTS.full;
  return true;
};

/** True if the last room of the machine's disk is for deletions, unsubscribes, bounces and transactional mail. */
export const isMachineFull = (): boolean => isFull;

/** The reason of a health answer. */
export const machineReasons = (): string[] =>
  isFull ? ["the disk is full: only deletions, unsubscribes, bounces and urgent mail are stored, from a reserve"] : [];

/** The refusal of what would use up the reserve of a full disk. */
export const MACHINE_FULL = {
  ...NO_ROOM,
  message:
    "The disk of this machine is full. Reads, deletions, unsubscribes and transactional mail still work: free the disk, and send this again.",
} as const;
