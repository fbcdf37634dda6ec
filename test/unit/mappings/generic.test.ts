import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/generic.ts";
import { describeAccounts } from "./accounts.ts";
import { type Body, recorded } from "./recorded.ts";

describeAccounts(ruleSet, {
  unverified: {
    "user.created.unverified": { email: "grace@example.com" },
    "user.updated.unverified": undefined,
  },
  verified: ["user.created"],
  deleted: {
    "user.deleted": { email: "ada@example.com", userId: "usr_1042" },
    "user.deleted.without-email": { userId: "usr_1042" },
    "user.deleted.svix": { userId: "usr_1043" },
  },
});

test.each([null, ""])(
  "an empty name (%j) writes nothing: it would clear the name from a form or a purchase",
  async (name) => {
    const { planFor } = recorded(ruleSet);
    const nameless = (body: Body) => Object.assign(body.data, { firstName: name, lastName: name });
    for (const webhook of ["user.created", "user.updated"])
      expect((await planFor(webhook, nameless)).deliveries[0]).toHaveProperty("properties", {});
  },
);
