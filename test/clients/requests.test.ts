import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, EMAIL, pause, startService } from "./team.ts";
import { sayMissing } from "./tools.ts";

// Requests of official clients that cannot be installed here, byte for byte as their code writes them.

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string };
/** `{id}` in a path: the id of the first object of the list before. */
type Step = [sent: [method: string, path: string, body?: string, key?: string], status: number, answer: object];

for (const [command, client] of Object.entries({ php: "loops-so/loops", ruby: "loops_sdk" })) {
  sayMissing(`The ${command} client ${client}`, "Its package is in no registry here; its requests are tested.");
}

const done = { success: true };
const json = { "Content-Type": "application/json" };
const find = `?email=${encodeURIComponent(EMAIL)}`;
const people = { contact: { userId: "u1" }, isSuppressed: true };
const missing = { success: false, code: "contact_not_found", message: expect.stringContaining("There is no contact") };

/** Guzzle sends Content-Type with every request. `json_encode` writes `[]` for an empty map, and escapes slashes. */
const php = (list: string): Step[] => [
  [["GET", "/v1/api-key"], 200, { teamName: "Clients" }],
  [["POST", "/v1/contacts/properties", '{"name":"planName","type":"string"}'], 200, done],
  [
    ["GET", "/v1/contacts/properties?list=all"],
    200,
    expect.arrayContaining([expect.objectContaining({ key: "email" })]),
  ],
  [["GET", "/v1/lists"], 200, [{ id: list }]],
  [
    ["POST", "/v1/contacts/create", `{"email":"${EMAIL}","mailingLists":[],"userId":"u1","firstName":"Ada"}`],
    200,
    done,
  ],
  [
    [
      "PUT",
      "/v1/contacts/update",
      `{"email":"${EMAIL}","userId":null,"mailingLists":[],"source":"a\\/b \\u00e9\\ud83d\\ude00"}`,
    ],
    200,
    done,
  ],
  [["PUT", "/v1/contacts/update", `{"userId":"u1","mailingLists":{"${list}":true},"planName":"pro"}`], 200, done],
  [
    ["GET", `/v1/contacts/find${find}`],
    200,
    [{ userId: "u1", firstName: "Ada", source: "a/b é😀", planName: "pro", mailingLists: { [list]: true } }],
  ],
  [
    [
      "POST",
      "/v1/events/send",
      '{"email":null,"userId":"u1","eventName":"signedUp","eventProperties":[],"mailingLists":[]}',
      "p1",
    ],
    200,
    done,
  ],
  [
    ["POST", "/v1/events/send", '{"eventName":"signedUp","eventProperties":[],"mailingLists":[],"userId":"u1"}', "p1"],
    409,
    { code: "idempotency_key_used" },
  ],
  [
    [
      "POST",
      "/v1/transactional",
      `{"transactionalId":"tpl_welcome","email":"${EMAIL}","addToAudience":false,"dataVariables":{"name":"Ada"},"attachments":[]}`,
    ],
    200,
    done,
  ],
  [
    [
      "POST",
      "/v1/transactional",
      `{"transactionalId":"tpl_receipt","email":"${EMAIL}","addToAudience":false,"dataVariables":[],"attachments":[]}`,
    ],
    400,
    { code: "missing_data_variables", path: "dataVariables", error: { path: "dataVariables" } },
  ],
  // The client's spelling of perPage: an unknown parameter is ignored.
  [["GET", "/v1/transactional?per_page=20"], 200, { pagination: { perPage: 20 } }],
  [["GET", "/v1/contacts/suppression?userId=u1"], 200, people],
  [["DELETE", "/v1/contacts/suppression?userId=u1"], 200, { removalQuota: { remaining: 99 } }],
  [["GET", "/v1/event-patterns?perPage=20"], 200, { data: [{ eventName: "signedUp" }] }],
  [["GET", "/v1/event-patterns/{id}"], 200, { eventName: "signedUp" }],
  [["GET", "/v1/event-patterns/by-name/signedUp"], 200, { eventName: "signedUp" }],
  [["GET", "/v1/dedicated-sending-ips"], 200, ["192.0.2.1"]],
  [["POST", "/v1/contacts/delete", `{"email":"${EMAIL}","userId":null}`], 200, done],
  [["POST", "/v1/contacts/delete", `{"email":"${EMAIL}"}`], 404, missing],
];

/** Faraday writes a nil parameter without a value, and `to_json` a nil identifier as null. */
const ruby = (list: string): Step[] => [
  [["GET", "/v1/api-key"], 200, { teamName: "Clients" }],
  [["POST", "/v1/contacts/properties", '{"name":"planName","type":"string"}'], 200, done],
  [["GET", "/v1/contacts/properties?list=custom"], 200, [{ key: "planName" }]],
  [["GET", "/v1/lists"], 200, [{ id: list }]],
  [["POST", "/v1/contacts/create", `{"email":"${EMAIL}","mailingLists":{},"userId":"u1"}`], 200, done],
  [["PUT", "/v1/contacts/update", `{"email":"${EMAIL}","userId":null,"mailingLists":{},"firstName":"Ada"}`], 200, done],
  [
    ["PUT", "/v1/contacts/update", `{"email":null,"userId":"u1","mailingLists":{"${list}":true},"planName":"pro"}`],
    200,
    done,
  ],
  [
    ["GET", `/v1/contacts/find${find}`],
    200,
    [{ email: EMAIL, userId: "u1", firstName: "Ada", planName: "pro", mailingLists: { [list]: true } }],
  ],
  [
    [
      "POST",
      "/v1/events/send",
      '{"email":null,"userId":"u1","eventName":"signedUp","eventProperties":{},"mailingLists":{}}',
      "r1",
    ],
    200,
    done,
  ],
  [
    [
      "POST",
      "/v1/transactional",
      `{"transactionalId":"tpl_welcome","email":"${EMAIL}","addToAudience":false,"dataVariables":{"name":"Ada"},"attachments":[]}`,
    ],
    200,
    done,
  ],
  [["GET", "/v1/transactional-emails?cursor&perPage=20"], 200, { pagination: { perPage: 20, nextPage: null } }],
  [["GET", "/v1/transactional-emails/tpl_welcome"], 200, { id: "tpl_welcome" }],
  [["GET", "/v1/event-patterns?cursor&perPage=20"], 200, { data: [{ eventName: "signedUp" }] }],
  [["GET", "/v1/contacts/suppression?userId=u1"], 200, people],
  [["DELETE", `/v1/contacts/suppression${find}`], 200, { removalQuota: { remaining: 99 } }],
  [["GET", "/v1/dedicated-sending-ips"], 200, ["192.0.2.1"]],
  [["POST", "/v1/contacts/delete", '{"userId":"u1"}'], 200, done],
  [["POST", "/v1/contacts/delete", '{"userId":"u1"}'], 404, missing],
];

