import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp as createDashboard } from "../../src/dashboard/worker/app.ts";
import { createToken } from "../../src/email/mail/links/link-token.ts";
import bridge from "../../src/index.ts";
import { admin, appWith, bindings, createTeam, isolated, request } from "./email/bench.ts";

isolated();

type Names = "OUTBOX" | "WORKSPACE" | "DIRECTORY" | "INBOX_STORE" | "MAILER" | "LOGINS";
const objects = env as unknown as Record<Names, DurableObjectNamespace>;

const LONG_TOKEN = "an-admin-token-of-the-dashboard";
/** Gives the object the steps of an unreleased version, and ends its process. */
const makeOld = async (stub: DurableObjectStub): Promise<void> => {
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    sql.exec("UPDATE schema_steps SET version = version - 99, minimum = 1");
  });
  await evictDurableObject(stub);
};

const TO_STRANGER = { code: "state_refused", message: "This service is being repaired. Try again later." };
const toOperator = (object: string) => ({
  code: "state_refused",
  message: `This state cannot be opened: an unreleased version of Mailspan wrote the data of ${object}. Delete it. Local: stop, then delete the folder that ends in -${object} below .wrangler/state (with --from: below the folder state in it). Deployed: npx wrangler delete for the Worker that binds ${object}, which deletes all data of that Worker, then npm run deploy.`,
});

const refused = (error: typeof TO_STRANGER) => ({ status: 503, wait: "60", json: { success: false, ...error } });
const partsOf = ({ status, headers, json }: { status: number; headers: Headers; json: unknown }) => ({
  status,
  wait: headers.get("Retry-After"),
  json,
});

describe("a state of an unreleased version is refused at every request, and an operator is told what to delete", () => {
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
        path.startsWith("/admin") ? { success: false, ...toOperator("Outbox") } : { error: TO_STRANGER },
      );
      expect(answer.headers.get("Retry-After")).toBe("60");
    }
  });

  it("of a team: v1 and admin answer 503", async () => {
    const team = await createTeam();
    await makeOld(team.stub);
    const ofTeam = refused(toOperator("Workspace"));
    expect(partsOf(await team.get("/contacts/find?userId=u1"))).toEqual(refused(TO_STRANGER));
    expect(partsOf(await admin("GET", "/admin/teams/acme/keys"))).toEqual(ofTeam);
    expect(partsOf(await admin("GET", "/admin/teams/acme/v1/contacts/find?userId=u1"))).toEqual(ofTeam);
    expect(partsOf(await admin("POST", "/admin/teams", { id: "acme", name: "Again" }))).toEqual(ofTeam);
  });

  it("of a team: the pages of its links answer 503, without what to delete", async () => {
    const team = await createTeam();
    const target = { team: "acme", send: 1, row: 1, contact: "c1", address: "a" };
    const path = `/u/${await createToken(bindings.API_KEY_SECRET, "unsubscribe", target)}`;
    await makeOld(team.stub);
    for (const method of ["GET", "POST"]) {
      const { status, headers, text } = await request(
        method,
        path,
        method === "POST" ? { body: "do=unsubscribe" } : {},
      );
      expect([status, headers.get("Retry-After")]).toEqual([503, "60"]);
      expect(text).toContain("Something went wrong here. Try again in a minute.");
      expect(text).not.toContain("delete");
    }
  });

  it("of the Directory: health and the list of teams answer 503", async () => {
    await createTeam();
    await makeOld(objects.DIRECTORY.getByName("directory"));
    expect(partsOf(await admin("GET", "/health"))).toEqual(refused(TO_STRANGER));
    expect(partsOf(await admin("GET", "/admin/teams"))).toEqual(refused(toOperator("Directory")));
  });

  it("of the Inbox: its pages answer 503", async () => {
    await makeOld(objects.INBOX_STORE.getByName("inbox"));
    expect(partsOf(await request("GET", "/inbox.json", {}, appWith()))).toEqual(refused(TO_STRANGER));
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
    const { status, headers: given } = answer;
    expect(partsOf({ status, headers: given, json: await answer.json() })).toEqual(refused(TO_STRANGER));
  });
});
