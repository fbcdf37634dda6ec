import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/supabase-database.ts";
import { describeAccounts } from "./accounts.ts";
import { type Body, eventsOf, planOf, recorded, withoutSecrets } from "./recorded.ts";

const { all, bodyOf, event, planFor } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "auth.users.INSERT": { email: "ada@example.com" },
    "auth.users.UPDATE.unconfirmed-profile": undefined,
    "auth.users.UPDATE.email-changed-unconfirmed": undefined,
    "auth.users.DELETE.unconfirmed": { userId: "d3b7c2f0-9f3e-4e2c-8c99-7dad814c3e33" },
  },
  verified: ["auth.users.INSERT.confirmed", "auth.users.INSERT.by-oauth"],
  changes: [
    [
      "email confirmed",
      "emailConfirmed",
      ["address-added", "email-confirmed", "invitation-accepted"].map((name) => `auth.users.UPDATE.${name}`),
    ],
    ["invited", "invitationCreated", ["auth.users.UPDATE.invited"]],
    ["first sign-in", "firstSignIn", ["auth.users.UPDATE.first-sign-in"]],
    ["email changed", "emailChanged", ["auth.users.UPDATE.email-changed"]],
    ["phone confirmed", "phoneConfirmed", ["auth.users.UPDATE.phone-confirmed"]],
    ["banned", "accountSuspended", ["auth.users.UPDATE.banned"]],
    ["ban lifted", "accountReinstated", ["auth.users.UPDATE.ban-lifted"]],
    ["anonymous user signed up", "signedUp", ["auth.users.UPDATE.anonymous-signed-up"]],
    ["account soft-deleted", "accountDeleted", ["auth.users.UPDATE.soft-deleted"]],
    ["account deleted", "accountDeleted", ["auth.users.DELETE", "auth.users.DELETE.unconfirmed"]],
  ],
  noDelivery: [
    "auth.users.UPDATE.sign-in",
    "auth.users.UPDATE.recovery-requested",
    "auth.users.UPDATE.email-change-requested",
    "auth.users.UPDATE.after-soft-delete",
    "auth.users.DELETE.after-soft-delete",
    "auth.users.INSERT.anonymous",
    "auth.users.INSERT.by-phone",
    "auth.users.UPDATE.ban-extended",
    "auth.users.UPDATE.phone-confirmed-without-email",
    "auth.users.DELETE.anonymous",
    "public.profiles.UPDATE",
  ],
  deleted: {
    "auth.users.DELETE": { email: "ada@example.com", userId: expect.any(String) },
    "auth.users.UPDATE.soft-deleted": { email: "ada@example.com", userId: expect.any(String) },
  },
  order: ["auth.users.INSERT", "auth.users.UPDATE", "auth.users.DELETE"],
});

test("a changed address goes to the contact with the user id", async () => {
  const { deliveries, links } = await planFor("auth.users.UPDATE.email-changed");
  expect(links).toMatchObject([{ email: "ada.king@example.com", userId: expect.any(String) }]);
  for (const { contact } of deliveries) expect(contact).toEqual(links[0]);
});

test("a later change of the profile writes the names; a ban has its end", async () => {
  const profile = await planFor("auth.users.UPDATE.profile");
  expect(profile.deliveries).toMatchObject([{ action: "contact", properties: { firstName: "Ada", lastName: "King" } }]);
  expect((await planFor("auth.users.UPDATE.banned")).deliveries).toMatchObject([
    { eventProperties: { until: "2025-12-18T08:00:00.120Z" } },
  ]);
});

test("a rule for another table that has the user id alone waits for the address of the user", async () => {
  const rule = {
    name: "plan chosen",
    on: "public.profiles.UPDATE",
    contact: { userId: (e: Body) => e.record.id },
    event: { name: "planChosen" },
  };
  const { deliveries } = await planOf({ ...ruleSet, rules: [rule] }, bodyOf("public.profiles.UPDATE"));
  expect(deliveries).toMatchObject([{ contact: { userId: expect.any(String) }, waitsForTie: true }]);
});

test("an old project without the newer columns has its sign-ups", async () => {
  const old = (body: Body) => {
    for (const column of ["deleted_at", "is_anonymous", "is_sso_user", "banned_until"]) delete body.record[column];
  };
  expect((await event("auth.users.INSERT.confirmed", old))?.name).toBe("signedUp");
  expect(eventsOf((await planFor("auth.users.INSERT.confirmed", old)).deliveries)).toHaveLength(1);
});

test("rows of auth.users keep no password and no token, before and after the change", async () => {
  const columns = /"((?:encrypted_password|[a-z_]*token[a-z_]*))": "([^"]+)"/g;
  const found = new Set<string>();
  for (const webhook of await all()) {
    const secrets = [...webhook.raw.matchAll(columns)];
    for (const [, column = ""] of secrets) found.add(column);
    if (secrets.length === 0) continue;
    const left = [...withoutSecrets(ruleSet, webhook).matchAll(columns)].filter(([, , value]) => value !== "[erased]");
    expect([webhook.name, left.map(([, column]) => column)]).toEqual([webhook.name, []]);
  }
  expect([...found].sort()).toEqual([
    "confirmation_token",
    "email_change_token_current",
    "email_change_token_new",
    "encrypted_password",
    "phone_change_token",
    "reauthentication_token",
    "recovery_token",
  ]);
});

test("no delivery contains a password or a token", async () => {
  for (const { name, deliveries } of await all())
    expect([name, /\$2a\$|[0-9a-f]{50}/.test(JSON.stringify(deliveries))]).toEqual([name, false]);
});
