import { describe, expect, it } from "vitest";
import { findRoute, operations } from "../../../src/dashboard/worker/routes.ts";

describe("the operations that the dashboard forwards", () => {
  it.each([
    ["bridge", "POST", "/deliveries/retry", "bridge.deliveries.retryAll", {}],
    ["bridge", "GET", "/webhooks/wh_1", "bridge.webhooks.get", { webhookId: "wh_1" }],
    ["bridge", "GET", "/v1/contacts/find", "bridge.v1.contacts.find", {}],
    ["email", "GET", "/teams/acme/suppressions.csv", "email.suppressions.file", { team: "acme" }],
    [
      ...(["email", "GET", "/teams/acme/campaigns/cmp_1/recipients.csv", "email.campaigns.recipientsFile"] as const),
      { team: "acme", campaignId: "cmp_1" },
    ],
    ["email", "GET", "/teams", "email.teams.list", {}],
    ["email", "GET", "/teams/acme/v1/contacts/find", "email.v1.contacts.find", { team: "acme" }],
  ] as const)("are found by method and path: %s %s %s", (half, method, path, name, ids) => {
    expect(findRoute(half, method, path)).toEqual({ name, path, ids, operation: operations.get(name) });
  });

  // A browser resolves such steps before it sends a path. A program may not.
  it.each(["..", ".", "", "%2e%2e", "%2E.", "%zz", "%c3"])("are not found where an id is %j", (id) => {
    expect(findRoute("bridge", "GET", `/webhooks/${id}`)).toBeUndefined();
    expect(findRoute("email", "GET", `/teams/${id}/keys`)).toBeUndefined();
  });

  it.each(["/teams/", "//teams", "/teams/acme//keys", "/teams/acme/keys/", "/teams/acme/suppressions_csv"])(
    "are not found at %s",
    (path) => {
      expect(findRoute("email", "GET", path)).toBeUndefined();
    },
  );

  it("are found by an id with any other characters, which stays one segment", () => {
    for (const id of ["../x", "a/b", "\\..\\", "?x#y", "ü", "%2e%2e", "...", "\0"])
      expect(findRoute("bridge", "GET", `/webhooks/${encodeURIComponent(id)}`)).toEqual({
        name: "bridge.webhooks.get",
        path: `/webhooks/${encodeURIComponent(id)}`,
        ids: { webhookId: id },
        operation: operations.get("bridge.webhooks.get"),
      });
  });
});
