/** Mails of one source with one result. `domain`: of the From address. `dkim`, `spf`: true if it passes, aligned. */
export type AggregateRow = {
  domain: string;
  source: string;
  dkim: boolean;
  spf: boolean;
  disposition: "none" | "quarantine" | "reject";
  mails: number;
};

/** Aggregate report of DMARC. `id`: of its organization. `begin`: Unix ms. `isCut`: its end is missing. */
export type AggregateReport = { id: string; begin: number; rows: AggregateRow[]; isCut: boolean };

/** A file that could not be read as a report, and why. */
export type UnreadReport = { unread: string };
