import { createClient } from "../../src/lib/client.ts";
import type { Api } from "./file/current.ts";
import { namedLike } from "./file/named.ts";

/** A refusal of the email service, with its whole body. */
export class Refused extends Error {
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, body: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = typeof body.code === "string" ? body.code : undefined;
    this.body = body;
  }
}

/** The email service of one team. `admin`: a request below `/admin/teams/{team}/workflows`. `api`: the v1 API. */
export type Service = {
  admin<T>(method: "GET" | "POST", path: string, body?: object): Promise<T>;
  api(): Api;
  /** True where a key of the v1 API is known. */
  hasKey: boolean;
};

type Vars = Readonly<Record<string, string | undefined>>;
type Values = { url?: string | undefined; team?: string | undefined };

/** Longest that a request waits for the rate limit, in ms. */
const MAX_WAIT = 120_000;

/**
 * The email service that a command asks.
 *
 * @param values its options `--url` and `--team`
 * @param vars the environment and .dev.vars: EMAIL_URL, EMAIL_PORT, EMAIL_API_URL, EMAIL_API_KEY, EMAIL_ADMIN_TOKEN, ADMIN_TOKEN
 * @param say prints why the command waits
 */
export const serviceOf = (values: Values, vars: Vars, say: (line: string) => void): Service => {
  const local = `http://127.0.0.1:${vars.EMAIL_PORT || 8788}`;
  const url = (values.url || vars.EMAIL_URL || vars.EMAIL_API_URL || local).replace(/\/+$/, "").replace(/\/v1$/, "");
  const key = vars.EMAIL_API_KEY;
  // An API key names its team.
  const [, keyTeam] = /^ms_([a-z0-9-]{1,32})_/.exec(key ?? "") ?? [];
  const team = values.team ?? keyTeam ?? "demo";
  const send = sender(url, say);
  return {
    hasKey: key !== undefined && key !== "" && keyTeam === team,
    async admin(method, path, body) {
      const token = vars.EMAIL_ADMIN_TOKEN || vars.ADMIN_TOKEN;
      if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
      const headers = { Authorization: `Bearer ${token}`, ...(body ? { "Content-Type": "application/json" } : {}) };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await send(`${url}/admin/teams/${encodeURIComponent(team)}/workflows${path}`, init);
      const answer: unknown = await response.json().catch(() => undefined);
      if (response.ok && answer !== undefined) return answer as never;
      if (response.status === 401)
        throw new Error(`${url} refuses the token: it must be the ADMIN_TOKEN of the email service.`);
      const { message, ...refusal } = (answer ?? {}) as { message?: string };
      if (message === undefined)
        throw new Error(`${url} answered ${response.status}, but not as the email service does. Is this its address?`);
      throw new Refused(message, refusal);
    },
    api() {
      if (!key) throw new Error("No API key: set EMAIL_API_KEY in .dev.vars or the environment.");
      if (keyTeam !== undefined && keyTeam !== team)
        throw new Error(
          `EMAIL_API_KEY is a key of the team "${keyTeam}", and --team says "${team}". Set a key of this team.`,
        );
      return createClient({ baseUrl: url, apiKey: key, fetch: send });
    },
  };
};

/** Sends requests, and waits where the rate limit of the team is used up: such a request was not made. */
const sender =
  (url: string, say: (line: string) => void) =>
  async (address: string, init: RequestInit): Promise<Response> => {
    for (let waited = 0; ; ) {
      const response = await fetch(address, init).catch((error: Error) => {
        const cause = error.cause instanceof Error ? error.cause.message : error.message;
        throw new Error(`Nothing answers at ${url} (${cause}). On this machine, npm start starts the email service.`);
      });
      if (response.status !== 429 || waited >= MAX_WAIT) return response;
      const seconds = Math.max(1, Number(response.headers.get("Retry-After")) || 1);
      if (seconds > 2) say(`The rate limit of the team is used up: waiting for ${seconds} s.`);
      waited += seconds * 1000;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };

/** A workflow as the operator's list has it. */
export type Listed = {
  id: string;
  name: string;
  status: string;
  waiting: number;
  createdAt: string;
  updatedAt: string;
};

export const listAll = async ({ admin }: Pick<Service, "admin">): Promise<Listed[]> => {
  const all: Listed[] = [];
  for (let cursor = ""; ; ) {
    const page = await admin<{ pagination: { nextCursor: string | null }; data: Listed[] }>(
      "GET",
      `?perPage=50${cursor}`,
    );
    all.push(...page.data);
    if (page.pagination.nextCursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(page.pagination.nextCursor)}`;
  }
};

/** The workflow with this id or name. */
export const findWorkflow = async (service: Pick<Service, "admin">, name: string): Promise<Listed> => {
  const all = await listAll(service);
  const byId = all.filter((one) => one.id === name);
  const found = byId.length > 0 ? byId : namedLike(all, name);
  const [one, ...more] = found;
  if (one && more.length === 0) return one;
  if (one) {
    const ids = found.map(({ id, status }) => `  ${id}  ${status}`).join("\n");
    throw new Error(`${found.length} workflows have the name "${name}". Give the id of one:\n${ids}`);
  }
  const names = all.map((other) => `  ${other.id}  ${other.name}`).join("\n");
  throw new Error(
    `There is no workflow "${name}". ${all.length > 0 ? `The team has:\n${names}` : "The team has none."}`,
  );
};
