import { isNameOf } from "../../src/email/mail/dns/name.ts";

/** A DNS record of a domain. */
export type Shown = {
  type: string;
  host: string;
  value: string;
  purpose: string;
  required: boolean;
  status: string;
  message: string;
};

/** A sending domain in the admin API. */
export type Domain = {
  id: string;
  name: string;
  state: string;
  isDefault: boolean;
  records: Shown[];
  notes: string[];
  /** Null for a warm domain. */
  warmup: { day: number; cap: number; marketing: number; transactional: number } | null;
};

/** A request to `/admin/teams/{team}`. Throws with the message of a refusal. */
export type Admin = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

type Vars = Readonly<Record<string, string | undefined>>;

export const adminOf = ({ url, team }: { url?: string; team: string }, vars: Vars): Admin => {
  const base = (url ?? `http://127.0.0.1:${vars.EMAIL_PORT || 8788}`).replace(/\/+$/, "");
  return async (method, path, body) => {
    const token = vars.ADMIN_TOKEN;
    if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
    const headers = { Authorization: `Bearer ${token}`, ...(body ? { "Content-Type": "application/json" } : {}) };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(`${base}/admin/teams/${team}${path}`, init).catch((error: Error) => {
      throw new Error(
        `Nothing answers at ${base} (${error.message}). On this machine, npm start starts the email service.`,
      );
    });
    const text = await response.text();
    if (response.headers.get("Content-Type")?.startsWith("text/plain")) return text;
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    const { message } = (answer ?? {}) as { message?: string };
    throw new Error(message ?? `${base} answered ${response.status}, but not as the email service does.`);
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const findDomain = async (admin: Admin, name: string): Promise<Domain | undefined> => {
  const { data } = (await admin("GET", "/domains")) as { data: Domain[] };
  return data.find((domain) => domain.id === name || isNameOf(domain.name, name));
};

/** Adds a domain, or returns the existing one. */
export const addDomain = async (admin: Admin, name: string): Promise<Domain> =>
  (await findDomain(admin, name)) ?? ((await admin("POST", "/domains", { name })) as Domain);

export const checkDomain = async (admin: Admin, { id }: Pick<Domain, "id">): Promise<Domain> =>
  (await admin("POST", `/domains/${id}/check`)) as Domain;

const PAUSE_MS = 15_000;

/** Polls for at most `minutes` until the domain can send. */
export const waitForDomain = async (
  admin: Admin,
  domain: Pick<Domain, "id">,
  minutes: number,
  sleep: (ms: number) => Promise<void>,
): Promise<Domain> => {
  let checked = await checkDomain(admin, domain);
  for (let waited = 0; checked.state !== "verified" && waited < minutes * 60_000; waited += PAUSE_MS) {
    await sleep(PAUSE_MS);
    checked = await checkDomain(admin, domain);
  }
  return checked;
};
