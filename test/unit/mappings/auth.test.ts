import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { supabase as supabaseHandler } from "../../../src/handlers/supabase.ts";
import { valueAt } from "../../../src/lib/webhook/shape.ts";
import auth0 from "../../../src/mappings/auth0.ts";
import clerk from "../../../src/mappings/clerk.ts";
import generic from "../../../src/mappings/generic.ts";
import kinde, { kindeRules } from "../../../src/mappings/kinde.ts";
import logto from "../../../src/mappings/logto.ts";
import stytch from "../../../src/mappings/stytch.ts";
import supabase from "../../../src/mappings/supabase.ts";
import supabaseDatabase from "../../../src/mappings/supabase-database.ts";
import workos from "../../../src/mappings/workos.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import { contactOf, formerContactOf, linksOf } from "../../../src/rules/people/account.ts";
import { metadataFirstName, metadataLastName } from "../../../src/rules/people/metadata-name.ts";
import type { Plan, PlannedCall, RuleSet } from "../../../src/rules/types.ts";
import { becameEmpty, becameSet, changed, turned } from "../../../src/rules/values/transition.ts";
import { sources } from "../../../src/sources.ts";
import type { Envelope } from "../../../src/webhook.ts";
import { requestOf } from "../signed.ts";

const FIXTURES = join(import.meta.dirname, "../..", "fixtures");
const NOW = Date.UTC(2025, 10, 25);
const RULE_SETS = [clerk, supabase, supabaseDatabase, auth0, workos, kinde, stytch, logto, generic];

type Case = Plan & { name: string; raw: string; envelope: Envelope };

const casesOf = async (ruleSet: RuleSet): Promise<Case[]> => {
  const folder = join(FIXTURES, ruleSet.handler.provider);
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return Promise.all(
    files.map(async (file) => {
      const raw = readFileSync(join(folder, file), "utf8");
      const name = file.slice(0, -".json".length);
      return { ...(await planOf(ruleSet, JSON.parse(raw))), name, raw };
    }),
  );
};

const planOf = async (ruleSet: RuleSet, body: unknown): Promise<Plan & { envelope: Envelope }> => {
  const headers = new Headers({ "svix-id": "msg_1", "webhook-id": "msg_1", "webhook-timestamp": "1762948800" });
  const envelope = await ruleSet.handler.read(requestOf({ headers, raw: JSON.stringify(body) }), body, NOW);
  return { ...plan(ruleSet, { ...envelope, source: ruleSet.handler.provider }), envelope };
};

const CASES = new Map<string, Case[]>();
for (const ruleSet of RULE_SETS) CASES.set(ruleSet.handler.provider, await casesOf(ruleSet));

const cases = (provider: string): Case[] => CASES.get(provider) ?? [];
const fixture = (provider: string, name: string): Case => {
  const found = cases(provider).find((each) => each.name === name);
  if (!found) throw new Error(`${provider} has no fixture ${name}`);
  return found;
};
// biome-ignore lint/suspicious/noExplicitAny: each provider's own JSON
const bodyOf = (provider: string, name: string): any => JSON.parse(fixture(provider, name).raw);
const events = ({ calls }: Plan): string[] =>
  calls.flatMap((call) => (call.action === "event" ? [call.eventName] : []));
const written = ({ calls }: Plan): PlannedCall[] => calls.filter(({ action }) => action === "contact");

/** Names of the fixtures that a rule matches. */
const matchedBy = (provider: string, rule: string): string[] =>
  cases(provider)
    .filter(({ outcomes }) => outcomes.some((it) => it.rule === rule && it.outcome === "matched"))
    .map(({ name }) => name)
    .sort();

