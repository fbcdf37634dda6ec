import { describe, expect, it } from "vitest";
import { advance, dashboard, isolated, recorder, TOKEN } from "./bench.ts";

isolated();

const json = async (answer: Response) => [answer.status, await answer.json()];

describe("requests of other origins", () => {
  const changing = { body: { source: "stripe" } };

  it.each([
    ["no Origin", { ...changing, without: ["Origin"] }],
    ["the Origin of a neighbor host", { ...changing, headers: { Origin: "https://bridge.example.com" } }],
    ["the Origin null", { ...changing, headers: { Origin: "null" } }],
    ["no X-Mailspan", { ...changing, without: ["X-Mailspan"] }],
  ])("are refused that change something with %s", async (_, options) => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    const answer = await ask("POST", "/api/bridge/pause", { ...options, cookie });
    expect(await json(answer)).toEqual([403, expect.objectContaining({ code: "wrong_origin" })]);
    expect(bridge.requests).toEqual([]);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "text/html",
    "application/octet-stream",
    "application/jsonp",
    "text/json",
    undefined,
  ])("and any other are refused with a body of the type %s", async (type) => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    for (const path of ["/api/bridge/pause", "/api/session", "/api/no/such/thing"]) {
      const headers = type === undefined ? { without: ["Content-Type"] } : { headers: { "Content-Type": type } };
      const answer = await ask("POST", path, { ...changing, cookie, ...headers });
      const message = expect.stringContaining("Content-Type: application/json");
      expect(await json(answer)).toEqual([415, expect.objectContaining({ code: "unsupported_media_type", message })]);
    }
    expect(bridge.requests).toEqual([]);
    expect((await ask("DELETE", "/api/session", { cookie })).status).toBe(200);
  });

  it("may have an empty body without a type, as browsers send an act that has no fields", async () => {
    const { ask, logIn, email } = dashboard();
    const given = { cookie: await logIn(), raw: "", without: ["Content-Type"], headers: { "Content-Length": "0" } };
    expect((await ask("POST", "/api/email/teams/acme/campaigns/cmp_1/pause", given)).status).toBe(200);
    expect(email.requests).toMatchObject([{ method: "POST", body: "" }]);
  });

  it("may say JSON in any case, with a charset", async () => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    for (const type of ["APPLICATION/JSON", "application/json; charset=utf-8", "application/json;charset=utf-8"])
      await ask("POST", "/api/bridge/pause", { ...changing, cookie, headers: { "Content-Type": type } });
    expect(bridge.requests).toHaveLength(3);
  });

  it("may have a picture as its body where that is the file of an upload, and nowhere else", async () => {
    const { ask, logIn, email } = dashboard();
    const cookie = await logIn();
    const picture = { cookie, raw: "bytes", headers: { "Content-Type": "image/png" } };
    const path = "/api/email/teams/acme/uploads/upl_1/file";
    expect((await ask("PUT", path, picture)).status).toBe(200);
    expect(email.requests).toMatchObject([{ method: "PUT", body: "bytes" }]);
    expect(email.requests[0]?.headers.get("Content-Type")).toBe("image/png");
    for (const [method, other] of [
      ["PUT", "/api/email/teams/acme/uploads/upl_1"],
      ["POST", path],
      ["POST", "/api/email/teams/acme/lists"],
    ] as const)
      expect((await ask(method, other, picture)).status, `${method} ${other}`).toBe(415);
    expect((await ask("PUT", path, { ...picture, headers: { "Content-Type": "text/html" } })).status).toBe(415);
    expect((await ask("PUT", path, { ...picture, without: ["X-Mailspan"] })).status).toBe(403);
    expect(email.requests).toHaveLength(1);
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
    const forged = {
      Authorization: "Bearer mine",
      "X-Mailspan-Actor": "someone else",
      "X-Mailspan-Actor-Address": "192.0.2.9",
    };
    const headers = { "Idempotency-Key": "one", Prefer: "wait=30", ...forged };
    const body = { source: "stripe" };
    expect(await json(await ask("POST", "/api/bridge/pause?x=1", { cookie, body, headers }))).toEqual([
      200,
      { ok: true },
    ]);
    expect(email.requests).toEqual([]);
    const [request] = bridge.requests;
    // A redirect would take the admin token elsewhere.
    const sent = { method: "POST", url: "http://half/admin/pause?x=1", redirect: "manual", body: JSON.stringify(body) };
    expect(request).toMatchObject(sent);
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "idempotency-key": "one",
      prefer: "wait=30",
      "x-mailspan-actor": "owner",
      "x-mailspan-actor-address": "local",
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
    // An empty id: the half would read it as another path.
    ["GET", "/api/bridge/webhooks/"],
    ["POST", "/api/bridge/deliveries//retry"],
    ["GET", "/api/bridge/webhooks/%zz"],
    ["PATCH", "/api/bridge/status"],
    ["GET", "/api/bridge/pause"],
    ["GET", "/api/email/teams/acme/v1"],
    ["GET", "/api/other/status"],
  ])("is refused when no table has it: %s %s", async (method, path) => {
    const { ask, logIn, bridge, email } = dashboard();
    const cookie = await logIn();
    const answer = await ask(method, path, { cookie, ...(method === "GET" ? {} : { body: {} }) });
    const paths = [...bridge.requests, ...email.requests].map(({ url }) => new URL(url).pathname);
    // An encoded slash stays one segment. It never leads to another path.
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
        date: expect.stringMatching(/ GMT$/),
        "referrer-policy": "no-referrer",
        "retry-after": "7",
        "strict-transport-security": "max-age=31536000",
        "x-content-type-options": "nosniff",
      },
    ]);
  });

  it("that cannot be undone needs a proof of the last 15 minutes", async () => {
    const { ask, logIn, bridge } = dashboard();
    const cookie = await logIn();
    const erase = () => ask("POST", "/api/bridge/erase", { cookie, body: { email: "ada@example.com" } });
    expect((await erase()).status).toBe(200);
    advance(15 * 60_000);
    expect(await json(await erase())).toEqual([403, expect.objectContaining({ code: "proof_required" })]);
    expect(bridge.requests).toHaveLength(1);
    await ask("POST", "/api/session/prove", { cookie, body: { token: TOKEN } });
    expect((await erase()).status).toBe(200);
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

describe("a picture of an upload", () => {
  const read = async (type: string) => {
    const email = recorder(() => new Response("bytes", { headers: { "Content-Type": type } }));
    const { ask, logIn } = dashboard({ EMAIL: email });
    return ask("GET", "/api/email/teams/acme/uploads/upl_1/file", { cookie: await logIn() });
  };

  it("is given to the page as a picture, which runs nothing", async () => {
    const answer = await read("image/png");
    expect(answer.headers.get("Content-Type")).toBe("image/png");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'");
    expect(answer.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  });

  it.each(["image/svg+xml", "text/html", "image/pngx"])("is text where its type is %s", async (type) => {
    expect((await read(type)).headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  });
});
