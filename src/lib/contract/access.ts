/** Roles of the dashboard; each includes all before it. */
export const ROLES = ["viewer", "support", "editor", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const includes = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Unvalidated fields: of the query for a GET (a list if repeated), else of the JSON body. */
export type Fields = Readonly<Record<string, unknown>>;

/** Requests with their own role, such as `email.campaigns.estimate?exact`. Unreadable requests get the stricter role. */
export type Part = {
  name: string;
  needs: Role;
  when(fields: Fields): boolean;
  /** True if the audit lists it like an act. */
  audited?: true;
};

/** Facts about an operation that changes something. */
export type Act = {
  /** True or a condition: needs a recent proof, because it cannot be undone or gives a secret. Judges invalid values as dangerous. */
  danger: boolean | ((fields: Fields) => boolean);
  /** True if a request without `dryRun` is a dry run. Absent if it has none, or one that writes. */
  dryRun?: boolean;
};

export const isTrue = (value: unknown): boolean => value === true || value === "true" || value === "1";

export const isNoDryRun = ({ dryRun }: Fields): boolean => !isTrue(dryRun);

const MOST_RECIPIENTS = 1_000;

/** True for a confirmed number of at most 1,000 recipients. The email service enforces the number. */
export const isFew = (recipients: unknown): boolean => typeof recipients === "number" && recipients <= MOST_RECIPIENTS;