describe.each(RULE_SETS.map((ruleSet) => [ruleSet.handler.provider, ruleSet] as const))("%s", (provider, ruleSet) => {
  test("is a source, with the secret its handler names", () => {
    expect(sources[provider]).toMatchObject({ rules: ruleSet, secret: ruleSet.handler.about.secret });
  });

  test("no rule fails on a fixture, and each matches one", () => {
    const outcomes = cases(provider).flatMap((each) => each.outcomes);
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const matched = new Set(outcomes.filter(({ outcome }) => outcome === "matched").map(({ rule }) => rule));
    expect(ruleSet.rules.map(({ name }) => name).filter((name) => !matched.has(name))).toEqual([]);
  });

  test("each condition is false on a fixture", () => {
    const outcomes = cases(provider).flatMap((each) => each.outcomes);
    const not = new Set(outcomes.filter(({ outcome }) => outcome === "not matched").map(({ rule }) => rule));
    expect(ruleSet.rules.filter(({ when, name }) => when && !not.has(name)).map(({ name }) => name)).toEqual([]);
  });

  test("a fixture is named by its type", () => {
    for (const { name, envelope } of cases(provider)) expect(`${name}.`.startsWith(`${envelope.type}.`)).toBe(true);
  });

  test("only who is gone is unsubscribed, and nobody is subscribed", () => {
    for (const { name, calls, outcomes } of cases(provider)) {
      const removing = new Set(ruleSet.rules.filter(({ remove }) => remove).map((rule) => rule.name));
      const gone = outcomes.some(({ rule, outcome }) => outcome === "matched" && removing.has(rule));
      const subscribed = calls.flatMap((call) =>
        call.action === "contact" && "subscribed" in call.properties ? [call.properties.subscribed] : [],
      );
      expect([name, subscribed]).toEqual([name, gone ? [false] : []]);
      if (gone) expect(calls.map(({ action }) => action)).toContain("event");
    }
    expect(ruleSet.rules.flatMap(({ update = {} }) => Object.keys(update))).not.toContain("subscribed");
  });

  test("a person who is gone is told of as accountDeleted", () => {
    for (const { remove, event } of ruleSet.rules) {
      expect(event?.name === "accountDeleted" ? remove : undefined).toBe(remove);
    }
  });

  test("texts that people write are cut to what the host takes", async () => {
    for (const each of cases(provider)) {
      const long = JSON.parse(each.raw, (key, value) =>
        typeof value === "string" && /name|role|state$/i.test(key) ? "x".repeat(2_000) : value,
      );
      // The hook's own name and the row's table say what it is.
      if (long.metadata) long.metadata.name = bodyOf(provider, each.name).metadata.name;
      const { calls } = await planOf(ruleSet, long);
      for (const call of calls) {
        const texts = Object.values(
          call.action === "contact" ? call.properties : call.action === "event" ? call.eventProperties : {},
        ).filter((value) => typeof value === "string");
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(500);
      }
    }
  });
});

