import { describe, expect, it } from "vitest";
import { findRoute } from "../../../src/dashboard/worker/routes.ts";

describe("the operations that the dashboard forwards", () => {
  it.each([
    ["bridge", "POST", "/calls/retry", "bridge.calls.retryAll", {}],
    ["bridge", "GET", "/webhooks/wh_1", "bridge.webhooks.get", { webhookId: "wh_1" }],
    ["bridge", "GET", "/v1/contacts/find", "bridge.v1.contacts.find", {}],
    ["email", "GET", "/teams/acme/suppressions.csv", "email.suppressions.file", { team: "acme" }],
    ["email", "GET", "/teams", "email.teams.list", {}],
    ["email", "GET", "/teams/acme/v1/contacts/find", "email.v1.contacts.find", { team: "acme" }],
  ] as const)("are found by method and path: %s %s %s", (half, method, path, name, ids) => {
    expect(findRoute(half, method, path)).toEqual({ name, path, ids });
  });
});
