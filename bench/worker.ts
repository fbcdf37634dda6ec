// Bench only.
import email, { Directory, Inbox, Workspace as Production } from "../src/email/index.ts";
import type { TeamRequest } from "../src/email/types/workspace-rpc.ts";
import { audienceOf } from "../src/email/workspace/segments/audience.ts";
import type { AudienceFilter } from "../src/lib/contract/audience/filter.ts";
import type { Reply } from "../src/lib/contract/mount.ts";
import { FILL } from "./fill.ts";

export { Directory, Inbox };

export class Workspace extends Production {
  async fill(from: number, to: number): Promise<void> {
    this.ctx.storage.sql.exec(FILL, from, to);
  }

  async rows(query: string): Promise<Record<string, unknown>[]> {
    return this.ctx.storage.sql.exec(query).toArray();
  }

  async count(filter: AudienceFilter) {
    const audience = audienceOf(this.ctx.storage.sql, [filter], Date.now());
    let [contacts, slices] = [0, 0];
    for (let after: number | undefined = 0; after !== undefined; slices++) {
      const counted: ReturnType<typeof audience.count> = audience.count(after);
      contacts += counted.contacts;
      after = counted.next;
    }
    return { contacts, slices };
  }

  async size(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }

  /** The rate limit must not affect the figures. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }
}

type Env = Parameters<typeof email.fetch>[1];
type Bench = { getByName(name: string): Pick<Workspace, "count" | "fill" | "rows" | "size"> };

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.pathname !== "/bench") return email.fetch(request, env, context);
    const { team = "", from, to, query, filter } = Object.fromEntries(url.searchParams);
    const workspace = (env.WORKSPACE as unknown as Bench).getByName(team);
    if (query !== undefined) return Response.json(await workspace.rows(query));
    if (filter !== undefined) return Response.json(await workspace.count(JSON.parse(filter)));
    if (from !== undefined) await workspace.fill(Number(from), Number(to));
    return Response.json({ bytes: await workspace.size() });
  },
} satisfies ExportedHandler<Env>;
