import ruleSet from "../../../src/mappings/generic.ts";
import { describeAccounts } from "./accounts.ts";

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
