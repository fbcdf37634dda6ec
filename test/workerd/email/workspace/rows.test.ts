import { expect, it } from "vitest";
import { nothing } from "../../../../src/email/workspace/base/context.ts";
import { runCall } from "../../../../src/email/workspace/runtime/call.ts";
import { deliver } from "../../../../src/email/workspace/sending/deliver.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { randomId } from "../../../../src/lib/util/id.ts";
import { advance, createTeam, isolated } from "../bench.ts";

isolated();

type Rows = { accepted: number; delivered?: number; key?: string };

/** Rows written are what Cloudflare bills. Each figure includes 1 for the rate window. */
const expected: [name: string, input: Record<string, unknown>, rows: Rows][] = [
  ["contacts.create", { email: "ada@example.com", firstName: "Ada" }, { accepted: 3 }],
  ["contacts.create", { email: "bo@example.com", userId: "u2" }, { accepted: 4 }],
  ["contacts.update, a property", { userId: "u2", firstName: "Bo" }, { accepted: 2 }],
  ["contacts.update, nothing new", { userId: "u2", firstName: "Bo" }, { accepted: 1 }],
  ["contacts.update, the email", { userId: "u2", email: "b@example.com" }, { accepted: 3 }],
  ["contacts.find", { userId: "u2" }, { accepted: 1 }],
  ["events.send, first of its name", { userId: "u2", eventName: "paid", eventProperties: { a: 1 } }, { accepted: 5 }],
  ["events.send", { userId: "u2", eventName: "paid", eventProperties: { a: 2 } }, { accepted: 3 }],
  ["events.send, with a key", { userId: "u2", eventName: "paid" }, { accepted: 4, key: "k" }],
  [
    "transactional.send",
    { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
    { accepted: 3, delivered: 2 },
  ],
  [
    "transactional.send, with a key",
    { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
    { accepted: 4, delivered: 2, key: "k" },
  ],
  ["transactional.list", {}, { accepted: 1 }],
  ["contactProperties.create", { name: "plan", type: "string" }, { accepted: 2 }],
  ["contactProperties.list", {}, { accepted: 1 }],
  ["suppression.get", { userId: "u2" }, { accepted: 1 }],
  ["lists.list", {}, { accepted: 1 }],
  ["eventPatterns.list", {}, { accepted: 1 }],
  ["eventPatterns.getByName", { eventName: "paid" }, { accepted: 1 }],
  ["transactionalEmails.list", {}, { accepted: 2 }],
  ["transactionalEmails.get", { transactionalId: "tpl_welcome" }, { accepted: 2 }],
  ["dedicatedSendingIps.list", {}, { accepted: 1 }],
  ["contacts.delete", { userId: "u2" }, { accepted: 5 }],
];

it("an operation writes this many rows", async () => {
  const team = await createTeam({ samples: true });
  const keyHash = await digest(team.key);
  const counted = await team.inside(async (real) => {
    let cursors: { rowsWritten: number }[] = [];
    const exec: SqlStorage["exec"] = (query, ...values) => {
      const cursor = real.exec(query, ...values);
      cursors.push(cursor);
      return cursor as never;
    };
    const sql = { exec } as SqlStorage;
    const storage = { sql, transactionSync: <T>(work: () => T) => work() } as unknown as DurableObjectStorage;
    const written = () => {
      const sum = cursors.reduce((total, { rowsWritten }) => total + rowsWritten, 0);
      cursors = [];
      return sum;
    };
    const figures: [string, object][] = [];
    for (const [name, input, { key, delivered }] of expected) {
      advance(1_000);
      const context = {
        sql,
        now: Date.now(),
        id: randomId,
        domain: "mail.example.com",
        sendingIps: [],
        after: nothing(),
      };
      const [operation = ""] = name.split(",");
      const call = {
        operation,
        input,
        ...(key === undefined ? {} : { idempotencyKey: key }),
      };
      expect(runCall(storage, context, { keyHash, call }), name).toMatchObject({ status: 200 });
      const accepted = written();
      const outside = { now: Date.now, random: () => 0.5, wake: () => {} };
      await deliver(sql, { name: "test", send: async () => ({ ok: true }) }, outside, context.after.sends);
      const after = written();
      figures.push([
        name,
        { accepted, ...(delivered === undefined ? {} : { delivered: after }), ...(key === undefined ? {} : { key }) },
      ]);
    }
    return figures;
  });
  expect(counted).toEqual(expected.map(([name, , rows]) => [name, rows]));
});
