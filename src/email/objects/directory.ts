import { DurableObject } from "cloudflare:workers";
import type { Reply } from "../../lib/contract/mount.ts";
import { pageOf } from "../../lib/contract/pagination.ts";
import { type Migration, migrate } from "../../lib/util/migrate.ts";
import type { Env } from "../env.ts";
import type { DirectoryRpc, Listed } from "../types/directory.ts";

const migrations: readonly Migration[] = [
  {
    version: 1,
    // Kept for ever.
    statements: [
      `CREATE TABLE teams (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
    ],
  },
];

type Row = { n: number; id: string; name: string; created_at: number };

/** The list of teams. Everything else about a team is in its own object. */
export class Directory extends DurableObject<Env> implements DirectoryRpc {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, migrations);
  }

  async register({ id, name, createdAt }: Listed): Promise<void> {
    this.ctx.storage.sql.exec(
      `INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name != excluded.name`,
      ...[id, name, createdAt],
    );
  }

  async list(asked: { perPage?: number; cursor?: string }, origin: string): Promise<Reply> {
    const { sql } = this.ctx.storage;
    const { total } = sql.exec<{ total: number }>("SELECT count(*) AS total FROM teams").one();
    const rows = (before: number, count: number) =>
      sql.exec<Row>("SELECT * FROM teams WHERE n < ? ORDER BY n DESC LIMIT ?", before, count).toArray();
    const page = pageOf(`${origin}/admin/teams`, asked, total, rows, ({ id, name, created_at }) => ({
      id,
      name,
      createdAt: new Date(created_at).toISOString(),
    }));
    return page.refusal ? { refusal: page.refusal } : { status: 200, body: page.body };
  }
}
