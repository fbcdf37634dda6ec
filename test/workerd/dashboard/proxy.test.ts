import { describe, expect, it } from "vitest";
import { advance, dashboard, isolated, recorder, TOKEN } from "./bench.ts";

isolated();

const json = async (answer: Response) => [answer.status, await answer.json()];

describe("requests of other origins", () => {
  const changing = { body: { source: "stripe" } };

  it.each([
    ["no Origin", { ...changing, without: ["Origin"] }],
    ["the Origin of a neighbour host", { ...changing, headers: { Origin: "https://bridge.example.com" } }],
    ["the Origin null", { ...changing, headers: { Origin: "null" } }],
    ["no X-Mailspan", { ...changing, without: ["X-Mailspan"] }],
    ["the content type of a form", { ...changing, headers: { "Content-Type": "text/plain" } }],
    ["no content type", { ...changing, without: ["Content-Type"] }],
  ])("are refused that change something with %s", async (_, options) => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    const answer = await ask("POST", "/api/bridge/pause", { ...options, cookie });
    expect(await json(answer)).toEqual([403, expect.objectContaining({ code: "wrong_origin" })]);
    expect(bridge.requests).toEqual([]);
  });

  it("are refused that read from another site", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const site of ["cross-site", "same-site", "none"]) {
      const answer = await ask("GET", "/api/bridge/status", { cookie, headers: { "Sec-Fetch-Site": site } });
      expect(answer.status).toBe(403);
    }
    // Tools do not send the header.
    const answer = await ask("GET", "/api/bridge/status", { cookie, without: ["Sec-Fetch-Site"] });
    expect(answer.status).toBe(200);
  });

  it("get no CORS headers", async () => {
    const { ask } = dashboard();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answer = await ask(method, "/api/session", { headers: { "Access-Control-Request-Method": "POST" } });
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("an operation of a half", () => {
  it("goes to that half with the admin token and the person, without the cookie", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const forged = { Authorization: "Bearer mine", "X-Mailspan-Actor": "someone else" };
    const headers = { "Idempotency-Key": "one", Prefer: "wait=30", ...forged };
    const body = { source: "stripe" };
    expect(await json(await ask("POST", "/api/bridge/pause?x=1", { cookie, body, headers }))).toEqual([
      200,
      { ok: true },
    ]);
    expect(email.requests).toEqual([]);
    const [request] = bridge.requests;
    expect(request).toMatchObject({ method: "POST", url: "http://half/admin/pause?x=1", body: JSON.stringify(body) });
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "idempotency-key": "one",
      prefer: "wait=30",
      "x-mailspan-actor": "owner",
    });
  });

  it.each([
    ["/api/email/teams/acme/keys", "http://half/admin/teams/acme/keys"],
    [
      "/api/email/teams/acme/v1/contacts/find?email=a%40b.c",
      "http://half/admin/teams/acme/v1/contacts/find?email=a%40b.c",
    ],
    ["/api/email/teams/acme/campaigns/a%2Fb%3Fc", "http://half/admin/teams/acme/campaigns/a%2Fb%3Fc"],
  ])("is found by its path: %s", async (path, url) => {
    const { ask, logIn, email } = dashboard();
    const answer = await ask("GET", path, { cookie: await logIn() });
    if (answer.status === 404) expect(email.requests).toEqual([]);
    else expect(email.requests.map((request) => request.url)).toEqual([url]);
  });

  it("needs a session", async () => {
    const { ask, bridge } = dashboard();
    expect((await ask("GET", "/api/bridge/status")).status).toBe(401);
    expect((await ask("GET", "/api/bridge/no/such/thing")).status).toBe(401);
    expect(bridge.requests).toEqual([]);
  });

  it.each([
    ["GET", "/api/bridge/metrics/../status/x"],
    ["GET", "/api/bridge/webhooks/..%2f..%2fv1%2fcontacts"],
    ["GET", "/api/bridge/webhooks/%2e%2e"],
    ["GET", "/api/bridge//status"],
    ["GET", "/api/bridge/status/"],
    ["GET", "/api/bridge/webhooks/%zz"],
    ["PATCH", "/api/bridge/status"],
    ["GET", "/api/bridge/pause"],
    ["GET", "/api/email/teams/acme/v1"],
    ["GET", "/api/other/status"],
  ])("is refused when no table has it: %s %s", async (method, path) => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const answer = await ask(method, path, { cookie, ...(method === "PATCH" ? { body: {} } : {}) });
    const paths = [...bridge.requests, ...email.requests].map(({ url }) => new URL(url).pathname);
    // An encoded slash stays one segment; it is never a step to another path.
    expect(paths.filter((one) => !/^\/admin\/webhooks\/[^/]+$/.test(one))).toEqual([]);
    expect(answer.status).toBe(paths.length === 0 ? 404 : 200);
  });

  it("that is missing says so", async () => {
    const { ask, logIn } = dashboard({ EMAIL: undefined });
    const answer = await ask("GET", "/api/email/teams", { cookie: await logIn() });
    expect(await json(answer)).toEqual([404, expect.objectContaining({ code: "half_missing" })]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("gone"))],
    ["redirects", () => Response.redirect("https://elsewhere.example.com/")],
    ["refuses the admin token", () => Response.json({ code: "invalid_api_key" }, { status: 401 })],
  ])("that %s is a 502, not the end of the session", async (_, reply) => {
    const { ask, logIn } = dashboard({ BRIDGE: { fetch: reply } });
    const answer = await ask("GET", "/api/bridge/status", { cookie: await logIn() });
    expect(await json(answer)).toEqual([502, expect.objectContaining({ code: "half_unreachable" })]);
  });

  it("answers without cookies, markup or CORS, and no cache keeps it", async () => {
    const BRIDGE = recorder(
      () =>
        new Response("<script>alert(1)</script>", {
          status: 409,
          headers: {
            "Content-Type": "text/html",
            "Set-Cookie": "a=b",
            "Access-Control-Allow-Origin": "*",
            "Retry-After": "7",
          },
        }),
    );
    const { ask, logIn } = dashboard({ BRIDGE });
    const answer = await ask("GET", "/api/bridge/status", { cookie: await logIn() });
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      409,
      {
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'",
        "content-type": "text/plain; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "retry-after": "7",
        "x-content-type-options": "nosniff",
      },
    ]);
  });

  it("that cannot be undone is refused by each half in the same way", async () => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    advance(15 * 60_000);
    for (const [method, path] of [
      ["POST", "/api/bridge/v1/contacts/delete"],
      ["POST", "/api/email/teams/acme/v1/contacts/delete"],
      ["POST", "/api/email/teams/acme/forget"],
      ["POST", "/api/email/teams/acme/sends/snd_1/retry"],
      ["POST", "/api/email/teams/acme/campaigns/cmp_1/retry-unknown"],
    ] as const) {
      expect(await json(await ask(method, path, { cookie, body: {} }))).toEqual([
        ...[403, expect.objectContaining({ code: "proof_required" })],
      ]);
    }
    expect([...bridge.requests, ...email.requests]).toEqual([]);
  });

  it("that launches a campaign to more than 1 000 people needs a proof of the last 15 minutes", async () => {
    const { ask, logIn, email } = dashboard();
    const cookie = await logIn();
    const launch = (body: unknown) => ask("POST", "/api/email/teams/acme/campaigns/cmp_1/launch", { cookie, body });
    expect((await launch({ expected: 1_001 })).status).toBe(200);
    advance(15 * 60_000);
    const many = { expected: 1_001, dryRun: false };
    for (const body of [{ expected: 1_001 }, many, { expected: 1_000_000 }])
      expect(await json(await launch(body))).toEqual([403, expect.objectContaining({ code: "proof_required" })]);
    expect(email.requests).toHaveLength(1);
    // Few people, a question, and what the email service refuses.
    const free = [{ expected: 1_000 }, { dryRun: true }, { dryRun: true, expected: 5_000 }, { expected: "many" }, [1]];
    for (const body of free) expect((await launch(body)).status).toBe(200);
    expect(email.requests.slice(1).map(({ body }) => JSON.parse(body))).toEqual(free);
    await ask("POST", "/api/session/prove", { cookie, body: { token: TOKEN } });
    expect((await launch(many)).status).toBe(200);
    expect(JSON.parse(email.requests.at(-1)?.body ?? "")).toEqual(many);
  });

  it("that resumes a campaign with more than 1 000 people as their confirmed number needs one too", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const resume = (body: unknown) => ask("POST", "/api/email/teams/acme/campaigns/cmp_1/resume", { cookie, body });
    advance(15 * 60_000);
    expect(await json(await resume({ expected: 1_001 }))).toEqual([
      ...[403, expect.objectContaining({ code: "proof_required" })],
    ]);
    for (const body of [{}, { expected: 1_000 }, { expected: "many" }]) expect((await resume(body)).status).toBe(200);
  });

  it("that cannot be undone needs a proof of the last 15 minutes", async () => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    const forget = () => ask("POST", "/api/bridge/forget", { cookie, body: { email: "ada@example.com" } });
    expect((await forget()).status).toBe(200);
    advance(15 * 60_000);
    expect(await json(await forget())).toEqual([403, expect.objectContaining({ code: "proof_required" })]);
    expect(bridge.requests).toHaveLength(1);
    await ask("POST", "/api/session/prove", { cookie, body: { token: TOKEN } });
    expect((await forget()).status).toBe(200);
  });
});

