import { describe, expect, it } from "vitest";
import { adminContract } from "../../../../src/lib/contract/admin/email.ts";
import { hasBody, type Operation, operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { arranged, bindings, createTeam, request } from "../bench.ts";
import { toHttp } from "../examples.ts";

const team = arranged(() => createTeam({ samples: true }));

const v1Writes = operationsOf(v1).filter(({ operation }) => operation.method !== "GET");
const adminAll = operationsOf(adminContract);
const adminWrites = adminAll.filter(({ operation }) => operation.method !== "GET");
const withoutBody = ({ operation }: { operation: Operation }): boolean => !hasBody(operation);

const send = (prefix: "/v1" | "/admin", operation: Operation, body: string | undefined, type = "application/json") => {
  const { method, path } = toHttp(prefix, operation, operation.example);
  const bearer = prefix === "/v1" ? team().key : bindings.ADMIN_TOKEN;
  const headers = { Authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { "Content-Type": type }) };
  return request(method, path, { headers, ...(body === undefined ? {} : { body }) });
};

/** Operations that ignore other fields, or take them as properties of the contact: their published forms are open. */
const OPEN = [
  "contacts.create",
  "contacts.update",
  "contacts.delete",
  "contactProperties.create",
  "events.send",
  "transactional.send",
  "themes.create",
  "themes.update",
  "components.create",
  "components.update",
];

describe.each([
  ...v1Writes.filter(withoutBody).map(({ name, operation }) => ["/v1", name, operation] as const),
  ...adminWrites.filter(withoutBody).map(({ name, operation }) => ["/admin", name, operation] as const),
])("%s %s, which has no body", (prefix, _, operation) => {
  it("refuses each field in a body and a body that is no JSON object, and does nothing", async () => {
    const before = await team().everything();
    const { status, json } = await send(prefix, operation, '{"dryRun":true}');
    expect([status, json]).toEqual([
      400,
      {
        success: false,
        code: "invalid_request",
        path: "dryRun",
        message: "dryRun: is not a field of this request, which has no body",
      },
    ]);
    const text = await send(prefix, operation, "dryRun=true", "application/x-www-form-urlencoded");
    expect([text.status, text.json.code]).toEqual([415, "unsupported_media_type"]);
    const list = await send(prefix, operation, "[1]");
    expect([list.status, list.json.code]).toEqual([400, "invalid_json"]);
    expect(await team().everything()).toBe(before);
  });
});

it.each([
  ["no body", undefined, undefined],
  ["an empty form, as curl -d '' sends it", "", "application/x-www-form-urlencoded"],
  ["an empty object", "{}", undefined],
  ["an empty list, as PHP writes an empty map", "[]", undefined],
])("an operation without a body takes %s", async (_, body, type) => {
  const { status } = await send("/v1", v1.transactionalEmails.draft, body, type);
  expect(status).toBe(200);
});

it.each(v1Writes.filter((one) => !withoutBody(one) && !OPEN.includes(one.name)))(
  "$name refuses a field that it does not have",
  async ({ operation }) => {
    const { path: _path, method: _method, ...sent } = toHttp("/v1", operation, operation.example);
    const { status, json } = await send("/v1", operation, JSON.stringify({ ...sent.body, subjekt: "x" }));
    expect([status, json]).toMatchObject([
      400,
      { code: "invalid_request", path: "subjekt", message: "subjekt: is not a field of this request" },
    ]);
  },
);

const adminBodies = adminAll.filter(({ operation }) => hasBody(operation));

const refused = async (operation: Operation, field: Record<string, string>) => {
  const { path: _path, method: _method, ...sent } = toHttp("/admin", operation, operation.example);
  const before = await team().everything();
  const { status, json } = await send("/admin", operation, JSON.stringify({ ...sent.body, ...field }));
  expect(await team().everything()).toBe(before);
  return [status, json];
};

it.each(adminBodies)("the operator's $name refuses a field that it does not have", async ({ operation }) => {
  expect(await refused(operation, { subjekt: "x" })).toMatchObject([
    400,
    { code: "invalid_request", path: "subjekt", message: "subjekt: is not a field of this request" },
  ]);
});

it.each(adminBodies.filter(({ operation }) => operation.path.includes("{team}")))(
  "the operator's $name refuses another team than that of its path",
  async ({ operation }) => {
    const message = "team: is another one in the path of this request. Leave it out of the other fields.";
    expect(await refused(operation, { team: "globex" })).toMatchObject([
      400,
      { code: "invalid_request", path: "team", message },
    ]);
  },
);

it.each(adminAll.filter(({ operation }) => operation.method === "GET"))(
  "the operator's $name refuses a query parameter that it does not have",
  async ({ operation }) => {
    const { path } = toHttp("/admin", operation, operation.example);
    const headers = { Authorization: `Bearer ${bindings.ADMIN_TOKEN}` };
    const url = `${path}${path.includes("?") ? "&" : "?"}emial=ada`;
    const { status, json } = await request("GET", url, { headers });
    expect([status, json]).toMatchObject([400, { code: "invalid_request", path: "emial" }]);
  },
);
