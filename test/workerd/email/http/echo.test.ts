import { expect, it } from "vitest";
import { CALL } from "../../../../src/lib/contract/echo.ts";
import { appWith, bindings, createTeam, isolated } from "../bench.ts";

isolated();

const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  appWith({}).request(path, { ...init, headers }, bindings);

it.each([
  ["a success", "/v1/api-key", {}, 200],
  ["a refusal", "/v1/contacts/find", {}, 400],
  ["an unknown path", "/v1/nothing", {}, 404],
])("an answer of the API has the mark and the key of its request: %s", async (_, path, init, status) => {
  const { key } = await createTeam();
  const headers = { Authorization: `Bearer ${key}`, [CALL]: "call 1", "Idempotency-Key": "key 1" };
  const answer = await ask(path, headers, init);
  expect(answer.status).toBe(status);
  expect([answer.headers.get(CALL), answer.headers.get("Idempotency-Key")]).toEqual(["call 1", "key 1"]);
});

it("an answer has no mark and no key that were not sent, that are too long, or outside of the API", async () => {
  const none = [null, null];
  const echoed = ({ headers }: Response) => [headers.get(CALL), headers.get("Idempotency-Key")];
  expect(echoed(await ask("/v1/api-key", {}))).toEqual(none);
  const long = "x".repeat(301);
  expect(echoed(await ask("/v1/api-key", { [CALL]: long, "Idempotency-Key": long }))).toEqual(none);
  expect(echoed(await ask("/health", { [CALL]: "call 1", "Idempotency-Key": "key 1" }))).toEqual(none);
});
