/** `value`: expected. `found`, `message`: of the last check. */
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

/** `checkedAt`: Unix ms. `zone`: records as a zone file. */
export type SharedDomain = { name: string; checkedAt: number | null; records: readonly SharedRecord[]; zone: string };
