import { describe, expect, it } from "vitest";
import { adminContract } from "../../../../src/email/admin/contract.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { bindings, createTeam, keptTeam, request } from "../bench.ts";
import { arrange, toHttp } from "../examples.ts";

const kept = keptTeam(async () => {
  const team = await createTeam({ samples: true });
  await arrange(team);
  return team;
});

const doors = [
  { prefix: "/v1", operations: operationsOf(v1) },
  { prefix: "/admin", operations: operationsOf(adminContract) },
];

describe.each(doors)("an example of $prefix", ({ prefix, operations }) => {
  it.each(operations)("succeeds as the contract says: $name", async ({ operation }) => {
    const team = kept();
    const { method, path, body } = toHttp(prefix, operation, operation.example);
    const bearer = prefix === "/v1" ? team.key : bindings.ADMIN_TOKEN;
    const { status, text, json } = await request(method, path, {
      body,
      headers: { Authorization: `Bearer ${bearer}` },
    });
    expect(status, text).toBe(operation.status);
    expect(operation.response.safeParse(operation.text ? text : json).error).toBeUndefined();
  });
});
