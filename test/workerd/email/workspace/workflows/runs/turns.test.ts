import { expect, it, vi } from "vitest";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { claimSends } from "../../../../../../src/email/workspace/sending/claims.ts";
import { advance, createTeam, isolated, runAlarm } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";
import { addReady } from "./bench.ts";

isolated();

const enter = (sql: SqlStorage, workflow: string, count: number): void => {
  const { n, k } = sql
    .exec<{ n: number; k: number }>(
      `SELECT n, graph->'$.nodes'->(graph->>'$.root')->>'k' AS k FROM workflows WHERE id = ?`,
      workflow,
    )
    .one();
  const data = JSON.stringify({ subscribed: true, optInStatus: null, mailingLists: {}, properties: {} });
  for (let i = 0; i < count; i++) {
    const { contact } = sql
      .exec<{ contact: number }>(
        `INSERT INTO contacts (id, email, email_key, data, created_at, updated_at) VALUES (?1, ?2, ?2, jsonb(?3), 0, 0)
         RETURNING n AS contact`,
        `con_${workflow}_${i}`,
        `${workflow}-${i}@example.com`,
        data,
      )
      .one();
    sql.exec(
      "INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path) VALUES (?, ?, 1, ?, 0, ?, 0, '[]')",
      contact,
      n,
      k,
      Date.now(),
    );
  }
};

const claim = (sql: SqlStorage, limit: number): string[] => {
  const wanted = { mailClass: "marketing", mailer: "test", limit, copiesOf: () => [] } as const;
  return claimSends({ sql, now: Date.now() }, wanted).sends.map(
    ({ n }) => sql.exec<{ origin: string }>("SELECT origin FROM sends WHERE n = ?", n).one().origin,
  );
};

const mail = { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing" as const], notes: [] };

it("a first mail does not wait behind the many mails of another workflow", async () => {
  const team = await createTeam();
  const large = await addReady(team, "Large");
  const small = await addReady(team, "Small");
  for (const { id } of [large, small]) expect((await team.admin("POST", `/workflows/${id}/start`)).status).toBe(200);
  const { first, rest } = await team.inside(async (sql) => {
    const pump = createRunPump({
      context: () => ({ ...contextOf(sql), mail }),
      transaction: (work) => work(),
      pause: async () => {},
      follow: () => {},
    });
    enter(sql, large.id, 300);
    await pump.run(100);
    advance(500);
    enter(sql, small.id, 1);
    await pump.run(100);
    return { first: claim(sql, 20), rest: [...Array.from({ length: 20 }, () => claim(sql, 50))].flat() };
  });
  expect(first).toContain(small.id);
  expect(first).toContain(large.id);
  expect(rest).toHaveLength(281);
});

it("an alarm during the slices of a request ends after them, and no contact is left", async () => {
  const team = await createTeam();
  const { id } = await addReady(team, "Large");
  expect((await team.admin("POST", `/workflows/${id}/start`)).status).toBe(200);
  const due = "SELECT count(*) AS due FROM runs WHERE ended IS NULL AND wake <= ?";
  const left = await team.inside(async (sql) => {
    const pump = createRunPump({
      context: () => ({ ...contextOf(sql), mail }),
      transaction: (work) => work(),
      pause: () => new Promise((resolve) => setTimeout(resolve, 1)),
      follow: () => {},
    });
    const dueNow = () => Number(sql.exec(due, Date.now()).one().due);
    enter(sql, id, 300);
    const request = pump.run(100);
    const during = dueNow();
    await pump.run(1);
    const after = dueNow();
    await request;
    return { during: during > 0, after };
  });
  expect(left).toEqual({ during: true, after: 0 });
});

it("an event sets its alarm once, though runs are long due and places in the queue lie in the past: it is not lost", async () => {
  const team = await createTeam();
  const { id } = await addReady(team);
  expect((await team.admin("POST", `/workflows/${id}/start`)).status).toBe(200);
  await runAlarm(team.stub);
  await team.inside((sql) => enter(sql, id, 600));
  advance(7_200_000);
  const set = await team.inside(async (_, storage) => {
    await storage.setAlarm(Date.now());
    return vi.spyOn(storage, "setAlarm");
  });
  await runAlarm(team.stub);
  expect(await team.rows("SELECT count(*) AS left FROM runs WHERE since = 0")).toEqual([{ left: 100 }]);
  expect(set.mock.calls).toEqual([[Date.now()]]);
  expect((await team.stub.pulse({}))?.problems).toEqual([]);
});
