// Bench only.
import email, { Directory, Inbox, Mailer, Workspace as Production } from "../../src/email/index.ts";
import type { TeamRequest } from "../../src/email/types/workspace-rpc.ts";
import { contactsByNumber } from "../../src/email/workspace/contacts/contact-rows.ts";
import { type Context, nothing } from "../../src/email/workspace/core/context.ts";
import { chores } from "../../src/email/workspace/workflows/runs/chores.ts";
import { startRuns } from "../../src/email/workspace/workflows/runs/trigger.ts";
import type { Reply } from "../../src/lib/contract/mount.ts";
import { randomId } from "../../src/lib/util/id.ts";

export { Directory, Inbox, Mailer };

const PURGE = 500;

export class Workspace extends Production {
  /** Rows written since `count`, by finished statements. */
  #rows = 0;

  async count(): Promise<void> {
    const { sql } = this.ctx.storage;
    const exec = sql.exec.bind(sql);
    // A cursor reports written rows after its statement ends.
    let last: { rowsWritten: number } = { rowsWritten: 0 };
    sql.exec = ((...query: Parameters<typeof exec>) => {
      this.#rows += last.rowsWritten;
      const cursor = exec(...query);
      last = cursor;
      return cursor;
    }) as typeof sql.exec;
  }

  async rows(): Promise<number> {
    return this.#rows;
  }

  async sql(query: string, values: SqlStorageValue[]): Promise<Record<string, unknown>[]> {
    return this.ctx.storage.sql.exec(query, ...values).toArray();
  }

  async begin(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
  }

  /** The pump may already be running. */
  async work(workflow: number): Promise<void> {
    const due = () =>
      this.ctx.storage.sql
        .exec("SELECT 1 FROM runs WHERE workflow = ? AND wake <= ? LIMIT 1", workflow, Date.now())
        .toArray();
    await this.alarm();
    while (due().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async enter(from: number, to: number): Promise<void> {
    const { sql } = this.ctx.storage;
    const numbers = Array.from({ length: to - from }, (_, i) => from + i);
    this.ctx.storage.transactionSync(() => {
      const context = this.#bare();
      context.after.writes = contactsByNumber(sql, numbers).map((after) => ({
        before: undefined,
        after,
        signsUp: true,
      }));
      startRuns(context);
    });
  }

  async purge(slices: number): Promise<void> {
    for (let slice = 0; slice < slices; slice++)
      for (const chore of chores) await chore.run(this.ctx.storage.sql, Date.now(), PURGE);
  }

  /** The rate limit must not affect the figures. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }

  #bare(): Context {
    return {
      sql: this.ctx.storage.sql,
      now: Date.now(),
      id: randomId,
      origin: "",
      domain: "",
      sendingIps: [],
      mail: { envelope: undefined, envelopeClasses: [], inboxOnly: [], notes: [] },
      publicUrl: "",
      hasBucket: false,
      after: nothing(),
    };
  }
}

type Env = Parameters<typeof email.fetch>[1];
type Bench = {
  getByName(name: string): Pick<Workspace, "begin" | "count" | "enter" | "purge" | "rows" | "sql" | "work">;
};
type Asked = { team: string; what: keyof ReturnType<Bench["getByName"]>; given: unknown[] };

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/bench") return email.fetch(request, env, context);
    const { team, what, given } = (await request.json()) as Asked;
    const workspace = (env.WORKSPACE as unknown as Bench).getByName(team);
    const method = workspace[what] as (...values: unknown[]) => Promise<unknown>;
    return Response.json((await method(...given)) ?? null);
  },
} satisfies ExportedHandler<Env>;
