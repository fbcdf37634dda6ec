import { DurableObject } from "cloudflare:workers";
import type { Reply } from "../../lib/contract/mount.ts";
import { pageOf } from "../../lib/contract/pagination.ts";
import { DAY_MS, isoOf } from "../../lib/util/dates.ts";
import { migrate } from "../../lib/util/migrate.ts";
import type { Env } from "../env.ts";
import type { DirectoryRpc, Listed } from "../types/directory-rpc.ts";
import { schema } from "./directory/schema.ts";

const PROBLEM_KEPT_MS = DAY_MS;
const MAX_PROBLEMS = 20;
/** Characters: a mail provider may answer with a page. */
const MAX_PROBLEM = 500;

type Row = { n: number; id: string; name: string; created_at: number };

export class Directory extends DurableObject<Env> implements DirectoryRpc {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, schema);
  }

  async register({ id, name, createdAt }: Listed): Promise<void> {
    this.ctx.storage.sql.exec(
      `INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name != excluded.name`,
      id,
      name,
      createdAt,
    );
  }

  async keepSenderProblems(team: string, problems: readonly string[], now: number): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec("DELETE FROM sender_problems WHERE team = ? OR kept_until <= ?", team, now);
    for (const problem of problems.slice(0, MAX_PROBLEMS)) {
      sql.exec(
        "INSERT OR IGNORE INTO sender_problems (team, problem, kept_until) VALUES (?, ?, ?)",
        team,
        problem.slice(0, MAX_PROBLEM),
        now + PROBLEM_KEPT_MS,
      );
    }
  }

  async senderProblems(now: number): Promise<string[]> {
    return this.ctx.storage.sql
      .exec<{ problem: string }>(
        "SELECT DISTINCT problem FROM sender_problems WHERE kept_until > ? LIMIT ?",
        now,
        MAX_PROBLEMS,
      )
      .toArray()
      .map(({ problem }) => problem);
  }

  async list(asked: { perPage?: number; cursor?: string }, origin: string): Promise<Reply> {
    const { sql } = this.ctx.storage;
    const { total } = sql.exec<{ total: number }>("SELECT count(*) AS total FROM teams").one();
    const rows = (before: number, count: number) =>
      sql.exec<Row>("SELECT * FROM teams WHERE n < ? ORDER BY n DESC LIMIT ?", before, count).toArray();
    const page = pageOf(`${origin}/admin/teams`, asked, total, rows, ({ id, name, created_at }) => ({
      id,
      name,
      createdAt: isoOf(created_at),
    }));
    return page.refusal ? { refusal: page.refusal } : { status: 200, body: page.body };
  }
}