/** Go sorts the keys of maps, and leaves out empty fields. */
const golang = (list: string): Step[] => [
  [["GET", "/v1/api-key"], 200, { teamName: "Clients" }],
  [["POST", "/v1/contacts/properties", '{"name":"planName","type":"string"}'], 200, done],
  [["POST", "/v1/contacts/create", `{"email":"${EMAIL}","firstName":"Ada","userId":"u1"}`], 200, done],
  [["POST", "/v1/contacts/create", `{"email":"${EMAIL}"}`], 409, { code: "contact_exists" }],
  [["PUT", "/v1/contacts/update", `{"mailingLists":{"${list}":true},"planName":"pro","userId":"u1"}`], 200, done],
  [["PUT", "/v1/contacts/update", '{"email":"a..b@example.com"}'], 400, { code: "invalid_request", path: "email" }],
  [["GET", "/v1/contacts/find?userId=u1"], 200, [{ email: EMAIL, planName: "pro", optInStatus: null }]],
  [
    ["POST", "/v1/events/send", `{"email":"${EMAIL}","eventName":"signedUp","eventProperties":{"n":1}}`, "g1"],
    200,
    done,
  ],
  [
    [
      "POST",
      "/v1/transactional",
      `{"email":"${EMAIL}","transactionalId":"tpl_welcome","dataVariables":{"name":"Ada"}}`,
      "g2",
    ],
    200,
    done,
  ],
  [["GET", "/v1/transactional?perPage=10"], 200, { pagination: { perPage: 10 } }],
  [["GET", "/v1/transactional-emails"], 200, { pagination: { totalResults: 10 } }],
  [["GET", "/v1/transactional-emails/tpl_welcome"], 200, { id: "tpl_welcome" }],
  [["GET", "/v1/event-patterns?perPage=10"], 200, { data: [{ eventName: "signedUp" }] }],
  [["GET", "/v1/event-patterns/{id}"], 200, { eventName: "signedUp" }],
  [["GET", "/v1/event-patterns/by-name/signedUp"], 200, { eventName: "signedUp" }],
  [["GET", `/v1/contacts/suppression${find}`], 200, people],
  [["DELETE", "/v1/contacts/suppression?userId=u1"], 200, { removalQuota: { remaining: 99 } }],
  [["GET", "/v1/contacts/properties"], 200, expect.arrayContaining([expect.objectContaining({ key: "email" })])],
  [["GET", "/v1/contacts/properties?list=custom"], 200, [{ key: "planName" }]],
  [["GET", "/v1/lists"], 200, [{ id: list }]],
  [["GET", "/v1/dedicated-sending-ips"], 200, ["192.0.2.1"]],
  [["POST", "/v1/contacts/delete", '{"userId":"u1"}'], 200, done],
  [["POST", "/v1/contacts/delete", '{"userId":"u1"}'], 404, missing],
];

/** `always`: the client sends Content-Type without a body too. */
const clients = [
  { client: "PHP", steps: php, agent: "GuzzleHttp/7", always: true },
  { client: "Ruby", steps: ruby, agent: "Faraday v2.9.0", always: true },
  { client: "Go", steps: golang, agent: "loops-go/0.9.0", always: false },
];

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

/** Sends exactly these bytes: fetch would normalize the URL and add headers. */
const send = ({ method, path, headers, body }: Sent): Promise<{ status: number | undefined; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(mailspan.emailUrl);
    const length = body === undefined ? {} : { "Content-Length": `${Buffer.byteLength(body)}` };
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", reject).end(body);
  });

describe.each(clients)("the requests of the $client client", ({ client, steps, agent, always }) => {
  it("get the answers that it expects", async () => {
    const { key, list } = await createTeam(mailspan, `requests-${client.toLowerCase()}`);
    let id = "";
    for (const [[method, form, body, idempotency], status, answer] of steps(list)) {
      await pause();
      const path = form.replace("{id}", id);
      const headers = {
        Authorization: `Bearer ${key}`,
        "User-Agent": agent,
        ...(always || body !== undefined ? json : {}),
        ...(idempotency === undefined ? {} : { "Idempotency-Key": idempotency }),
      };
      const got = await send({ method, path, headers, ...(body === undefined ? {} : { body }) });
      expect([got.status, JSON.parse(got.text)], `${method} ${path} ${body}`).toMatchObject([status, answer]);
      id = JSON.parse(got.text).data?.[0].id ?? id;
      // The Go client reads `error` as a string: an object loses the message.
      if (client === "Go") expect(["undefined", "string"]).toContain(typeof JSON.parse(got.text).error);
    }
  });
});
