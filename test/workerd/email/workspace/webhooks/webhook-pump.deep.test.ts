import { describe, expect, it, vi } from "vitest";
import type { Attempted, OutgoingBatch } from "../../../../../src/email/types/notifier-rpc.ts";
import { emit } from "../../../../../src/email/workspace/webhooks/emit.ts";
import { createWebhookPump } from "../../../../../src/email/workspace/webhooks/webhook-pump.ts";
import { createRandom } from "../../../simulation/random.ts";
import { createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

const about = (n: number) => ({ contactIdentity: { id: `con_${n}`, email: `c${n}@example.com`, userId: null } });
const emitMany = (sql: SqlStorage, from: number, count: number, now: number) => {
  for (let n = from; n < from + count; n++) emit({ sql, now }, "contact.deleted", about(n));
};

const teamWith = async (...ids: string[]): Promise<Team> => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam();
  for (const id of ids) {
    await team.run(
      `INSERT INTO webhook_endpoints (id, url, description, events, secret, failures, resume_at, created_at)
       VALUES (?, 'https://app.example.com/', '', '[]', 'whsec_AAAA', 0, 0, 0)`,
      id,
    );
  }
  return team;
};

const answered = (batch: OutgoingBatch, at: number, status: number): Attempted[] =>
  batch.events.map(({ event }) => ({ event, at, ms: 5, status, response: "" }));

type Deliver = (batch: OutgoingBatch, name: string) => Promise<Attempted[]>;

const pumpOn = (sql: SqlStorage, clock: { now: number }, random: () => number, deliver: Deliver) =>
  createWebhookPump({
    sql,
    random,
    transaction: (work) => work(),
    team: () => "acme",
    wake: () => {},
    now: () => clock.now,
    notifier: (name) => ({ deliver: (batch) => deliver(batch, name) }),
  });

describe("the pump of outgoing webhooks", () => {
  it("hands over at most 40 batches of all endpoints in an event", async () => {
    const team = await teamWith("whk_a", "whk_b", "whk_c");
    await team.inside(async (sql) => {
      emitMany(sql, 0, 400, START);
      const clock = { now: START + 1_000 };
      let batches = 0;
      const pump = pumpOn(
        sql,
        clock,
        () => 0.5,
        async (batch) => {
          batches += 1;
          return answered(batch, clock.now, 200);
        },
      );
      const counts: number[] = [];
      while (pump.next() <= clock.now) {
        batches = 0;
        await Promise.all(pump.run());
        counts.push(batches);
      }
      // 400 events of three endpoints, 20 at once.
      expect(counts).toEqual([40, 20]);
    });
  });

  it("loses no event, whatever crashes between two steps, and delivers none after its success was recorded", async () => {
    const team = await teamWith("whk_a", "whk_b");
    await team.inside(async (sql) => {
      let clock = { now: START };
      let emitted = 0;
      const taken = new Set<string>();
      const again: string[] = [];
      for (let seed = 1; seed <= 100; seed++) {
        const random = createRandom(seed).next;
        let crashed = false;
        clock = { now: clock.now + Math.round(random() * 600_000) };
        const time = clock;
        const dead = () => new Promise<never>(() => {});
        const pump = pumpOn(sql, time, random, async (batch, name) => {
          if (crashed || random() < 0.1) return dead();
          const status = random() < 0.3 ? 500 : 200;
          const part = random() < 0.2 ? { ...batch, events: batch.events.slice(0, 1) } : batch;
          for (const { id } of status === 200 ? part.events : []) {
            const [row] = sql
              .exec<{ state: string }>(
                `SELECT d.state FROM webhook_notifications d JOIN webhook_events e ON e.n = d.event
                   JOIN webhook_endpoints w ON w.n = d.endpoint
                 WHERE e.id = ? AND 'acme:' || w.id = ? AND d.state = 'waiting'`,
                id,
                name,
              )
              .toArray();
            if (!row) again.push(id);
            taken.add(`${name} ${id}`);
          }
          await Promise.resolve();
          if (crashed || random() < 0.1) return dead();
          if (random() < 0.1) throw new Error("reset");
          return answered(part, time.now, status);
        });
        for (let step = 0; step < 5; step++) {
          const count = Math.round(random() * 5);
          emitMany(sql, emitted, count, time.now);
          emitted += count;
          pump.run();
          await new Promise((resolve) => setTimeout(resolve, 0));
          time.now += Math.round(random() * 30_000);
        }
        crashed = true;
      }
      const time = { now: clock.now + 7 * 3_600_000 };
      const pump = pumpOn(
        sql,
        time,
        () => 0.5,
        async (batch, name) => {
          for (const { id } of batch.events) taken.add(`${name} ${id}`);
          return answered(batch, time.now, 200);
        },
      );
      for (let step = 0; step < 20; step++) {
        await Promise.all(pump.run());
        time.now += 600_000;
      }
      const states = sql.exec("SELECT state, count(*) AS n FROM webhook_notifications GROUP BY state").toArray();
      expect(emitted).toBeGreaterThan(500);
      expect(states).toEqual([{ state: "delivered", n: 2 * emitted }]);
      expect(again).toEqual([]);
      expect(taken.size).toBe(2 * emitted);
    });
  });

  it("holds at most 20 of 10 000 events of a slow endpoint at a time, and retries them in order", async () => {
    const team = await teamWith("whk_slow");
    await team.inside(async (sql) => {
      const time = { now: START };
      emitMany(sql, 0, 10_000, START);
      let inFlight = 0;
      let most = 0;
      const order: number[] = [];
      const failOnce = new Set<number>();
      const pump = pumpOn(
        sql,
        time,
        () => 0.5,
        async (batch) => {
          inFlight += batch.events.length;
          most = Math.max(most, inFlight);
          time.now += 1_000;
          await Promise.resolve();
          inFlight -= batch.events.length;
          return batch.events.map(({ event }) => {
            const fails = event % 10 === 0 && !failOnce.has(event);
            if (fails) failOnce.add(event);
            else order.push(event);
            return { event, at: time.now, ms: 50, status: fails ? 500 : 200, response: "" };
          });
        },
      );
      for (let step = 0; step < 50; step++) await Promise.all(pump.run());
      expect(most).toBeLessThanOrEqual(20);
      expect(order).toHaveLength(10_000);
      const first = order.filter((event) => event % 10 !== 0);
      const second = order.filter((event) => event % 10 === 0);
      expect(first).toEqual(first.toSorted((a, b) => a - b));
      expect(second).toEqual(second.toSorted((a, b) => a - b));
      expect(sql.exec("SELECT 1 FROM webhook_notifications WHERE state <> 'delivered'").toArray()).toEqual([]);
    });
  });

  it("asks an endpoint that is deleted or disabled meanwhile for nothing more", async () => {
    const team = await teamWith("whk_a", "whk_b");
    await team.inside(async (sql) => {
      const time = { now: START };
      emitMany(sql, 0, 100, START);
      const asked: number[] = [];
      const pump = pumpOn(
        sql,
        time,
        () => 0.5,
        async (batch) => {
          asked.push(batch.events.length);
          await Promise.resolve();
          sql.exec("UPDATE webhook_endpoints SET deleted_at = 1 WHERE id = 'whk_a'");
          sql.exec("UPDATE webhook_endpoints SET disabled_at = 1, disabled_reason = 'manual' WHERE id = 'whk_b'");
          return answered(batch, time.now, 200);
        },
      );
      await Promise.all(pump.run());
      expect(asked).toEqual([20, 20]);
      expect(pump.next()).toBe(Number.POSITIVE_INFINITY);
      expect(pump.run()).toEqual([]);
    });
  });
});
