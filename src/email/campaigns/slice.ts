/** Row numbers of contacts in one slice of the snapshot: a request waits a few ms for it. */
export const SLICE = 1_000;
/** Rows of recipients that one slice reads. */
export const READ = 500;
/** Most recipients that one slice gives a mail. */
export const FED = 100;
/** Recipients that one slice cancels: a mail in the ledger costs more than a recipient without one. */
export const CANCELLED = 500;
/** Most mails that one slice queues again. */
export const RETRIED = 100;
