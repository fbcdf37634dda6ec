import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { adminContract } from "../../../../src/lib/contract/admin/email.ts";
import { type Operation, operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { advance, arranged, bindings, createTeam, request } from "../bench.ts";
import { arrange, toHttp } from "../examples.ts";

const kept = arranged(async () => {
  const team = await createTeam({ samples: true });
  await arrange(team);
  await runInDurableObject(bindings.DIRECTORY.getByName("directory"), (_, { storage }) => {
    storage.sql.exec("DELETE FROM audit WHERE operation <> ?", BEFORE);
  });
  return team;
});

const doors = [
  { prefix: "/v1", operations: operationsOf(v1) },
  { prefix: "/admin", operations: operationsOf(adminContract) },
  { prefix: "/admin/teams/acme/v1", operations: operationsOf(v1) },
];

const succeeds = async (prefix: string, { name, operation }: { name: string; operation: Operation }) => {
  const { method, path, body } = toHttp(prefix, operation, operation.example);
  const bearer = prefix === "/v1" ? kept().key : bindings.ADMIN_TOKEN;
  const { status, text, json } = await request(method, path, { body, headers: { Authorization: `Bearer ${bearer}` } });
  expect(status, `${name}: ${text}`).toBe(operation.status);
  expect(operation.response.safeParse(operation.text ? text : json).error, name).toBeUndefined();
};
const reads = ({ operation }: { operation: Operation }): boolean => operation.method === "GET";

const BEFORE = "email.teams.create";
const newestAct = () =>
  runInDurableObject(
    bindings.DIRECTORY.getByName("directory"),
    (_, { storage }) => storage.sql.exec("SELECT operation FROM audit ORDER BY n DESC LIMIT 1").one().operation,
  );
/** The audit has each act of the operator, and no question and no dry run. */
const actOf = (prefix: string, { name, operation }: { name: string; operation: Operation }): string => {
  const isDryRun = operation.dryRun !== undefined && (operation.example.dryRun ?? operation.dryRun) === true;
  if (prefix === "/v1" || operation.effect !== "act" || isDryRun) return BEFORE;
  return `email.${prefix === "/admin" ? "" : "v1."}${name}`;
};

describe.each(doors)("an example of $prefix", ({ prefix, operations }) => {
  it("succeeds as the contract says: all that only read", async () => {
    for (const one of operations.filter(reads)) {
      advance(1_100);
      await succeeds(prefix, one);
    }
  });

  it.each(operations.filter((one) => !reads(one)))("succeeds as the contract says: $name", async (one) => {
    await succeeds(prefix, one);
    expect(await newestAct()).toBe(actOf(prefix, one));
  });
});
