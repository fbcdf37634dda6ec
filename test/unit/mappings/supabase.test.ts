import { describe, expect, test } from "vitest";
import { sampleBody } from "../../../scripts/samples/samples.ts";
import { valueAt } from "../../../src/lib/webhook/shape.ts";
import ruleSet from "../../../src/mappings/supabase.ts";
import { describeAccounts } from "./accounts.ts";
import { planOf, recorded } from "./recorded.ts";
import { planSample } from "./sample.ts";

const { bodyOf } = recorded(ruleSet);

describeAccounts(ruleSet, {
  unverified: {
    "send-email.signup": { email: "ada@example.com" },
    "after-user-created": { email: "ada@example.com" },
  },
  verified: ["after-user-created.confirmed", "after-user-created.by-oauth"],
  noDelivery: ["after-user-created.anonymous"],
});

describe("hooks that need an answer", () => {
  const { user } = bodyOf("send-email");
  test.each([
    ["send-sms", { user, sms: { otp: "561166" } }],
    ["customize-access-token", { user_id: "u1", claims: { sub: "u1" }, authentication_method: "password" }],
    ["customize-access-token", { user_id: "u1", authentication_method: "password" }],
    ["mfa-verification", { factor_id: "f1", factor_type: "totp", user_id: "u1", valid: true }],
    ["password-verification", { user_id: "u1", valid: false }],
  ])("%s is refused without metadata and with metadata without a name", async (name, body) => {
    for (const each of [body, { ...body, metadata: { uuid: "1", time: "2025-11-12T12:00:00Z" } }]) {
      await expect(planOf(ruleSet, each)).rejects.toThrow(`The hook ${name} needs an answer`);
    }
  });

  test("are not confused with hooks that can be answered", async () => {
    const { metadata: _, ...older } = bodyOf("send-email");
    expect((await planOf(ruleSet, older)).webhook.type).toBe("send-email");
    expect((await planOf(ruleSet, { user })).webhook.type).toBe("unknown");
    const named = { user, valid: true, metadata: { name: "after-user-created", uuid: "1" } };
    expect((await planOf(ruleSet, named)).webhook.type).toBe("after-user-created");
  });

  test("the secret paths exist in the recorded mail", () => {
    for (const path of ruleSet.handler.secretPaths ?? []) {
      expect(valueAt(bodyOf("send-email.email_change"), path)).toEqual(expect.stringMatching(/./));
    }
  });
});

test("links an address to a user id only when it is confirmed", async () => {
  const contacts = async (confirmed: string | null) =>
    (await planSample(ruleSet, "send-email", { "user.email_confirmed_at": confirmed })).deliveries.map(
      ({ contact }) => contact,
    );
  expect(await contacts("2026-01-01T00:00:00Z")).toContainEqual(
    expect.objectContaining({ userId: expect.any(String) }),
  );
  expect(await contacts(null)).toEqual(Array(3).fill({ email: "ada@example.com" }));
});

