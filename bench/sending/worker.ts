// Bench only.
import { DurableObject } from "cloudflare:workers";
import email, { Directory, Inbox, Mailer, Workspace as Production } from "../../src/email/index.ts";
import type { CompiledMessage } from "../../src/email/types/compiled-message.ts";
import { type Claim, type ClaimedSend, mailerName } from "../../src/email/types/mailer-rpc.ts";
import type { TeamRequest } from "../../src/email/types/workspace-rpc.ts";
import type { Reply } from "../../src/lib/contract/mount.ts";

export { Directory, Inbox, Mailer };

type Env = Parameters<typeof email.fetch>[1];

/** Mails of one Mailer, as in src/email/workspace/object.ts. */
const CAPACITY = 100;

const AUDIENCE = `
WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?2)
INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
SELECT ?1 + i, 'con_' || (?1 + i), 'person' || (?1 + i) || '@example.com', 'person' || (?1 + i) || '@example.com',
  jsonb('{"firstName":"Ada","subscribed":true,"optInStatus":null,"mailingLists":{},"properties":{}}'), 0, 0
FROM s`;

/** `?1`: first number. `?3`: Unix ms. */
const FILL = `
WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?2)
INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview, contact, run)
SELECT ?1 + i, 'snd_' || (?1 + i), 'marketing', ?4, 'person' || (?1 + i) || '@example.com', 'person' || (?1 + i) || '@example.com',
  '<snd_' || (?1 + i) || '@acme.example>', 'queued', 0, ?3 + 3600000, '{}', ?3, 0, ?1 + i, 0
FROM s`;

/** `?3`: revision of the message. */
const ENGAGEMENT = `
WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?2)
INSERT INTO engagement (contact, message, run, send)
SELECT ?1 + i, (SELECT message FROM message_revisions WHERE n = ?3), 0, ?1 + i FROM s`;

export class Workspace extends Production {
  async add(count: number): Promise<void> {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const revision = this.#revision();
    const { last } = sql.exec("SELECT coalesce(max(n), 0) AS last FROM sends").one();
    const first = Math.max(Number(last), now * 1_000);
    sql.exec(AUDIENCE, first, count);
    sql.exec(FILL, first, count, now, revision);
    sql.exec(ENGAGEMENT, first, count, revision);
  }

  async begin(): Promise<void> {
    this.ctx.storage.sql.exec("UPDATE sends SET due = ? WHERE class = 'marketing' AND state = 'queued'", Date.now());
    await this.alarm();
  }

  async states(): Promise<Record<string, unknown>[]> {
    return this.ctx.storage.sql
      .exec("SELECT class, state, count(*) AS mails FROM sends GROUP BY class, state")
      .toArray();
  }

  async written(): Promise<CompiledMessage | undefined> {
    return this.content(this.#revision());
  }

  #revision(): number {
    const query = "SELECT revision FROM email_messages WHERE campaign IS NOT NULL";
    return this.ctx.storage.sql.exec<{ revision: number }>(query).one().revision;
  }

  /** The rate limit must not affect the figures. */
  override async run(request: TeamRequest): Promise<Reply> {
    this.ctx.storage.sql.exec("UPDATE rate SET hits = '[]'");
    return super.run(request);
  }
}

/** A Workspace in memory, without rows. */
export class Memory extends DurableObject<Env> {
  #left = 0;
  #number = 0;
  #failed = 0;
  #settled = 0;
  #values = "{}";
  #content: CompiledMessage | undefined;

  async prepare(content: CompiledMessage, values: string): Promise<void> {
    this.#content = content;
    this.#values = values;
  }

  async add(count: number): Promise<void> {
    this.#left += count;
  }

  async begin(team: string, mailers: number): Promise<void> {
    for (let number = 0; number < mailers; number++)
      this.ctx.waitUntil(this.#work(mailerName(team, "marketing", number)));
  }

  async #work(name: string): Promise<void> {
    let known: Claim[] = [];
    for (let number = 1; ; number++) {
      const now = Date.now();
      const sends = this.#batch(CAPACITY - known.length);
      known = [...known, ...sends.map(({ n, attempt }) => ({ n, attempt }))];
      if (known.length === 0) return;
      const order = { stamp: [1, number] as const, until: now + 30_000, sends, known, wait: 5_000 };
      const answer = await this.env.MAILER.getByName(name).exchange(name, order);
      if (!("results" in answer)) return;
      this.#settled += answer.results.length;
      this.#failed += answer.results.filter(({ handover }) => handover.outcome !== "accepted").length;
      const done = new Set(answer.results.map(({ n }) => n));
      known = known.filter(({ n }) => !done.has(n));
    }
  }

  async content(): Promise<CompiledMessage | undefined> {
    return this.#content;
  }

  async states(): Promise<Record<string, unknown>[]> {
    return [
      { class: "marketing", state: "sent", mails: this.#settled - this.#failed },
      { class: "marketing", state: "failed", mails: this.#failed },
    ];
  }

  #batch(wants: number): ClaimedSend[] {
    const count = Math.max(0, Math.min(50, wants, this.#left));
    this.#left -= count;
    const now = Date.now();
    return Array.from({ length: count }, () => this.#next(now));
  }

  #next(now: number): ClaimedSend {
    const n = now * 1_000 + this.#number++;
    const id = `snd_${n}`;
    return {
      n,
      attempt: 1,
      id,
      revision: 1,
      recipient: `person${n}@example.com`,
      messageId: `<${id}@acme.example>`,
      values: this.#values,
      date: now,
      withheld: [],
      preview: false,
      attachments: 0,
      marketing: {
        contact: { n, id: `con_${n}` },
        message: 1,
        run: 0,
        isTracked: true,
        team: "Bench",
      },
    };
  }
}

type Methods = {
  add(count: number): Promise<void>;
  begin(team: string, mailers: number): Promise<void>;
  prepare(content: CompiledMessage, values: string): Promise<void>;
  states(): Promise<Record<string, unknown>[]>;
  written(): Promise<CompiledMessage | undefined>;
};
type Bench = { getByName(name: string): Methods };
type Asked = { what: keyof Methods; count?: number; mailers?: number; values?: string; content?: CompiledMessage };

const TEAM = "bench";

const answer = async (workspace: Methods, asked: Asked): Promise<unknown> => {
  const { what, count = 0, mailers = 0, values = "{}", content } = asked;
  if (what === "add") return workspace.add(count);
  if (what === "begin") return workspace.begin(TEAM, mailers);
  if (what === "prepare") return content && workspace.prepare(content, values);
  return workspace[what]();
};

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/bench") return email.fetch(request, env, context);
    const workspace = (env.WORKSPACE as unknown as Bench).getByName(TEAM);
    return Response.json((await answer(workspace, (await request.json()) as Asked)) ?? null);
  },
} satisfies ExportedHandler<Env>;
