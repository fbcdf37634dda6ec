import { expect, it } from "vitest";
import { FILL, nameOf } from "../../../../bench/fill.ts";
import { runRequest } from "../../../../src/email/workspace/requests/v1-requests.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { advance, createTeam, isolated } from "../bench.ts";
import { arrange } from "../examples.ts";
import { contextOf, counted } from "./counted.ts";

isolated();

const email = `person${nameOf(50)}@example.com`;
const userId = `user_${nameOf(51)}`;

type Input = [operation: string, input: Record<string, unknown>];

const more: Input[] = [
  ["contacts.create", { email: "new@example.com", userId: "new", plan: "pro" }],
  ["contacts.update", { email, plan: "free" }],
  ["contacts.update", { userId, seats: 2 }],
  ["contacts.update", { userId, email: "changed@example.com" }],
  ["contacts.find", { email }],
  ["contacts.find", { userId }],
  ["events.send", { userId, eventName: "opened", plan: "pro" }],
  [
    "transactional.send",
    { transactionalId: "tpl_welcome", email: "new@example.com", dataVariables: { name: "Ada" }, addToAudience: true },
  ],
  ["contacts.delete", { userId }],
];
const inputs: Input[] = [
  ...operationsOf(v1).map(
    ({ name, operation }): Input => [name, operation.request.parse(operation.example) as Record<string, unknown>],
  ),
  ...more,
];

const rowsRead = async (contacts: number): Promise<[...Input, rows: number][]> => {
  const team = await createTeam({ id: `with-${contacts}`, samples: true, createProperties: true });
  await arrange(team);
  await team.post("/contacts/create", { email: "first@example.com", plan: "pro", seats: 1 });
  const keyHash = await digest(team.key);
  return team.inside((real, storage) => {
    real.exec(FILL, 0, contacts - 1);
    return inputs.map(([operation, input]): [...Input, number] => {
      advance(1_000);
      const { sql, storage: counting, take } = counted(real);
      // Every operation is rolled back, so that the next one finds the same team.
      const undo = new Error("undo");
      let rows = 0;
      const run = () => {
        const reply = runRequest(counting, contextOf(sql), { keyHash, request: { operation, input } });
        expect("refusal" in reply ? reply.refusal : undefined, operation).toBeUndefined();
        rows = take().read;
        throw undo;
      };
      expect(() => storage.transactionSync(run)).toThrow(undo);
      return [operation, input, rows];
    });
  });
};

it("an operation reads as many rows among 20 000 contacts as among 100", async () => {
  const few = await rowsRead(100);
  const many = await rowsRead(20_000);
  expect(many).toEqual(few);
  for (const [operation, , rows] of few) expect(rows, operation).toBeGreaterThan(1);
});
