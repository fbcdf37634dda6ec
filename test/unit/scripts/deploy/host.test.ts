import { describe, expect, test } from "vitest";
import { varsOf } from "../../../../scripts/deploy/config.ts";
import { hostOf } from "../../../../scripts/deploy/flow.ts";
import { HOSTED, KEY, workers, world } from "./world.ts";

describe("another host of the API", () => {
  const answers = { EMAIL_API_KEY: "hosted-api-key-1234", TEMPLATE_WELCOME: "cl1", TEMPLATE_MAGIC_LINK: "cl2" };

  test("deploys bridge and dashboard, both without the binding to the email Worker, with the ids of the host", async () => {
    const w = world(answers);
    expect(await w.deploy({ host: `${HOSTED}/` })).toBe(true);
    expect(w.done).toEqual([
      "whoami --json",
      "secret list",
      "deploy mailspan-bridge",
      "services []",
      "deploy mailspan-bridge",
      "services []",
      "secret list",
      "build the page",
      "deploy mailspan-dashboard",
      'services [{"binding":"BRIDGE","service":"mailspan-bridge"}]',
    ]);
    expect(w.requests[0]?.line).toBe(`GET ${HOSTED}/v1/api-key`);
    expect(w.cloud.get("mailspan-bridge")).toEqual({
      secrets: { EMAIL_API_KEY: "hosted-api-key-1234", ADMIN_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/) },
      vars: {
        ...varsOf(workers.bridge),
        PUBLIC_URL: "https://mailspan-bridge.acme.workers.dev",
        EMAIL_API_URL: HOSTED,
        CONTACT_PROPERTIES: "flat",
        TEMPLATES: { welcome: "cl1", "magic-link": "cl2" },
      },
    });
    expect(w.output()).toContain('Left out: calls with the template "receipt" fail');
    expect(w.output()).not.toContain("hosted-api-key-1234");
  });

  test("again: keeps key and ids. Back to the email Worker: creates a key of it", async () => {
    const w = world(answers);
    await w.deploy({ host: HOSTED });
    const before = structuredClone([...w.cloud]);
    expect(await w.deploy({ host: HOSTED })).toBe(true);
    expect([...w.cloud]).toEqual(before);

    w.answer({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-bridge")?.secrets.EMAIL_API_KEY).toBe(KEY);
    expect(w.cloud.get("mailspan-bridge")?.vars.EMAIL_API_URL).toBe("");
  });

  test("a key that the host refuses stops the run; a key of another host is not kept", async () => {
    const w = world({ EMAIL_API_KEY: "some-other-key-1234" });
    expect(await w.deploy({ host: HOSTED })).toBe(false);
    expect(w.output()).toContain(`${HOSTED} refuses this key (401): Invalid API key`);
    w.cloud.set("mailspan-bridge", { secrets: { EMAIL_API_KEY: "k", ADMIN_TOKEN: "t" }, vars: { EMAIL_API_URL: "" } });
    expect(await w.deploy({ host: HOSTED })).toBe(false);
    expect(w.output()).toContain("EMAIL_API_KEY is not set");
  });

  test("must have an https address", () => {
    expect(hostOf(workers, "https://api.example.com/base/")).toBe("https://api.example.com/base");
    expect(hostOf(workers, undefined)).toBeUndefined();
    for (const host of ["http://api.example.com", "api.example.com", "", "https://a.test/?x=1"]) {
      expect(() => hostOf(workers, host)).toThrow("expected an address");
    }
  });
});
