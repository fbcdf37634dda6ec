/** Contact rows per snapshot slice; a request waits a few ms. */
export const SLICE = 500;
/** Recipient rows per slice. */
export const READ = 500;
/** Recipient rows read for the next mails. */
export const TAKEN = 100;
/** Recipients canceled per slice if none has a mail. */
export const CANCELLED = 500;
/** Recipients canceled per slice if ledger mails must end, which costs more. */
export const ENDED = 100;
export const RETRIED = 100;
