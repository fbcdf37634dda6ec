import type { Logins } from "./logins.ts";

/** Bindings; a missing half is not deployed. */
export type Env = {
  ASSETS: Pick<Fetcher, "fetch">;
  LOGINS: DurableObjectNamespace<Logins>;
  BRIDGE?: Pick<Fetcher, "fetch">;
  EMAIL?: Pick<Fetcher, "fetch">;
  ADMIN_TOKEN?: string;
  /** Local only: `<Unix ms in base 36>.<random>`, the link code of `npm start`. */
  LOGIN_CODE?: string;
  /** Name before `.cloudflareaccess.com`, and audience tag. */
  ACCESS_TEAM?: string;
  ACCESS_AUD?: string;
  /** Role without list entry; "none" refuses. Default: "owner" until the first entry, then "none". */
  ACCESS_ROLE?: string;
};

export type Half = "bridge" | "email";

export const bindingOf = (env: Env, half: Half): Pick<Fetcher, "fetch"> | undefined =>
  half === "bridge" ? env.BRIDGE : env.EMAIL;
