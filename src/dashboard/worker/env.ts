import type { Door } from "./logins.ts";

/** The bindings of the dashboard Worker. A half that is not deployed is missing. */
export type Env = {
  ASSETS: Pick<Fetcher, "fetch">;
  DOOR: DurableObjectNamespace<Door>;
  BRIDGE?: Pick<Fetcher, "fetch">;
  EMAIL?: Pick<Fetcher, "fetch">;
  ADMIN_TOKEN?: string;
  /** Only local: `<Unix ms in base 36>.<random>`, the code of the link that `npm start` prints. */
  LOGIN_CODE?: string;
  /** The name before `.cloudflareaccess.com`, and the audience tag of the application. */
  ACCESS_TEAM?: string;
  ACCESS_AUD?: string;
  /** The role of those whom Cloudflare Access lets in and who have no entry in the list of people: "none" lets none of them in. Without it: "owner" until the list has its first entry, then "none". */
  ACCESS_ROLE?: string;
};

/** The two halves of Mailspan that the dashboard shows. */
export type Half = "bridge" | "email";

export const bindingOf = (env: Env, half: Half): Pick<Fetcher, "fetch"> | undefined =>
  half === "bridge" ? env.BRIDGE : env.EMAIL;