describe("the audit", () => {
  it("has who changed what, without bodies, for 90 days", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    await ask("GET", "/api/bridge/status", { cookie });
    await ask("POST", "/api/bridge/calls/wh_1.0/retry", { cookie, body: {} });
    await ask("DELETE", "/api/email/teams/acme/keys/key_1", { cookie });
    const read = async (query = "") => {
      const answer = await ask("GET", `/api/audit${query}`, { cookie });
      return (await answer.json()) as { data: unknown[]; next: string | null };
    };
    const at = new Date(Date.now()).toISOString();
    expect(await read()).toEqual({
      data: [
        {
          id: "2",
          at,
          who: "owner",
          operation: "email.keys.revoke",
          ids: { team: "acme", keyId: "key_1" },
          status: 200,
        },
        { id: "1", at, who: "owner", operation: "bridge.calls.retry", ids: { callId: "wh_1.0" }, status: 200 },
      ],
      next: null,
    });
    expect((await read("?operation=bridge.calls.retry")).data).toHaveLength(1);
    expect((await read("?who=ada")).data).toEqual([]);
    expect((await read("?operation=email.")).data).toHaveLength(1);
    expect((await read("?operation=mail")).data).toEqual([]);
    const hour = (hours: number) => encodeURIComponent(new Date(Date.parse(at) + hours * 3_600_000).toISOString());
    expect((await read("?since=1h")).data).toHaveLength(2);
    expect((await read(`?since=${hour(-1)}&until=${hour(1)}`)).data).toHaveLength(2);
    expect((await read("?until=1h")).data).toEqual([]);
    expect((await read(`?since=${hour(1)}`)).data).toEqual([]);
    for (const wrong of ["since=soon", "until=2026-13-45"])
      expect(await json(await ask("GET", `/api/audit?${wrong}`, { cookie }))).toEqual([
        400,
        expect.objectContaining({ message: expect.stringMatching(/^(since|until)/) }),
      ]);
    advance(90 * 86_400_000);
    const again = await logIn();
    expect(await json(await ask("GET", "/api/audit", { cookie: again }))).toEqual([200, { data: [], next: null }]);
  });

  it("has who read the body of a webhook", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const query of ["?body=0", "?body=false", "?body=1", ""])
      await ask("GET", `/api/bridge/webhooks/wh_1${query}`, { cookie });
    const { data } = (await (await ask("GET", "/api/audit", { cookie })).json()) as { data: object[] };
    expect(data).toEqual(
      [1, 2].map(() => expect.objectContaining({ operation: "bridge.webhooks.get", ids: { webhookId: "wh_1" } })),
    );
  });

  it("is read in pages", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (let n = 0; n < 60; n += 1) await ask("POST", `/api/bridge/calls/wh_${n}.0/retry`, { cookie, body: {} });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = await ask("GET", `/api/audit?cursor=${cursor}`, { cookie });
      const { data, next } = (await answer.json()) as { data: { ids: { callId: string } }[]; next: string | null };
      seen.push(...data.map(({ ids }) => ids.callId));
      cursor = next;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `wh_${59 - n}.0`));
  });
});

describe("what there is", () => {
  it.each([
    ["both halves", {}, { bridge: { ok: true }, email: { ok: true }, v1: "email" }],
    ["the bridge alone", { EMAIL: undefined }, { bridge: { ok: true }, email: null, v1: "bridge" }],
    ["the email service alone", { BRIDGE: undefined }, { bridge: null, email: { ok: true }, v1: "email" }],
    ["nothing", { BRIDGE: undefined, EMAIL: undefined }, { bridge: null, email: null, v1: null }],
  ])("is told: %s", async (_, changes, expected) => {
    const { ask, logIn } = dashboard(changes);
    const answer = await ask("GET", "/api/about", { cookie: await logIn() });
    expect(await json(answer)).toEqual([200, expect.objectContaining({ ...expected, me: expect.anything() })]);
  });

  it("says why a half does not answer", async () => {
    const reply = () => Response.json({}, { status: 401 });
    const { ask, logIn } = dashboard({ BRIDGE: { fetch: reply } });
    const answer = await ask("GET", "/api/about", { cookie: await logIn() });
    expect(await json(answer)).toMatchObject([
      200,
      { bridge: { unreachable: expect.stringContaining("ADMIN_TOKEN") } },
    ]);
  });
});
