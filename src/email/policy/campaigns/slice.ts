/** Row numbers of contacts in one slice of the snapshot: a request waits a few ms for it. */
export const SLICE = 500;
/** Rows of recipients that one slice reads. */
export const READ = 500;
/** Most recipients that one slice gives a mail. */
export const FED = 100;
/** Recipients that one slice cancels where none has a mail yet. */
export const CANCELLED = 500;
/** Recipients that one slice cancels where each may have a mail in the ledger that ends: that costs more. */
export const ENDED = 100;
/** Most mails that one slice queues again. */
export const RETRIED = 100;
