/** A DNS record as a shared page shows it. `value`: what is wanted. `found`, `message`: of the last check. */
export type SharedRecord = {
  type: string;
  host: string;
  value: string;
  purpose: string;
  required: boolean;
  status: "right" | "missing" | "wrong" | "unknown" | "unchecked";
  found: readonly string[];
  message: string;
};

/** All that everyone who has the link to a domain's DNS records may see. `checkedAt`: Unix ms. `zone`: the records as a zone file. */
export type SharedDomain = { name: string; checkedAt: number | null; records: readonly SharedRecord[]; zone: string };
