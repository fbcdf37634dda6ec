import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { createClient } from "../../../src/lib/client.ts";
import { eraseAtService } from "../../../src/routes/admin/erase-at-service.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
const { default: app } = await import("../../../src/index.ts");

const page = { status: 404, type: "text/html", text: "<html>no</html>" };
const json = (status: number, body: object) => ({ status, type: "application/json", text: JSON.stringify(body) });

type Answer = { status: number; type: string; text: string };

const send = async (path: string, { status, type, text }: Answer) => {
  const forwarded = { status, headers: [["Content-Type", type]], body: new TextEncoder().encode(text).buffer };
  const stub = { forward: async () => forwarded };
  const env = {
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    EMAIL_API_KEY: "k",
    OUTBOX: { getByName: () => stub },
  } as unknown as Env;
  const response = await app.request(path, { headers: { Authorization: "Bearer an-admin-token-of-the-tests" } }, env);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

describe("erase with service: true", () => {
  const erase = (answer: Answer) => {
    const { status, type, text } = answer;
    const fetch = async () => new Response(text, { status, headers: { "Content-Type": type } });
    const client = createClient({ baseUrl: "https://host.test", apiKey: "k", fetch });
    return eraseAtService({} as Env, client, [{ email: "ada@example.com" }], { dryRun: false, actor: {} });
  };

  it("reports the removal and the absence of the contact in the words of the API only", async () => {
    const removed = await erase(json(200, { success: true, message: "Contact deleted." }));
    expect(removed).toMatchObject({ finished: true, message: expect.stringMatching(/^The contact was removed/) });
    const absent = await erase(json(404, { success: false, message: "Contact not found." }));
    expect(absent).toMatchObject({ finished: true, message: expect.stringMatching(/has no contact/) });
  });

  it.each([
    ["a web page with 404", page],
    ["a web page with 200", { ...page, status: 200 }],
    ["200 with a status", json(200, { status: "ok" })],
    ["200 with success: false", json(200, { success: false, message: "no" })],
    ["a cut 404", { status: 404, type: "application/json", text: '{"success":fal' }],
  ])("is not finished after %s", async (_, answer) => {
    expect(await erase(answer)).toMatchObject({
      finished: false,
      message: expect.stringMatching(
        /could not be removed.*Something in front of the email service answered \d{3} with/,
      ),
    });
  });
});

it("a web page with 404 does not say that the email service does not know a contact", async () => {
  const unknown = json(404, { success: false, message: "Contact not found." });
  expect(await send("/admin/suppression?email=ada@example.com", unknown)).toMatchObject({ json: { known: false } });
  expect(await send("/admin/suppression?email=ada@example.com", page)).toMatchObject({
    status: 503,
    json: {
      code: "service_unavailable",
      message: expect.stringContaining("in front of the email service answered 404"),
    },
  });
});
