import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Migration, migrate } from "../../../../src/lib/util/migrate.ts";
import { migrations } from "../../../../src/outbox/model/schema.ts";
import type { Outbox } from "../../../../src/outbox/outbox.ts";
import { createBench, mail, outboxNamed } from "../setup.ts";

const next: Migration = {
  version: (migrations.at(-1)?.version ?? 0) + 1,
  statements: ["ALTER TABLE webhooks ADD COLUMN note TEXT", "UPDATE webhooks SET note = 'migrated'"],
};

const inStorage = <T>(stub: DurableObjectStub<Outbox>, use: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(stub, (_: Outbox, state) => use(state.storage));

describe("migrations", () => {
  it("have numbers that go up", () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it("bring a state of one version to the next with all its rows", async () => {
    const { accept, stub } = await createBench();
    await accept({ calls: [mail({ email: "ada@example.com" })] });
    const after = await inStorage(stub(), (storage) => {
      const applied = [migrate(storage, [...migrations, next]), migrate(storage, [...migrations, next])];
      return { applied, notes: storage.sql.exec("SELECT note FROM webhooks").toArray() };
    });
    expect(after).toEqual({ applied: [[next.version], []], notes: [{ note: "migrated" }] });
  });

  it("version 2 renames the stored interruption and keeps its values", async () => {
    const { stub } = await createBench();
    const facts = await inStorage(stub(), (storage) => {
      const { sql } = storage;
      const old = {
        pause: { reason: "held", message: "Invalid API key", since: 1, until: 2, probes: 3 },
        stops: { all: 4, sources: { stripe: 5 } },
        holds: { "": [[6, 7]] },
        alerts: {
          entries: { "delivery.held ": { kind: "delivery.held", subject: "", since: 8 } },
          pending: [{ id: "msg_1", body: '{"type":"delivery.held"}' }],
        },
      };
      for (const [name, value] of Object.entries(old))
        sql.exec("INSERT INTO delivery (name, value) VALUES (?, ?)", name, JSON.stringify(value));
      sql.exec("DELETE FROM migrations WHERE version > 1");
      migrate(storage, migrations.slice(0, 2));
      return sql.exec<{ name: string; value: string }>("SELECT name, value FROM delivery ORDER BY name").toArray();
    });
    expect(facts.map(({ name, value }) => [name, JSON.parse(value)])).toEqual([
      [
        "alerts",
        {
          entries: { "delivery.blocked ": { kind: "delivery.blocked", subject: "", since: 8 } },
          pending: [{ id: "msg_1", body: '{"type":"delivery.held"}' }],
        },
      ],
      ["downtime", { "": [[6, 7]] }],
      ["interruption", { reason: "blocked", message: "Invalid API key", since: 1, until: 2, probes: 3 }],
      ["pauses", { all: 4, sources: { stripe: 5 } }],
    ]);
  });

  it("version 2 calls a stored rate limit a backoff", async () => {
    const { stub } = await createBench();
    const stored = await inStorage(stub(), (storage) => {
      const { sql } = storage;
      const value = { reason: "limited", message: "slow down", since: 1, until: 2, probes: 0 };
      sql.exec("INSERT INTO delivery (name, value) VALUES ('pause', ?)", JSON.stringify(value));
      sql.exec("DELETE FROM migrations WHERE version > 1");
      migrate(storage, migrations.slice(0, 2));
      return sql.exec<{ value: string }>("SELECT value FROM delivery WHERE name = 'interruption'").one().value;
    });
    expect(JSON.parse(stored)).toMatchObject({ reason: "backoff", message: "slow down" });
  });

  it("version 3 keeps stored links, as the strongest", async () => {
    const { stub } = await createBench();
    const rows = await inStorage(stub(), (storage) => {
      const { sql } = storage;
      sql.exec("ALTER TABLE contacts DROP COLUMN strength");
      sql.exec(
        "INSERT INTO contacts (key, same_as, email, told_at, seen_at) VALUES ('ref:stripe:cus_1', 'email:a@b.example', 'a@b.example', 1, 1)",
      );
      sql.exec("DELETE FROM migrations WHERE version > 2");
      migrate(storage, migrations.slice(0, 3));
      return sql.exec("SELECT key, same_as, strength FROM contacts").toArray();
    });
    expect(rows).toEqual([{ key: "ref:stripe:cus_1", same_as: "email:a@b.example", strength: 2 }]);
  });

  it("version 4 keeps stored watermarks, without subscriptions", async () => {
    const { stub } = await createBench();
    const rows = await inStorage(stub(), (storage) => {
      const { sql } = storage;
      sql.exec("ALTER TABLE contacts DROP COLUMN subscriptions");
      sql.exec(`INSERT INTO contacts (key, told_at, marks, seen_at) VALUES ('user:1', 0, '{"plan":[1,0]}', 1)`);
      sql.exec("DELETE FROM migrations WHERE version > 3");
      migrate(storage, migrations.slice(0, 4));
      return sql.exec("SELECT key, marks, subscriptions FROM contacts").toArray();
    });
    expect(rows).toEqual([{ key: "user:1", marks: '{"plan":[1,0]}', subscriptions: null }]);
  });

  it("version 5 counts the calls that need a person", async () => {
    const { stub } = await createBench();
    const call = (state: string, ...acts: string[]) => ({ state, acts: acts.map((act) => ({ act })) });
    const stored: [text: string, attention: number][] = [
      [JSON.stringify([call("done"), call("waiting")]), 0],
      [JSON.stringify([call("dead"), call("parked"), { state: "dead" }]), 3],
      [JSON.stringify([call("dead", "retry", "discard"), call("dead", "forget")]), 0],
      [JSON.stringify([call("dead", "discard", "retry"), { state: "done", message: '"state":"dead"' }]), 1],
      ['[{"state":"dead"', 0],
    ];
    const rows = await inStorage(stub(), (storage) => {
      const { sql } = storage;
      sql.exec("DROP TABLE activity");
      sql.exec("DROP INDEX webhooks_attention");
      sql.exec("ALTER TABLE webhooks DROP COLUMN attention");
      for (const [n, [calls]] of stored.entries())
        sql.exec(
          `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, calls, open)
           VALUES (?1, 's', 'e' || ?1, 't', 0, 0, 0, '{}', '[]', ?2, 0)`,
          n + 1,
          calls,
        );
      sql.exec("DELETE FROM migrations WHERE version > 4");
      migrate(storage, migrations.slice(0, 5));
      return sql.exec<{ attention: number }>("SELECT attention FROM webhooks ORDER BY seq").toArray();
    });
    expect(rows.map(({ attention }) => attention)).toEqual(stored.map(([, attention]) => attention));
  });

  it("are all or nothing: one that fails leaves the state as it was", async () => {
    const { stub } = await createBench();
    const broken: Migration = {
      version: next.version,
      statements: ["ALTER TABLE webhooks ADD COLUMN note TEXT", "NOT SQL"],
    };
    const outcome = await inStorage(stub(), (storage) => {
      let message = "";
      try {
        migrate(storage, [...migrations, broken]);
      } catch (error) {
        message = (error as Error).message;
      }
      const columns = storage.sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('webhooks')").toArray();
      return { message, columns: columns.map(({ name }) => name), again: migrate(storage, migrations) };
    });
    expect(outcome.message).toContain("syntax error");
    expect(outcome.columns).not.toContain("note");
    expect(outcome.again).toEqual([]);
  });

  it("refuse a state that newer code has written", async () => {
    const { stub } = await createBench();
    const message = await inStorage(stub(), (storage) => {
      migrate(storage, [...migrations, next]);
      try {
        migrate(storage, migrations);
        return "accepted";
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(message).toContain("Deploy the newer version");
  });

  it("run when an object is first touched", async () => {
    const stub = outboxNamed("untouched");
    expect(await stub.status()).toMatchObject({ waiting: 0, late: 0, interruption: null });
  });
});