describe("an address that nobody showed to be theirs", () => {
  const UNVERIFIED: readonly (readonly [
    provider: string,
    name: string,
    contact: Record<string, string> | undefined,
  ])[] = [
    ["clerk", "user.created.unverified", { email: "grace@example.com" }],
    ["clerk", "user.updated.unverified", undefined],
    ["supabase", "send-email.signup", { email: "ada@example.com" }],
    ["supabase", "after-user-created", { email: "ada@example.com" }],
    ["supabase-database", "auth.users.INSERT", { email: "ada@example.com" }],
    ["supabase-database", "auth.users.UPDATE.unconfirmed-profile", undefined],
    ["supabase-database", "auth.users.UPDATE.email-changed-unconfirmed", undefined],
    ["supabase-database", "auth.users.DELETE.unconfirmed", undefined],
    ["auth0", "user.created", { email: "ada@example.com" }],
    ["auth0", "user.updated.email-changed-unverified", undefined],
    ["auth0", "user.deleted.unverified", { userId: "auth0|691474e1c1a2b3d4e5f60720" }],
    ["workos", "user.created.unverified", { email: "grace@example.com" }],
    ["workos", "user.updated.unverified", undefined],
    ["workos", "user.deleted.unverified", { userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2Q" }],
    ["kinde", "user.created", { email: "ada@example.com" }],
    ["kinde", "user.updated", undefined],
    ["stytch", "direct.user.create.unverified", { email: "grace@example.com" }],
    ["stytch", "dashboard.user.create", { email: "linus@example.com" }],
    ["stytch", "scim.member.create.unverified", { email: "veda@example.com" }],
    ["generic", "user.created.unverified", { email: "grace@example.com" }],
  ];

  test.each(UNVERIFIED)("%s %s: is tied to no user id, and no name is written to it", (provider, name, contact) => {
    const { calls, links } = fixture(provider, name);
    expect(links).toEqual([]);
    expect(calls.map((call) => call.contact).filter((it) => JSON.stringify(it) !== JSON.stringify(contact))).toEqual(
      [],
    );
    expect(calls.length > 0).toBe(contact !== undefined);
    for (const call of written({ calls, outcomes: [], links })) {
      expect(
        call.action === "contact" ? Object.keys(call.properties).filter((key) => key !== "subscribed") : [],
      ).toEqual([]);
    }
  });

  test("no link of any fixture has an address that its webhook calls unverified", () => {
    const linked = RULE_SETS.flatMap(({ handler }) => cases(handler.provider).flatMap((each) => each.links));
    expect(linked.length).toBeGreaterThan(20);
    expect(linked.every(({ email, userId, ref }) => email && (userId || ref))).toBe(true);
    expect(JSON.stringify(linked)).not.toMatch(/victim@|new@example/);
  });

  test("gets no welcome from Clerk, which anyone could have sent to it; the sign-up is told all the same", () => {
    const unverified = fixture("clerk", "user.created.unverified");
    expect(unverified.calls.filter(({ action }) => action === "transactional")).toEqual([]);
    expect(events(unverified)).toEqual(["signedUp"]);
    expect(matchedBy("clerk", "welcome")).toEqual(["user.created"]);
  });

  test("is the person's own at Kinde only where the mapping is told so", async () => {
    const body = bodyOf("kinde", "user.created");
    const person = { email: "ada@example.com", userId: body.data.user.id };
    const { calls, links } = await planOf(kindeRules(true), body);
    expect(links).toEqual([person]);
    expect(calls.map(({ contact }) => contact)).toEqual([person, person]);
    expect(calls[0]).toMatchObject({ properties: { firstName: "Ada", lastName: "Lovelace" } });
    expect((await planOf(kindeRules(true), bodyOf("kinde", "user.updated"))).calls).toHaveLength(1);
    expect((await planOf(kindeRules(false), body)).links).toEqual([]);
    // A deletion names the user id only: no contact has one then, and it would make one.
    expect((await planOf(kindeRules(false), bodyOf("kinde", "user.deleted"))).calls).toEqual([]);
    expect((await planOf(kindeRules(true), bodyOf("kinde", "user.deleted"))).calls).toMatchObject([
      { action: "contact", properties: { subscribed: false } },
      { action: "event", eventName: "accountDeleted" },
    ]);
  });

  test("is tied once Clerk says that it is verified", async () => {
    const { data, ...event } = bodyOf("clerk", "user.updated.unverified");
    const verified = JSON.parse(JSON.stringify({ ...event, data }).replace('"unverified"', '"verified"'));
    const { links, calls } = await planOf(clerk, verified);
    expect(links).toEqual([{ email: "grace@example.com", userId: "user_35Mq2NvBcXzLkJhGfDsApOiUyTr" }]);
    expect(calls).toMatchObject([{ contact: links[0] }]);
  });
});

describe("a verified address", () => {
  test.each([
    ["clerk", "user.created"],
    ["supabase", "after-user-created.confirmed"],
    ["supabase-database", "auth.users.INSERT.confirmed"],
    ["auth0", "user.created.verified"],
    ["workos", "user.created"],
    ["stytch", "direct.user.create"],
    ["logto", "User.Created"],
    ["generic", "user.created"],
  ])("%s %s: is tied to the user id, with the name the provider holds", (provider, name) => {
    const { calls, links } = fixture(provider, name);
    expect(links).toHaveLength(1);
    expect(links[0]).toEqual({ email: expect.stringMatching(/@/), userId: expect.any(String) });
    expect(calls.length).toBeGreaterThan(0);
    for (const { contact } of calls) expect(contact).toEqual(links[0]);
    expect(written(fixture(provider, name))).toMatchObject([
      { properties: { firstName: expect.any(String), lastName: expect.any(String) } },
    ]);
  });

  test("of several, Stytch's first verified one", () => {
    const { calls } = fixture("stytch", "direct.user.update");
    expect(calls).toMatchObject([{ contact: { email: "ada@example.com" }, properties: { lastName: "King" } }]);
  });
});

describe("what changed", () => {
  test.each([
    ["supabase-database", "email confirmed", "emailConfirmed", ["auth.users.UPDATE.email-confirmed"]],
    ["supabase-database", "first sign-in", "firstSignIn", ["auth.users.UPDATE.first-sign-in"]],
    ["supabase-database", "email changed", "emailChanged", ["auth.users.UPDATE.email-changed"]],
    ["supabase-database", "phone confirmed", "phoneConfirmed", ["auth.users.UPDATE.phone-confirmed"]],
    ["supabase-database", "banned", "accountSuspended", ["auth.users.UPDATE.banned"]],
    ["supabase-database", "ban lifted", "accountReinstated", ["auth.users.UPDATE.ban-lifted"]],
    ["supabase-database", "anonymous user signed up", "signedUp", ["auth.users.UPDATE.anonymous-signed-up"]],
    ["supabase-database", "account soft-deleted", "accountDeleted", ["auth.users.UPDATE.soft-deleted"]],
    ["supabase-database", "account deleted", "accountDeleted", ["auth.users.DELETE"]],
    ["auth0", "email confirmed", "emailConfirmed", ["user.updated.email-confirmed"]],
    ["auth0", "email changed", "emailChanged", ["user.updated.email-changed"]],
    ["auth0", "blocked", "accountSuspended", ["user.updated.blocked"]],
    ["auth0", "unblocked", "accountReinstated", ["user.updated.unblocked"]],
    ["workos", "email confirmed", "emailConfirmed", ["authentication.email_verification_succeeded"]],
    ["logto", "suspended", "accountSuspended", ["User.SuspensionStatus.Updated.suspended"]],
    ["logto", "suspension lifted", "accountReinstated", ["User.SuspensionStatus.Updated.lifted"]],
  ])("%s: %s is %s, on its fixture and no other", (provider, rule, event, names) => {
    expect(matchedBy(provider, rule)).toEqual(names);
    for (const name of names) expect(events(fixture(provider, name))).toEqual([event]);
  });

  test.each([
    ["supabase-database", "auth.users.UPDATE.sign-in"],
    ["supabase-database", "auth.users.UPDATE.recovery-requested"],
    ["supabase-database", "auth.users.UPDATE.email-change-requested"],
    ["supabase-database", "auth.users.UPDATE.after-soft-delete"],
    ["supabase-database", "auth.users.DELETE.after-soft-delete"],
    ["supabase-database", "auth.users.INSERT.anonymous"],
    ["supabase-database", "public.profiles.UPDATE"],
    ["auth0", "user.updated.sign-in"],
    ["clerk", "session.created"],
    ["clerk", "email.created"],
    ["clerk", "sms.created"],
    ["workos", "session.created"],
    ["kinde", "user.authenticated"],
    ["logto", "PostSignIn"],
  ])("%s %s makes no call", (provider, name) => {
    expect(fixture(provider, name).calls).toEqual([]);
  });

  test("a changed address goes to the contact that the user id finds", () => {
    for (const [provider, name] of [
      ["supabase-database", "auth.users.UPDATE.email-changed"],
      ["auth0", "user.updated.email-changed"],
    ] as const) {
      const { calls, links } = fixture(provider, name);
      expect(links).toMatchObject([{ email: "ada.king@example.com", userId: expect.any(String) }]);
      for (const { contact } of calls) expect(contact).toEqual(links[0]);
    }
  });

  test("Supabase: a later change of the profile writes the names, a ban says until when", () => {
    const profile = fixture("supabase-database", "auth.users.UPDATE.profile");
    expect(profile.calls).toMatchObject([{ action: "contact", properties: { firstName: "Ada", lastName: "King" } }]);
    expect(fixture("supabase-database", "auth.users.UPDATE.banned").calls).toMatchObject([
      { eventProperties: { until: "2025-12-18T08:00:00.120Z" } },
    ]);
  });

  test("Supabase: an old project without the newer columns has its sign-ups", async () => {
    const body = bodyOf("supabase-database", "auth.users.INSERT.confirmed");
    for (const column of ["deleted_at", "is_anonymous", "is_sso_user", "banned_until"]) delete body.record[column];
    expect(events(await planOf(supabaseDatabase, body))).toEqual(["signedUp"]);
  });

  test("Auth0: without the user as it was, nothing is said to have happened", () => {
    const { calls } = fixture("auth0", "user.updated.without-previous");
    expect(calls.map(({ action }) => action)).toEqual(["contact"]);
  });
});

describe("who is gone", () => {
  test.each([
    ["clerk", "user.deleted", { userId: "user_35Lm8QzXcVbNmAsDfGhJkLpOiUy" }],
    ["supabase-database", "auth.users.DELETE", { email: "ada@example.com", userId: expect.any(String) }],
    ["supabase-database", "auth.users.UPDATE.soft-deleted", { email: "ada@example.com", userId: expect.any(String) }],
    ["auth0", "user.deleted", { email: "ada@example.com", userId: "auth0|691474e1c1a2b3d4e5f60718" }],
    ["workos", "user.deleted", { email: "ada@example.com", userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2P" }],
    ["stytch", "direct.user.delete", { userId: "user-live-fde03dd1-fff7-4b3c-9b31-ead3fbc224de" }],
    ["logto", "User.Deleted", { email: "ada@example.com", userId: "q7w2e9r4t6y1" }],
    ["logto", "User.Deleted.by-api", { userId: "e9r4t6y1u3i5" }],
    ["generic", "user.deleted", { email: "ada@example.com", userId: "usr_1042" }],
  ])("%s %s: is unsubscribed and kept", (provider, name, contact) => {
    expect(fixture(provider, name).calls).toEqual([
      expect.objectContaining({ action: "contact", contact, properties: { subscribed: false } }),
      expect.objectContaining({ action: "event", contact, eventName: "accountDeleted" }),
    ]);
  });

  test("a member of an organization who leaves it is not", () => {
    expect(fixture("stytch", "direct.member.delete").calls).toEqual([
      {
        rule: "organization left",
        contact: { ref: "stytch:member-live-32fc5024-9c09-4da3-bd2e-c9ce4da9375f" },
        action: "event",
        eventName: "organizationLeft",
        eventProperties: {},
      },
    ]);
    expect(fixture("stytch", "direct.member.create").links).toEqual([
      { email: "ada@example.com", ref: "stytch:member-live-32fc5024-9c09-4da3-bd2e-c9ce4da9375f" },
    ]);
  });
});

describe("mail", () => {
  test("only Clerk's welcome and what Supabase Auth asks for is sent", () => {
    const senders = RULE_SETS.flatMap(({ handler, rules }) =>
      rules.filter(({ transactional }) => transactional).map(({ name }) => `${handler.provider}: ${name}`),
    );
    expect(senders.filter((sender) => !sender.startsWith("supabase: "))).toEqual(["clerk: welcome"]);
  });
});

describe("secrets", () => {
  /** A body with the values at its handler's secret paths taken out of every text of it, as the journal keeps it. */
  const kept = (ruleSet: RuleSet, name: string) => {
    const { raw } = fixture(ruleSet.handler.provider, name);
    const secrets = (ruleSet.handler.secretPaths ?? [])
      .map((path) => valueAt(JSON.parse(raw), path))
      .filter((value): value is string => typeof value === "string" && value !== "");
    expect(secrets.length).toBeGreaterThan(0);
    return secrets.reduce((rest, secret) => rest.replaceAll(JSON.stringify(secret), '"[erased]"'), raw);
  };

  test.each([
    ["email.created", "418277"],
    ["sms.created", "590113"],
    ["organizationInvitation.created", "ticket="],
    ["waitlistEntry.updated.invited", "ticket="],
  ])("Clerk's %s keeps no code and no ticket", (name, secret) => {
    expect(fixture("clerk", name).raw).toContain(secret);
    expect(kept(clerk, name)).not.toContain(secret);
  });

  test("rows of auth.users keep no password and no token, before and after the change", () => {
    const columns = /"((?:encrypted_password|[a-z_]*token[a-z_]*))": "([^"]+)"/g;
    const found = new Set<string>();
    for (const { name, raw } of cases("supabase-database")) {
      const secrets = [...raw.matchAll(columns)];
      for (const [, column = ""] of secrets) found.add(column);
      if (secrets.length === 0) continue;
      const left = [...kept(supabaseDatabase, name).matchAll(columns)].filter(([, , value]) => value !== "[erased]");
      expect([name, left.map(([, column]) => column)]).toEqual([name, []]);
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

  test("no call carries one", () => {
    for (const { name, calls } of [...cases("clerk"), ...cases("supabase-database")]) {
      expect([name, /418277|590113|ticket=|\$2a\$|[0-9a-f]{50}/.test(JSON.stringify(calls))]).toEqual([name, false]);
    }
  });
});

describe("Supabase auth hooks that need an answer", () => {
  const { user } = bodyOf("supabase", "send-email");
  test.each([
    ["send-sms", { user, sms: { otp: "561166" } }],
    ["customize-access-token", { user_id: "u1", claims: { sub: "u1" }, authentication_method: "password" }],
    ["customize-access-token", { user_id: "u1", authentication_method: "password" }],
    ["mfa-verification", { factor_id: "f1", factor_type: "totp", user_id: "u1", valid: true }],
    ["password-verification", { user_id: "u1", valid: false }],
  ])("%s is refused without metadata, and with metadata that has no name", async (name, body) => {
    for (const each of [body, { ...body, metadata: { uuid: "1", time: "2025-11-12T12:00:00Z" } }]) {
      await expect(planOf(supabase, each)).rejects.toThrow(`The hook ${name} needs an answer`);
    }
  });

  test("a hook that can be answered is not taken for one of them", async () => {
    const { metadata: _, ...older } = bodyOf("supabase", "send-email");
    expect((await planOf(supabase, older)).envelope.type).toBe("send-email");
    expect((await planOf(supabase, { user })).envelope.type).toBe("unknown");
    const named = { user, valid: true, metadata: { name: "after-user-created", uuid: "1" } };
    expect((await planOf(supabase, named)).envelope.type).toBe("after-user-created");
  });

  test("its secrets are those of the mail", () => {
    for (const path of supabaseHandler.secretPaths ?? []) {
      expect(valueAt(bodyOf("supabase", "send-email.email_change"), path)).toEqual(expect.stringMatching(/./));
    }
  });
});

describe("events as they come", () => {
  test("what is sent to try a webhook out is test data", () => {
    expect(fixture("auth0", "user.created.test").envelope.test).toBe(true);
    expect(fixture("logto", "User.Created.test").envelope.test).toBe(true);
    expect(fixture("logto", "User.Created").envelope.test).toBe(false);
  });

  test("Auth0's longer types are its types", () => {
    const { envelope } = fixture("auth0", "user.created.prefixed");
    expect([envelope.type, valueAt(envelope.body, "type")]).toEqual(["user.created", "user.created"]);
  });

  test.each([
    ["supabase-database", ["auth.users.INSERT", "auth.users.UPDATE", "auth.users.DELETE"]],
    ["auth0", ["user.created", "user.updated", "user.deleted"]],
    ["workos", ["user.created", "user.updated", "user.deleted"]],
    ["kinde", ["user.created", "user.updated", "user.deleted"]],
    ["stytch", ["direct.user.create", "scim.user.update", "direct.user.delete"]],
    ["logto", ["User.Created", "User.Data.Updated", "User.Deleted"]],
  ])("%s: of one moment, made comes before changed before gone", (provider, types) => {
    const handler = RULE_SETS.find((it) => it.handler.provider === provider)?.handler;
    expect([...types, "constructor"].map((type) => handler?.rank?.(type))).toEqual([1, 2, 3, 0]);
  });

  test("a time of the provider is the time it happened", () => {
    for (const { handler } of RULE_SETS) {
      for (const { name, envelope } of cases(handler.provider)) {
        // A deleted row tells no time.
        const told = !name.startsWith("auth.users.DELETE");
        expect([name, envelope.occurredAt < NOW]).toEqual([name, told]);
      }
    }
  });

  test("one event per sign-up at Logto, though it sends two webhooks", () => {
    expect([events(fixture("logto", "PostRegister")), events(fixture("logto", "User.Created"))]).toEqual([
      ["signedUp"],
      [],
    ]);
  });

  test("WorkOS: who is only invited has not joined; a directory's address may stand in a list", () => {
    expect(fixture("workos", "organization_membership.created.pending").calls).toEqual([]);
    expect(fixture("workos", "dsync.user.created.emails").calls).toMatchObject([
      { contact: { email: "veda@example.com" } },
    ]);
    expect(fixture("workos", "invitation.accepted").calls[0]?.contact).toEqual({
      userId: "user_01K9VXQZ4T6Y8B1D3F5H7K9M2R",
    });
    expect(fixture("workos", "invitation.accepted.without-user").calls[0]?.contact).toEqual({
      email: "linus@example.com",
    });
  });
});

describe("helpers", () => {
  const row = { at: null as string | null, on: false as boolean, data: { a: 1 } };

  test("a column that was empty and is set, and the other way round", () => {
    expect(becameSet(row, { ...row, at: "now" }, "at")).toBe(true);
    expect(becameSet({ ...row, at: "" }, { ...row, at: "now" }, "at")).toBe(true);
    expect(becameSet({ ...row, at: "then" }, { ...row, at: "now" }, "at")).toBe(false);
    expect(becameSet(row, row, "at")).toBe(false);
    expect(becameEmpty({ ...row, at: "then" }, row, "at")).toBe(true);
    expect(becameEmpty(row, { ...row, at: "now" }, "at")).toBe(false);
  });

  test("a column that turned, and one that changed", () => {
    expect(turned(row, { ...row, on: true }, "on", true)).toBe(true);
    expect(turned({ ...row, on: true }, { ...row, on: true }, "on", true)).toBe(false);
    expect(turned({ ...row, on: true }, row, "on", true)).toBe(false);
    expect(changed(row, { ...row, data: { a: 2 } }, "data")).toBe(true);
    expect(changed(row, { ...row, data: { a: 1 } }, "data")).toBe(false);
  });

  test("nothing is known to have happened to what is not told", () => {
    type Row = { at?: string | null } | null | undefined;
    for (const [before, after] of [
      [null, { at: "now" }],
      [undefined, { at: "now" }],
      [{}, { at: "now" }],
      [{ at: null }, {}],
      [{ at: null }, null],
    ] as [Row, Row][]) {
      expect(becameSet(before, after, "at")).toBe(false);
      expect(changed(before, after, "at")).toBe(false);
      expect(turned(before, after, "at", "now")).toBe(false);
    }
  });

  test("an account goes by its user id with its own address alone", () => {
    const account = { userId: "u1", email: "ada@example.com", verified: false };
    expect([contactOf(account), formerContactOf(account), linksOf(account)]).toEqual([
      { email: "ada@example.com" },
      { userId: "u1" },
      [],
    ]);
    const both = { userId: "u1", email: "ada@example.com" };
    const own = { ...account, verified: true };
    expect([contactOf(own), formerContactOf(own), linksOf(own)]).toEqual([both, both, [both]]);
    expect(linksOf({ ...own, email: null })).toEqual([]);
  });

  test("names in metadata, which may hold anything", () => {
    const names = (metadata: Record<string, unknown> | null) => [
      metadataFirstName(metadata),
      metadataLastName(metadata),
    ];
    expect(names({ first_name: " Ada ", last_name: "King", full_name: "X Y" })).toEqual(["Ada", "King"]);
    expect(names({ given_name: "Ada", family_name: "King" })).toEqual(["Ada", "King"]);
    expect(names({ full_name: "Grace Brewster Hopper" })).toEqual(["Grace", "Brewster Hopper"]);
    expect(names({ first_name: "Ada", name: "Ada King" })).toEqual(["Ada", undefined]);
    for (const nothing of [null, {}, { first_name: 7, last_name: { a: 1 }, name: "  " }]) {
      expect(names(nothing)).toEqual([undefined, undefined]);
    }
  });
});
