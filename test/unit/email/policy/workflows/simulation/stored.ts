import type { ModelWorkflow } from "./model.ts";
import type { MessagesOf, ModelActivity, ModelContact } from "./people.ts";

export type RunRow = {
  contact: number;
  workflow: number;
  seq: number;
  node: number;
  since: number;
  wake: number | null;
  ended: string | null;
  path: string;
};
export type MessageRow = { id: string; workflow: number; node: string; removed: number };

type ContactRow = {
  n: number;
  id: string;
  email: string | null;
  user_id: string | null;
  data: string;
  updated_at: number;
};
export type SendRow = { id: string; message: string; state: string; settledAt: number | null };
type WorkflowRow = {
  n: number;
  id: string;
  revision: string;
  status: ModelWorkflow["status"];
  paused_at: number | null;
  list: string | null;
  graph: string;
};

export const storedIn = (sql: SqlStorage) => {
  const graphs = new Map<string, ModelWorkflow["graph"]>();
  const graphOf = (text: string): ModelWorkflow["graph"] => {
    const known = graphs.get(text) ?? (JSON.parse(text) as ModelWorkflow["graph"]);
    graphs.set(text, known);
    return known;
  };
  // run_purge is a position in the table of runs, not data of a contact.
  const tables = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'run_purge'",
    )
    .toArray()
    .map(({ name }) => ({
      name,
      columns: sql
        .exec<{ name: string }>("SELECT name FROM pragma_table_xinfo(?)", name)
        .toArray()
        .map((column) => column.name),
    }));
  let rolledBack = 0;
  const once = <Value>(read: () => Value): (() => Value) => {
    let known: { version: string; value: Value } | undefined;
    return () => {
      const version = `${rolledBack} ${sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n}`;
      known = known?.version === version ? known : { version, value: read() };
      return known.value;
    };
  };
  const messages = once(() =>
    sql
      .exec<MessageRow>(
        "SELECT id, workflow, node, removed_at IS NOT NULL AS removed FROM email_messages WHERE workflow IS NOT NULL",
      )
      .toArray(),
  );
  const workflows = once((): ModelWorkflow[] =>
    sql
      .exec<WorkflowRow>(
        "SELECT n, id, revision, status, paused_at, list, graph FROM workflows WHERE deleted_at IS NULL ORDER BY n",
      )
      .toArray()
      .map(({ paused_at, graph, ...row }) => ({ ...row, pausedAt: paused_at ?? 0, graph: graphOf(graph) })),
  );
  return {
    messages,
    workflows,
    rolledBack: () => {
      rolledBack += 1;
    },
    /** `settledAt`: Unix ms, null while a mail waits. */
    sends: () =>
      sql
        .exec<SendRow>(
          `SELECT s.id, m.id AS message, s.state, s.settled_at AS settledAt FROM sends s
           JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message WHERE m.workflow IS NOT NULL`,
        )
        .toArray(),
    contacts: once(
      (): ReadonlyMap<number, ModelContact> =>
        new Map(
          sql
            .exec<ContactRow>("SELECT n, id, email, user_id, json(data) AS data, updated_at FROM contacts")
            .toArray()
            .map(({ n, id, email, user_id, data, updated_at }) => {
              const { subscribed, optInStatus, mailingLists, properties } = JSON.parse(data);
              const lists = Object.keys(mailingLists);
              const own = { n, id, email, userId: user_id, updatedAt: updated_at };
              return [n, { ...own, subscribed, optIn: optInStatus, lists, ...properties }];
            }),
        ),
    ),
    runs: (): RunRow[] =>
      sql
        .exec<RunRow>(
          "SELECT contact, workflow, seq, node, since, wake, ended, path FROM runs ORDER BY contact, workflow, seq",
        )
        .toArray(),
    pending: once(
      () =>
        new Set(
          sql
            .exec<{ key: string }>(
              "SELECT (one.value->>0) || ' ' || workflow || ' ' || (one.value->>1) AS key FROM sweeps, json_each(runs) AS one",
            )
            .toArray()
            .map(({ key }) => key),
        ),
    ),
    /** Mails of existing workflows, as "message contact seq". */
    mails: (): string[] =>
      sql
        .exec<{ mail: string }>(
          "SELECT m.id || ' ' || e.contact || ' ' || e.run AS mail FROM engagement e JOIN email_messages m ON m.n = e.message JOIN workflows w ON w.n = m.workflow WHERE w.deleted_at IS NULL",
        )
        .toArray()
        .map(({ mail }) => mail)
        .sort(),
    mailsOf: (contact: number, workflow: number, seq: number): number =>
      sql
        .exec<{ count: number }>(
          `SELECT count(*) AS count FROM engagement e JOIN email_messages m ON m.n = e.message
           WHERE e.contact = ? AND e.run = ? AND m.workflow = ?`,
          contact,
          seq,
          workflow,
        )
        .one().count,
    activityOf: (contact: number): ModelActivity => {
      const rows = sql
        .exec<{ id: string; sent: number; opened: number; clicked: number }>(
          `SELECT m.id, e.sent_at IS NOT NULL AS sent, e.opened_at IS NOT NULL AS opened, e.clicked_at IS NOT NULL AS clicked
           FROM engagement e JOIN email_messages m ON m.n = e.message WHERE e.contact = ?`,
          contact,
        )
        .toArray();
      const idsOf = (action: keyof ModelActivity) => rows.filter((row) => row[action] === 1).map(({ id }) => id);
      return { sent: idsOf("sent"), opened: idsOf("opened"), clicked: idsOf("clicked") };
    },
    messagesOf: (): MessagesOf => {
      const all = messages();
      const named = new Map(workflows().map(({ n, id }) => [id, n]));
      return (target, id) =>
        all
          .filter((one) => (target === "workflow" ? one.workflow === named.get(id) : one.id === id || one.node === id))
          .map((one) => one.id);
    },
    tracesOf: ({ n, id }: Pick<ModelContact, "n" | "id">): string[] =>
      tables.flatMap(({ name, columns }) => {
        const own = columns.includes("contact") ? "contact = ?1" : "0";
        const text = columns.map((column) => `instr(CAST("${column}" AS TEXT), ?2) > 0`).join(" OR ");
        const found = sql.exec(`SELECT ?1 FROM "${name}" WHERE ${own} OR ${text} LIMIT 1`, n, id).toArray();
        return found.length > 0 ? [name] : [];
      }),
    suppressed: (): string[] =>
      sql
        .exec<{ email_key: string }>("SELECT email_key FROM suppressions")
        .toArray()
        .map(({ email_key }) => email_key),
  };
};

export type Stored = ReturnType<typeof storedIn>;
