import { afterAll, beforeAll, expect, it } from "vitest";
import { bridgeContract } from "../../src/lib/contract/admin/bridge.ts";
import { adminContract } from "../../src/lib/contract/admin/email.ts";
import { type Contract, hasBody, type Operation, operationsOf } from "../../src/lib/contract/operation.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import { sources } from "../../src/sources.ts";
import { type Mailspan, secrets, startMailspan } from "./mailspan.ts";
import { stripeWebhook } from "./signed.ts";

let mailspan: Mailspan;
let session = "";

// Its own Workers: in shared ones, deliveries of other files still change the state that is compared.
beforeAll(async () => {
  mailspan = await startMailspan({}, { DEDICATED_SENDING_IPS: ["192.0.2.1"] }, {});
  const origin = mailspan.dashboardUrl ?? "";
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { Origin: origin, "X-Mailspan": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ token: secrets.ADMIN_TOKEN }),
  });
  session = /^ms=([0-9a-f]{64}\.[\w-]{22});/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  const seen = await fetch(`${origin}/api/about`, { headers: { Cookie: `ms=${session}` } });
  expect([answer.status, seen.status]).toEqual([201, 200]);
});

afterAll(() => mailspan.stop());

const shown = (): Record<string, string>[] => [
  { Cookie: `ms=${session}; __Host-ms=${session}` },
  { Authorization: `Bearer ${session}` },
  { Authorization: `Bearer ${session.split(".")[0]}`, Cookie: `ms=${session}` },
];

const asPage = () => ({ Origin: mailspan.dashboardUrl ?? "", "X-Mailspan": "1", "Sec-Fetch-Site": "same-origin" });

const operations = (contract: Contract, prefix: "" | `/${string}`) =>
  operationsOf(contract).map(({ operation }) => ({ ...operation, path: `${prefix}${operation.path}` as `/${string}` }));

const VALUES: Record<string, string> = { team: "demo", source: "stripe" };
const filled = ({ path, example }: Pick<Operation, "path" | "example">) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(VALUES[name] ?? String((example as Record<string, unknown>)[name] ?? "x")),
  );

const statusesOf = async (url: string, all: Operation[]) => {
  const found: Record<string, number> = {};
  for (const operation of all)
    for (const headers of shown()) {
      const { method } = operation;
      const body = hasBody(operation) ? { body: JSON.stringify(operation.example) } : {};
      const sent = { ...asPage(), ...headers, ...(hasBody(operation) ? { "Content-Type": "application/json" } : {}) };
      const answer = await fetch(url + filled(operation), { method, headers: sent, ...body });
      await answer.body?.cancel();
      if (answer.status !== 401) found[`${method} ${operation.path} ${Object.keys(headers)}`] = answer.status;
    }
  return found;
};

const state = async () => {
  const read = async (url: string) => {
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` } });
    expect([url, answer.status]).toEqual([url, 200]);
    return answer.json();
  };
  const { url, emailUrl } = mailspan;
  const { paused } = (await read(`${url}/admin/status`)) as { paused: unknown };
  const rest = await Promise.all([
    ...["/admin/webhooks", "/admin/deliveries"].map((path) => read(url + path)),
    ...["", "/demo/keys", "/demo/contacts", "/demo/suppressions", "/demo/campaigns", "/demo/workflows"].map((path) =>
      read(`${emailUrl}/admin/teams${path}`),
    ),
  ]);
  return [paused, ...rest];
};

it("a session of the dashboard opens no operation of the bridge, and changes nothing", async () => {
  const before = await state();
  const all = [...operations(bridgeContract, "/admin"), ...operations(v1, "/admin/v1"), ...operations(v1, "/v1")];
  expect(all.length).toBeGreaterThan(100);
  expect(await statusesOf(mailspan.url, all)).toEqual({});
  expect(await state()).toEqual(before);
});

it("a session of the dashboard opens no operation of the email service, and changes nothing", async () => {
  const before = await state();
  const all = [
    ...operations(adminContract, "/admin"),
    ...operations(v1, "/admin/teams/{team}/v1"),
    ...operations(v1, "/v1"),
  ];
  expect(all.length).toBeGreaterThan(200);
  expect(await statusesOf(mailspan.emailUrl, all)).toEqual({});
  for (const headers of shown())
    expect((await fetch(`${mailspan.emailUrl}/admin/teams/demo/suppressions.csv`, { headers })).status).toBe(401);
  expect(await state()).toEqual(before);
});

it("a session of the dashboard is no signature of a webhook", async () => {
  const before = await state();
  const { payload } = stripeWebhook("customer.created");
  const found = new Set<string>();
  for (const name of Object.keys(sources))
    for (const headers of shown()) {
      const answer = await mailspan.post(name, payload, { ...asPage(), ...headers });
      const { error } = (await answer.json()) as { error: { code: string } };
      found.add(`${answer.status} ${error.code}`);
    }
  expect([...found].toSorted()).toEqual(["401 missing_signature", "401 source_not_configured"]);
  expect(await state()).toEqual(before);
});
