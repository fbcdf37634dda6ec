import { describe, expect, it } from "vitest";
import { DANGEROUS } from "../../../src/dashboard/worker/danger.ts";
import { findRoute, routeNames } from "../../../src/dashboard/worker/routes.ts";

describe("the operations that the dashboard forwards", () => {
  it("have every act that cannot be undone among them", () => {
    expect([...DANGEROUS].filter((name) => !routeNames.has(name))).toEqual([]);
    expect([...DANGEROUS].toSorted()).toEqual([
      ...["bridge.calls.sendAgain", "bridge.people.forget", "bridge.v1.contacts.delete", "bridge.v1.workflows.delete"],
      ...["email.campaigns.retryUnknown", "email.contacts.bulk", "email.domains.remove", "email.keys.create"],
      ...["email.keys.revoke", "email.people.forget", "email.properties.remove", "email.sends.retry"],
      ...["email.v1.contacts.delete", "email.v1.workflows.delete", "email.webhooks.create", "email.webhooks.remove"],
    ]);
  });

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
