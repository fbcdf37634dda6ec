import { runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { nothing } from "../../../../../src/email/workspace/core/context.ts";
import { runRequest } from "../../../../../src/email/workspace/requests/v1-requests.ts";
import { digest } from "../../../../../src/lib/util/hmac.ts";
import { createTeam, isolated } from "../../bench.ts";
import { contextOf } from "../counted.ts";

isolated();

it("an operation that fails half-way sends nothing", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const team = await createTeam({ samples: true });
  await team.run("CREATE TRIGGER breaks BEFORE INSERT ON idempotency BEGIN SELECT RAISE(ABORT, 'broken'); END");
  const keyHash = await digest(team.key);
  await runInDurableObject(team.stub, (_, { storage }) => {
    const context = contextOf(storage.sql);
    const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
    const request = { operation: "transactional.send", input: mail, idempotencyKey: "k" };
    expect(runRequest(storage, context, { keyHash, request })).toMatchObject({ refusal: { code: "internal_error" } });
    expect(context.after).toEqual(nothing());
    expect(storage.sql.exec("SELECT * FROM sends").toArray()).toEqual([]);
  });
});