test("a hook without redirect_to has a link without it", async () => {
  const { deliveries } = await planSample(ruleSet, "send-email", { "email_data.redirect_to": null });
  expect(JSON.stringify(deliveries)).toMatch(/&type=magiclink"/);
});

const mails = async (changes: Record<string, unknown>) =>
  (await planSample(ruleSet, "send-email", changes)).deliveries.flatMap((delivery) =>
    delivery.action === "transactional" ? [{ to: delivery.contact.email, ...delivery.dataVariables }] : [],
  );
const change = {
  "email_data.email_action_type": "email_change",
  "email_data.token": '"111111"',
  "email_data.token_hash": "hash-of-new",
  "email_data.redirect_to": "",
  user: { id: "u1", email: "old@example.com", new_email: "new@example.com" },
};
const link = (hash: string) =>
  `https://abcdefghijklmnopqrst.supabase.co/auth/v1/verify?token=${hash}&type=email_change`;

test("a secure change of address: each address gets its own code and link", async () => {
  const secure = { ...change, "email_data.token_new": '"222222"', "email_data.token_hash_new": "hash-of-current" };
  expect(await mails(secure)).toMatchObject([
    { to: "old@example.com", code: "111111", link: link("hash-of-current") },
    { to: "new@example.com", code: "222222", link: link("hash-of-new") },
  ]);
});

test("with secure change off, the new address alone, with the code in token", async () => {
  expect(await mails(change)).toMatchObject([{ to: "new@example.com", code: "111111", link: link("hash-of-new") }]);
});

test.each(["signup", "magiclink", "recovery", "invite", "email", "reauthentication"])(
  "%s sends one mail",
  async (action) => {
    const sent = await mails({ "email_data.email_action_type": action });
    expect(sent).toHaveLength(1);
    expect(Object.values(sent[0] ?? {}).every((text) => typeof text === "string" && text !== "")).toBe(true);
  },
);

const NOTICES = ["password_changed", "email_changed", "phone_changed", "identity_linked", "identity_unlinked"];
const FACTORS = ["mfa_factor_enrolled", "mfa_factor_unenrolled"];
test.each([...NOTICES, ...FACTORS])("%s_notification sends one mail, which says what was changed", async (name) => {
  const changed = { "email_data.email_action_type": `${name}_notification`, "email_data.token": '""' };
  const sent = await mails(changed);
  expect(sent).toEqual([{ to: "ada@example.com", heading: expect.any(String), explanation: expect.any(String) }]);
  expect(JSON.stringify(sent)).not.toMatch(/undefined|null/);
});

test("a changed address is told to the former one; a sign-in and a factor are named", async () => {
  const of = (action: string, more: Record<string, unknown>) =>
    mails({ "email_data.email_action_type": `${action}_notification`, ...more });
  const [address] = await of("email_changed", { "email_data.old_email": "old@example.com" });
  expect(address).toMatchObject({ to: "old@example.com", explanation: expect.stringContaining("ada@example.com") });
  const [linked] = await of("identity_linked", { "email_data.provider": "github" });
  expect(linked).toMatchObject({ explanation: expect.stringContaining("Github") });
  const [factor] = await of("mfa_factor_enrolled", { "email_data.factor_type": "totp" });
  expect(factor).toMatchObject({ explanation: expect.stringContaining("an authenticator app") });
});

test.each(["something_new_notification", "constructor", ""])("%o sends none", async (action) => {
  expect(await mails({ "email_data.email_action_type": action })).toEqual([]);
});

test("the link is made from a site with and without the path, and keeps every character of the redirect", async () => {
  const redirect = "https://app.example.com/a?b=c&d=ü#e";
  for (const site of ["http://localhost:9999", "http://localhost:9999/", "http://localhost:9999/auth/v1/"]) {
    const [mail] = await mails({ "email_data.site_url": site, "email_data.redirect_to": redirect });
    const url = new URL(String((mail as { link?: string }).link));
    expect(`${url.origin}${url.pathname}`).toBe("http://localhost:9999/auth/v1/verify");
    expect(url.searchParams.get("redirect_to")).toBe(redirect);
    expect(url.searchParams.get("type")).toBe("magiclink");
  }
});

test.each(["signup", "magiclink", "email_change"])("%s without a code speaks of no code", async (action) => {
  const [mail] = await mails({ ...change, "email_data.email_action_type": action, "email_data.token": '""' });
  expect(mail).toMatchObject({ code: "", explanation: expect.stringMatching(/^Follow the link (to|and)/) });
});

test("reauthentication has a code and no link to verify", async () => {
  const reauthentication = { "email_data.email_action_type": "reauthentication" };
  expect(await mails(reauthentication)).toMatchObject([{ link: "https://app.example.com/welcome", code: "305805" }]);
  expect(await mails({ ...reauthentication, "email_data.redirect_to": "" })).toMatchObject([
    { link: "https://abcdefghijklmnopqrst.supabase.co/auth/v1" },
  ]);
});

test("only after-user-created makes the contact, not before-user-created", async () => {
  const { user } = sampleBody("supabase", "send-email");
  const hook = (name: string) => planSample(ruleSet, "send-email", { "metadata.name": name, user });
  expect(await hook("before-user-created")).toMatchObject({ deliveries: [], outcomes: [] });
  expect((await hook("after-user-created")).deliveries).toMatchObject([
    { action: "contact", contact: { email: "ada@example.com" }, properties: {} },
    { action: "event", eventName: "userCreated" },
  ]);
});
