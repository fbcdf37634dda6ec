import { describe, expect, test } from "vitest";
import { varsOf } from "../../../../scripts/deploy/config.ts";
import { serviceOf } from "../../../../scripts/deploy/flow.ts";
import { HOSTED, KEY, workers, world } from "./world.ts";

describe("another email service of the API", () => {
  const answers = { EMAIL_API_KEY: "hosted-api-key-1234", TEMPLATE_WELCOME: "cl1", TEMPLATE_MAGIC_LINK: "cl2" };

  test("deploys bridge and dashboard, both without the binding to the email Worker, with the ids of the email service", async () => {
    const w = world(answers);
    expect(await w.deploy({ service: `${HOSTED}/` })).toBe(true);
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
    expect(w.output()).toContain('Left out: deliveries with the template "receipt" fail');
    expect(w.output()).not.toContain("hosted-api-key-1234");
  });

  test("again: keeps key and ids. Back to the email Worker: creates a key of it", async () => {
    const w = world(answers);
    await w.deploy({ service: HOSTED });
    const before = structuredClone([...w.cloud]);
    expect(await w.deploy({ service: HOSTED })).toBe(true);
    expect([...w.cloud]).toEqual(before);

    w.answer({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(w.cloud.get("mailspan-bridge")?.secrets.EMAIL_API_KEY).toBe(KEY);
    expect(w.cloud.get("mailspan-bridge")?.vars.EMAIL_API_URL).toBe("");
  });

  test("a key that the email service refuses stops the run; a key of another email service is not kept", async () => {
    const w = world({ EMAIL_API_KEY: "some-other-key-1234" });
    expect(await w.deploy({ service: HOSTED })).toBe(false);
    expect(w.output()).toContain(`${HOSTED} refuses this key (401): Invalid API key`);
    w.cloud.set("mailspan-bridge", { secrets: { EMAIL_API_KEY: "k", ADMIN_TOKEN: "t" }, vars: { EMAIL_API_URL: "" } });
    expect(await w.deploy({ service: HOSTED })).toBe(false);
    expect(w.output()).toContain("EMAIL_API_KEY is not set");
  });

  test("must have an https address", () => {
    expect(serviceOf(workers, "https://api.example.com/base/")).toBe("https://api.example.com/base");
    expect(serviceOf(workers, undefined)).toBeUndefined();
    for (const service of ["http://api.example.com", "api.example.com", "", "https://a.test/?x=1"]) {
      expect(() => serviceOf(workers, service)).toThrow("expected an address");
    }
  });
});
