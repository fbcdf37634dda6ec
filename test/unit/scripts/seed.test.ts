import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { seedTeam } from "../../../scripts/start/seed.ts";

let server: Server | undefined;
afterEach(() => server?.close());

const serve = async (statuses: Readonly<Record<string, number>>) => {
  const asked: string[] = [];
  server = createServer(({ method, url = "" }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(statuses[url] ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ key: "ms_demo_new", message: "No." }));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const KEYS = "/admin/teams/demo/keys";
const SAMPLES = "/admin/teams/demo/samples";

describe("the demo team of npm start", () => {
  test("is created with the samples and a key, on an empty state", async () => {
    const { asked, url } = await serve({ "/admin/teams": 201, [KEYS]: 201 });
    expect(await seedTeam(url, "t", "")).toBe("ms_demo_new");
    expect(asked).toEqual(["POST /admin/teams", `POST ${SAMPLES}`, `POST ${KEYS}`]);
  });

  test("gets the samples that its team lacks, and keeps its key", async () => {
    const { asked, url } = await serve({});
    expect(await seedTeam(url, "t", "ms_demo_old")).toBe("ms_demo_old");
    expect(asked).toEqual(["GET /v1/api-key", `POST ${SAMPLES}`]);
  });

  test("gets a new key where the email service refuses the old one", async () => {
    const { url } = await serve({ "/v1/api-key": 401, "/admin/teams": 409, [KEYS]: 201 });
    expect(await seedTeam(url, "t", "ms_demo_old")).toBe("ms_demo_new");
  });

  test("need not exist where the key is that of another team", async () => {
    const { url } = await serve({ [SAMPLES]: 404 });
    expect(await seedTeam(url, "t", "ms_acme_own")).toBe("ms_acme_own");
  });

  test("is an error with the words of the email service where it refuses", async () => {
    const { url } = await serve({ "/admin/teams": 401 });
    await expect(seedTeam(url, "t", "")).rejects.toThrow("The email service refused /admin/teams: No.");
  });
});
