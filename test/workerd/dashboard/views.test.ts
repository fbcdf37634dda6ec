import { describe, expect, it } from "vitest";
import { advance, dashboard, isolated, START } from "./bench.ts";

isolated();

const VIEW = { name: "Failed deliveries of Stripe", path: "/deliveries?source=stripe&state=failed" };

const loggedIn = async () => {
  const { ask, logIn, bridge, email } = dashboard();
  const cookie = await logIn();
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, `/api${path}`, { cookie, ...(body === undefined ? {} : { body }) });
    return [answer.status, await answer.json()] as const;
  };
  return { send, ask, halves: [bridge, email] };
};

describe("the saved views", () => {
  it("are listed by name for everybody, and a name that is there is replaced", async () => {
    const { send, halves } = await loggedIn();
    expect(await send("GET", "/views")).toEqual([200, { data: [] }]);
    const saved = { ...VIEW, who: "owner", savedAt: new Date(START).toISOString() };
    expect(await send("PUT", "/views", { ...VIEW, name: `  ${VIEW.name} ` })).toEqual([200, saved]);
    await send("PUT", "/views", { name: "Bounced", path: "/mail?state=bounced" });
    advance(60_000);
    await send("PUT", "/views", { ...VIEW, path: "/deliveries?source=stripe" });
    const [, { data }] = (await send("GET", "/views")) as unknown as [number, { data: (typeof VIEW)[] }];
    expect(data.map(({ name, path }) => [name, path])).toEqual([
      ["Bounced", "/mail?state=bounced"],
      [VIEW.name, "/deliveries?source=stripe"],
    ]);
    expect(halves.flatMap(({ requests }) => requests)).toEqual([]);
  });

  it("are deleted by name, also one with a slash, and the audit has each change", async () => {
    const { send } = await loggedIn();
    const name = "50 % / ü?";
    await send("PUT", "/views", { ...VIEW, name });
    const path = `/views/${encodeURIComponent(name)}`;
    expect(await send("DELETE", path)).toEqual([200, { success: true }]);
    expect(await send("DELETE", path)).toEqual([
      404,
      expect.objectContaining({ code: "not_found", path: "name", message: "name: there is no view with this name." }),
    ]);
    const [, { data }] = (await send("GET", "/audit?operation=dashboard.views")) as unknown as [
      number,
      { data: object[] },
    ];
    expect(data).toEqual([
      expect.objectContaining({ operation: "dashboard.views.delete", ids: { name }, who: "owner" }),
      expect.objectContaining({ operation: "dashboard.views.save", ids: { name }, who: "owner" }),
    ]);
  });

  it.each([
    ["a path of another site", { ...VIEW, path: "//evil.example.com" }, "path"],
    ["a path that a browser reads as another site", { ...VIEW, path: "/\\evil.example.com" }, "path"],
    ["an address", { ...VIEW, path: "https://evil.example.com/" }, "path"],
    ["a path of the API", { ...VIEW, path: "/api/email/teams" }, "path"],
    ["a path with a step", { ...VIEW, path: "/.//evil.example.com" }, "path"],
    ["a name that a browser takes for a step", { ...VIEW, name: ".." }, "name"],
    ["a script", { ...VIEW, path: "javascript:alert(1)" }, "path"],
    ["a path with a line break", { ...VIEW, path: "/deliveries\n/x" }, "path"],
    ["a path of 2 001 characters", { ...VIEW, path: `/${"a".repeat(2_000)}` }, "path"],
    ["a name of spaces", { ...VIEW, name: "  " }, "name"],
    ["a name of two lines", { ...VIEW, name: "a\nb" }, "name"],
    ["a name of 81 characters", { ...VIEW, name: "a".repeat(81) }, "name"],
    ["no name", { path: "/deliveries" }, "name"],
    ["a field that it does not have", { ...VIEW, shared: true }, "shared"],
  ])("refuse %s", async (_, body, path) => {
    const { send } = await loggedIn();
    expect(await send("PUT", "/views", body)).toEqual([
      400,
      expect.objectContaining({ code: "invalid_request", path, message: expect.stringContaining(path) }),
    ]);
    expect(await send("GET", "/views")).toEqual([200, { data: [] }]);
  });

  it("are 100 at most, and a full list can still be changed", async () => {
    const { send } = await loggedIn();
    for (let n = 0; n < 100; n += 1) await send("PUT", "/views", { ...VIEW, name: `view ${n}` });
    expect(await send("PUT", "/views", VIEW)).toEqual([
      409,
      expect.objectContaining({ code: "too_many_views", message: expect.stringContaining("Delete one") }),
    ]);
    expect((await send("PUT", "/views", { ...VIEW, name: "view 7" }))[0]).toBe(200);
    await send("DELETE", "/views/view%208");
    expect((await send("PUT", "/views", VIEW))[0]).toBe(200);
  });

  it.each([
    ["GET", "/api/views"],
    ["PUT", "/api/views"],
    ["DELETE", "/api/views/x"],
  ])("are closed to those who are not logged in: %s %s", async (method, path) => {
    const answer = await dashboard().ask(method, path, method === "PUT" ? { body: VIEW } : {});
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: "session_required" })]);
  });
});
