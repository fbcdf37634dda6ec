import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp as createDashboard } from "../../src/dashboard/worker/app.ts";
import bridge from "../../src/index.ts";
import { admin, appWith, bindings, createTeam, isolated, request } from "./email/bench.ts";

isolated();

type Names = "OUTBOX" | "WORKSPACE" | "DIRECTORY" | "INBOX_STORE" | "MAILER" | "LOGINS";
const objects = env as unknown as Record<Names, DurableObjectNamespace>;

const LONG_TOKEN = "an-admin-token-of-the-dashboard";
/** Gives the object the tables of an unreleased version, and ends its process. */
const makeOld = async (stub: DurableObjectStub): Promise<void> => {
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    sql.exec("DROP TABLE schema_steps");
    sql.exec("CREATE TABLE migrations (version INTEGER PRIMARY KEY) STRICT");
    sql.exec("INSERT INTO migrations (version) VALUES (18)");
  });
  await evictDurableObject(stub);
};

const REFUSED = {
  code: "state_refused",
  message: expect.stringMatching(
    /^This state cannot be opened: an unreleased version of Mailspan wrote the data of \w+\. Delete it\. .*\.wrangler\/state.*npx wrangler delete --name mailspan-/,
  ),
};

describe("a state of an unreleased version is refused at every request, with what to delete", () => {
  const { ADMIN_TOKEN } = bindings;
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
  const token = { Authorization: `Bearer ${ADMIN_TOKEN}` };

  it("of the Outbox: health, admin and gateway answer 503", async () => {
    await makeOld(objects.OUTBOX.getByName("main"));
    const settings = { ...bindings, EMAIL_API_KEY: "k" };
    const ask = (path: string, init?: RequestInit) =>
      bridge.fetch(new Request(`https://bridge.test${path}`, init), settings as never, context);
    for (const [path, init] of [
      ["/health", {}],
      ["/admin/deliveries", { headers: token }],
      ["/v1/api-key", { headers: { Authorization: "Bearer k" } }],
    ] as const) {
      const answer = await ask(path, init);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(await answer.json()).toEqual(
        path.startsWith("/admin") ? { success: false, ...REFUSED } : { error: REFUSED },
      );
      expect(answer.headers.get("Retry-After")).toBe("60");
    }
  });

  it("of a team: v1 and admin answer 503", async () => {
    const team = await createTeam();
    await makeOld(team.stub);
    expect(await team.get("/contacts/find?userId=u1")).toMatchObject({ status: 503, json: REFUSED });
    expect(await admin("GET", `/admin/teams/acme/keys`)).toMatchObject({ status: 503, json: REFUSED });
    const again = await admin("POST", "/admin/teams", { id: "acme", name: "Again" });
    expect(again).toMatchObject({ status: 503, json: REFUSED });
  });

  it("of the Directory: health and the list of teams answer 503", async () => {
    await createTeam();
    await makeOld(objects.DIRECTORY.getByName("directory"));
    for (const path of ["/health", "/admin/teams"]) {
      expect(await admin("GET", path)).toMatchObject({ status: 503, json: REFUSED });
    }
  });

  it("of the Inbox: its pages answer 503", async () => {
    await makeOld(objects.INBOX_STORE.getByName("inbox"));
    expect(await request("GET", "/inbox.json", {}, appWith())).toMatchObject({ status: 503, json: REFUSED });
  });

  it("of a Mailer: each delivery throws the message", async () => {
    const stub = objects.MAILER.getByName("acme.transactional.0");
    await makeOld(stub);
    await expect(runInDurableObject(stub, () => {})).rejects.toThrow(
      /^This state cannot be opened: .* the data of Mailer\. Delete it\./,
    );
  });

  it("of the logins: the dashboard's operations answer 503", async () => {
    await makeOld(objects.LOGINS.getByName("main"));
    const app = createDashboard({ LOGINS: objects.LOGINS, ADMIN_TOKEN: LONG_TOKEN } as never);
    const headers = { "Content-Type": "application/json", Origin: "https://d.test", "X-Mailspan": "1" };
    const login = { method: "POST", headers, body: JSON.stringify({ token: LONG_TOKEN }) };
    const answer = await app.request(new Request("https://d.test/api/session", login), undefined, undefined, context);
    expect([answer.status, await answer.json()]).toEqual([503, { success: false, ...REFUSED }]);
  });
});
