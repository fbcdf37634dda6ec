/** The refusal of a write without room. */
export const NO_ROOM = {
  code: "storage_full",
  message:
    "The database has no room for this. Reads and deletions still work: delete what is not needed, and send this again.",
  retryAfter: 60,
} as const;

let machine: DiskState = "free";

/**
 * True if a database had no room for a write. The object of the database is then reset, and the write undone. An object
 * that a full disk prevents from opening fails without a cause.
 */
export const isDiskFull = (error: unknown): boolean => {
  const message = messageOf(error);
  return message.includes("SQLITE_FULL") || (isMachineFull() && message.startsWith("internal error"));
};

/** Words of workerd, SQLite and Cloudflare: no room, a broken disk, or the rows or the time of the day are used up. */
const REFUSED =
  /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|disk is full|storage|daily limit|exceeded allowed/i;

/** True if storage refused the work of an object. */
export const isStorageRefusal = (error: unknown): boolean => REFUSED.test(messageOf(error));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The cron of an event that `npm start` sends: the disk of all databases is full, its reserve is low, or it has room. */
export const DISK_EVENTS = { full: "disk full", low: "disk low", free: "disk free" } as const;

/** `full`: the last room is for deletions, unsubscribes, bounces and transactional mail. `low`: it is not for mail. */
export type DiskState = keyof typeof DISK_EVENTS;

const STATES: readonly DiskState[] = ["full", "low", "free"];

/** True if the event is one of `DISK_EVENTS`: objects in this isolate then know it. Cloudflare sends none. */
export const hearDisk = (cron: string): boolean => {
  const heard = STATES.find((state) => DISK_EVENTS[state] === cron);
  machine = heard ?? machine;
  return heard !== undefined;
};

/** True if the disk of the machine is full, and what is left of it a reserve. */
export const isMachineFull = (): boolean => machine !== "free";

/** True if the reserve has no room for mail. */
export const isReserveLow = (): boolean => machine === "low";

/** The reason of a health answer. `what`: things that this Worker takes from the reserve, and while it is low. */
export const machineReasons = (what: { full: string; low: string }): string[] =>
  machine === "free" ? [] : [`the disk is full: ${what[machine]}`];

/** The refusal of what would use up the reserve of a full disk. */
export const machineFull = () => ({
  ...NO_ROOM,
  message: `The disk of this machine is full. Reads, deletions${isReserveLow() ? " and unsubscribes" : ", unsubscribes and transactional mail"} still work: free the disk, and send this again.`,
});
