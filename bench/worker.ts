// The email Worker with one more route, for measuring only. It is never deployed.
import email, { Directory, Inbox, Workspace as Production } from "../src/email/index.ts";
import type { TeamRequest } from "../src/email/types/workspace.ts";
import type { Reply } from "../src/lib/contract/mount.ts";
import { FILL } from "./fill.ts";

export { Directory, Inbox };

export class Workspace extends Production {
  /** Adds contacts `from` to `to`. */
  async fill(from: number, to: number): Promise<void> {
    this.ctx.storage.sql.exec(FILL, from, to);
  }

  /** Rows that a query finds. */
  async rows(query: string): Promise<Record<string, unknown>[]> {
    return this.ctx.storage.sql.exec(query).toArray();
  }

  /** Bytes of the database. */
  async size(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }

  /** Empties the rate window before every request: else the rate limit would be all that is measured. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }
}

type Env = Parameters<typeof email.fetch>[1];
type Bench = { getByName(name: string): Pick<Workspace, "fill" | "rows" | "size"> };

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.pathname !== "/bench") return email.fetch(request, env, context);
    const { team = "", from, to, query } = Object.fromEntries(url.searchParams);
    const workspace = (env.WORKSPACE as unknown as Bench).getByName(team);
    if (query !== undefined) return Response.json(await workspace.rows(query));
    if (from !== undefined) await workspace.fill(Number(from), Number(to));
    return Response.json({ bytes: await workspace.size() });
  },
} satisfies ExportedHandler<Env>;
