import { createClient } from "../../src/lib/client.ts";
import type { Client } from "../../src/lib/contract/client.ts";
import type { V1 } from "../../src/lib/contract/v1.ts";

export class Refused extends Error {
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, body: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = typeof body.code === "string" ? body.code : undefined;
    this.body = body;
  }
}

/** Prints refusals as JSON with `--json` and returns false. */
export const printRefusals = async (
  work: () => Promise<boolean>,
  { json, print }: { json: boolean; print(text: string): void },
): Promise<boolean> => {
  try {
    return await work();
  } catch (error) {
    if (!json || !(error instanceof Refused)) throw error;
    print(JSON.stringify({ message: error.message, ...error.body }, null, 2));
    return false;
  }
};

/** No answer came. The request may have been executed. */
export class Unreachable extends Error {}

/** A request to the operator API. A Blob is sent unchanged. Throws Refused and Unreachable. */
export type Admin = <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

export type TeamService<Api = Client<V1>> = {
  admin: Admin;
  /** A GET without a JSON answer. Throws Refused. */
  open(path: string): Promise<Response>;
  /** Throws without a key of the team. */
  api(): Api;
  hasKey: boolean;
};

type Vars = Readonly<Record<string, string | undefined>>;
type Values = { url?: string | undefined; team?: string | undefined };

/** Ms. */
const MAX_WAIT = 120_000;

const addressIn = (vars: Vars): string =>
  baseOf(vars.EMAIL_URL || vars.EMAIL_API_URL || `http://127.0.0.1:${vars.EMAIL_PORT || 8788}`);

const baseOf = (url: string): string => url.replace(/\/+$/, "").replace(/\/v1$/, "");

/** Formats a command for this address, such as `campaign -- send spring`. */
export const commandFor = (url: string, devVars: Vars, line: string): string => {
  if (addressIn(devVars) === baseOf(url)) return `npm run ${line}`;
  return `npm run ${line}${line.includes(" -- ") ? "" : " --"} --url ${url}`;
};

/**
 * Finds the email service from options and variables.
 * @param part path, such as `campaigns` for `/admin/teams/{team}/campaigns`
 */
export const teamServiceOf = (
  part: string,
  values: Values,
  vars: Vars,
  say: (line: string) => void = () => {},
): TeamService => {
  const url = values.url === undefined ? addressIn(vars) : baseOf(values.url);
  const key = vars.EMAIL_API_KEY;
  // An API key names its team.
  const [, keyTeam] = /^ms_([a-z0-9-]{1,32})_/.exec(key ?? "") ?? [];
  const team = values.team ?? keyTeam ?? "demo";
  const send = sender(url, say);
  const ask = async (method: string, path: string, body?: object): Promise<Response> => {
    const token = vars.EMAIL_ADMIN_TOKEN || vars.ADMIN_TOKEN;
    if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
    const content = body instanceof Blob ? body : JSON.stringify(body);
    const type = body instanceof Blob ? body.type : "application/json";
    const headers = { Authorization: `Bearer ${token}`, ...(body ? { "Content-Type": type } : {}) };
    const init = { method, headers, ...(content === undefined ? {} : { body: content }) };
    const response = await send(`${url}/admin/teams/${encodeURIComponent(team)}/${part}${path}`, init);
    if (response.ok) return response;
    if (response.status === 401)
      throw new Error(`${url} refuses the token: it must be the ADMIN_TOKEN of the email service.`);
    const { message, ...refusal } = ((await response.json().catch(() => undefined)) ?? {}) as { message?: string };
    throw message === undefined ? strange(url, response) : new Refused(message, refusal);
  };
  return {
    hasKey: key !== undefined && key !== "" && keyTeam === team,
    open: (path) => ask("GET", path),
    async admin<T>(method: string, path: string, body?: object) {
      const response = await ask(method, path, body);
      const text = await response.text().catch((error: Error) => {
        throw unreachable(url, error);
      });
      try {
        return JSON.parse(text) as T;
      } catch {
        throw strange(url, response);
      }
    },
    api() {
      if (!key) throw new Error("No API key: set EMAIL_API_KEY in .dev.vars or the environment.");
      if (keyTeam !== undefined && keyTeam !== team)
        throw new Error(
          `EMAIL_API_KEY is a key of the team "${keyTeam}", and --team says "${team}". Set a key of this team.`,
        );
      return createClient({ baseUrl: url, apiKey: key, fetch: send, timeoutMs: 0 });
    },
  };
};

const strange = (url: string, { status }: Response): Error =>
  new Error(`${url} answered ${status}, but not as the email service does. Is this its address?`);

const unreachable = (url: string, { cause, message }: Error): Unreachable =>
  new Unreachable(
    `Nothing answers at ${url} (${cause instanceof Error ? cause.message : message}). On this machine, npm start starts the email service.`,
  );

/** A request over the rate limit was not executed, so it waits. */
const sender =
  (url: string, say: (line: string) => void) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    for (let waited = 0; ; ) {
      const response = await fetch(address, init).catch((error: Error) => {
        throw unreachable(url, error);
      });
      if (response.status !== 429 || waited >= MAX_WAIT) return response;
      const seconds = Math.max(1, Number(response.headers.get("Retry-After")) || 1);
      if (seconds > 2) say(`The rate limit of the team is used up: waiting for ${seconds} s.`);
      waited += seconds * 1000;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
