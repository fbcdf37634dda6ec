import { expect, it } from "vitest";
import { FILL, nameOf } from "../../../../bench/fill.ts";
import { nothing } from "../../../../src/email/workspace/base/context.ts";
import { runCall } from "../../../../src/email/workspace/runtime/call.ts";
import type { operations } from "../../../../src/email/workspace/runtime/operations.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { randomId } from "../../../../src/lib/util/id.ts";
import { advance, createTeam, isolated } from "../bench.ts";

isolated();

const email = `person${nameOf(50)}@example.com`;
const userId = `user_${nameOf(51)}`;

/** Every operation, for one contact among the many. `npm run bench:contacts` measures the time of the busiest. */
const inputs: Record<keyof typeof operations, Record<string, unknown>[]> = {
  "apiKey.test": [{}],
  "contacts.create": [{ email: "new@example.com", userId: "new", plan: "pro" }],
  "contacts.update": [
    { email, plan: "free" },
    { userId, seats: 2 },
    { userId, email: "changed@example.com" },
  ],
  "contacts.find": [{ email }, { userId }],
  "contactProperties.create": [{ name: "fresh", type: "string" }],
  "contactProperties.list": [{}],
  "suppression.get": [{ email }],
  "suppression.remove": [{ email }],
  "lists.list": [{}],
  "events.send": [
    { email, eventName: "opened" },
    { userId, eventName: "opened", plan: "pro" },
  ],
  "eventPatterns.list": [{}],
  "eventPatterns.get": [{ eventPatternId: "evp_1" }],
  "eventPatterns.getByName": [{ eventName: "opened" }],
  "transactional.send": [
    { transactionalId: "tpl_welcome", email: "fresh@example.com", dataVariables: { name: "Ada" }, addToAudience: true },
  ],
  "transactional.list": [{}],
  "transactionalEmails.list": [{}],
  "transactionalEmails.get": [{ transactionalId: "tpl_welcome" }],
  "dedicatedSendingIps.list": [{}],
  "contacts.delete": [{ email }],
};

/** Rows each operation reads in a team with that many contacts. */
const rowsRead = async (contacts: number): Promise<[name: string, input: unknown, rows: number][]> => {
  const team = await createTeam({ id: `with-${contacts}`, samples: true, createProperties: true });
  await team.post("/contacts/create", { email: "first@example.com", plan: "pro", seats: 1 });
  await team.post("/events/send", { email: "first@example.com", eventName: "opened" });
  const keyHash = await digest(team.key);
  return team.inside((real) => {
    real.exec(FILL, 0, contacts - 1);
    real.exec("UPDATE event_patterns SET id = 'evp_1'");
    real.exec("INSERT INTO suppressions (email_key, reason, at) VALUES (?, 'bounce', 1)", email);
    let cursors: { rowsRead: number }[] = [];
    const exec: SqlStorage["exec"] = (query, ...values) => {
      const cursor = real.exec(query, ...values);
      cursors.push(cursor);
      return cursor as never;
    };
    const sql = { exec } as SqlStorage;
    const storage = { sql, transactionSync: <T>(work: () => T) => work() } as unknown as DurableObjectStorage;
    return Object.entries(inputs).flatMap(([operation, list]) =>
      list.map((input): [string, unknown, number] => {
        advance(1_000);
        cursors = [];
        const outside = { domain: "mail.example.com", sendingIps: [], after: nothing() };
        const context = { sql, now: Date.now(), id: randomId, ...outside };
        expect(runCall(storage, context, { keyHash, call: { operation, input } }), operation).toMatchObject({
          status: 200,
        });
        return [operation, input, cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0)];
      }),
    );
  });
};

it("an operation reads as many rows among 20 000 contacts as among 100", async () => {
  const few = await rowsRead(100);
  const many = await rowsRead(20_000);
  expect(many).toEqual(few);
  // Not zero for want of counting.
  expect(few.find(([name]) => name === "contacts.find")?.[2]).toBeGreaterThan(0);
});
