import { expect, it, vi } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import type { Env } from "../../../src/env.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: class {}, env: {} }));
const logged = vi.spyOn(console, "log").mockImplementation(() => {});
const { default: app } = await import("../../../src/index.ts");

const SECRET = "whsec_test";

it("a webhook for an Outbox that refuses its state gets 503 without the cure, so that the provider sends it again", async () => {
  const message = "This state cannot be opened: delete it.";
  const accept = () => Promise.reject(new Error(message));
  const env = { STRIPE_WEBHOOK_SECRET: SECRET, OUTBOX: { getByName: () => ({ accept }) } } as unknown as Env;
  const { raw, headers } = await signedSample("stripe", "invoice.paid", { secret: SECRET, now: Date.now() });
  const answer = await app.request("/hooks/stripe", { method: "POST", headers, body: raw }, env);
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "60"]);
  expect(await answer.json()).toEqual({
    error: { code: "state_refused", message: "This service is being repaired. Try again later." },
  });
  expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: "state_refused", error: message }),
  );
});
