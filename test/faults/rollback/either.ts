// Runs inside workerd: each start of an object takes the code of one of two versions.
import { DurableObject } from "cloudflare:workers";
import { type Order, type Starts, VERSION_HEADER, type Version } from "./orders.ts";

type Class = new (state: DurableObjectState, env: object) => DurableObject;
type Handler = { fetch(request: Request, env: object, context: ExecutionContext): Response | Promise<Response> };
type Team = { claimsWithoutRow(): Promise<number> };
type Namespaces = Record<string, { idFromName(name: string): DurableObjectId; getByName(name: string): Team }>;

const versions = new Map<string, Version>();
const starts: Starts = {};

const isNewer = (version: Version | undefined): boolean =>
  version === "newer" || (version !== "older" && Math.random() < 0.5);

/** A class of objects, each of which is run by the version of its order. */
export const either = (name: string, older: Class, newer: Class): Class =>
  class extends DurableObject {
    constructor(state: DurableObjectState, env: object) {
      super(state, env);
      const taken = isNewer(versions.get(state.id.toString())) ? "newer" : "older";
      const key = `${name} ${taken}`;
      starts[key] = (starts[key] ?? 0) + 1;
      // biome-ignore lint/correctness/noConstructorReturn: the object is one of another class
      return new (taken === "newer" ? newer : older)(state, env);
    }
  };

type TeamClass = new (
  state: DurableObjectState,
  env: object,
) => DurableObject & { run(request: object): Promise<unknown> };

/** A team without a limit of ten requests a second. A test can count its claims. */
export const watched = (base: Class): Class =>
  class Workspace extends (base as unknown as TeamClass) {
    override async run(request: object): Promise<unknown> {
      this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
      return super.run(request);
    }

    async claimsWithoutRow(): Promise<number> {
      const counted = "SELECT coalesce(sum(json_array_length(mails)), 0) AS claims FROM mailer_claims";
      return this.ctx.storage.sql.exec<{ claims: number }>(counted).one().claims;
    }
  };

/** `POST /__versions` takes an order, which holds from the next start of its objects. `/__claims?team=` counts claims. */
export const eitherHandler = (older: Handler, newer: Handler): Handler => ({
  fetch: async (request, env, context) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__claims") {
      const team = (env as Namespaces).WORKSPACE?.getByName(searchParams.get("team") ?? "");
      return Response.json(await team?.claimsWithoutRow());
    }
    if (pathname === "/__versions") {
      if (request.method === "POST") {
        const { version, objects } = (await request.json()) as Order;
        for (const [binding, name] of objects) {
          const id = (env as Namespaces)[binding]?.idFromName(name);
          if (id) versions.set(id.toString(), version);
        }
      }
      return Response.json(starts);
    }
    const asked = request.headers.get(VERSION_HEADER) as Version | null;
    return (isNewer(asked ?? undefined) ? newer : older).fetch(request, env, context);
  },
});
