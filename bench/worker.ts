// The email Worker with two more doors, for measuring only: nothing of it is in what is deployed.
import email, { Directory, Inbox, Workspace as Production } from "../src/email/index.ts";
import type { TeamCall } from "../src/email/types/workspace.ts";
import type { Reply } from "../src/lib/contract/mount.ts";
import { FILL } from "./fill.ts";

export { Directory, Inbox };

export class Workspace extends Production {
  /** Adds contacts `from` to `to`. */
  async fill(from: number, to: number): Promise<void> {
    this.ctx.storage.sql.exec(FILL, from, to);
  }

  /** Bytes of the database. */
  async size(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }

  /** Every request starts with an empty rate window: the limit would be all there is to measure. */
  override async call(request: TeamCall): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.call(request);
  }
}

type Env = Parameters<typeof email.fetch>[1];
type Bench = { getByName(name: string): Pick<Workspace, "fill" | "size"> };

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.pathname !== "/bench") return email.fetch(request, env, context);
    const { team = "", from, to } = Object.fromEntries(url.searchParams);
    const workspace = (env.WORKSPACE as unknown as Bench).getByName(team);
    if (from !== undefined) await workspace.fill(Number(from), Number(to));
    return Response.json({ bytes: await workspace.size() });
  },
} satisfies ExportedHandler<Env>;
