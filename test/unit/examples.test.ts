import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Checked, check } from "../../scripts/check/check.ts";
import { readFixtures } from "../../scripts/check/fixtures.ts";
import { checkAgreement } from "../../scripts/check/name-conflicts.ts";
import { textOf } from "../../scripts/check/problem.ts";
import { checkRequests } from "../../scripts/check/requests.ts";
import { checkRules } from "../../scripts/check/rules.ts";
import { type Run, run } from "../../scripts/check/run.ts";
import { listWithFiles } from "../../scripts/providers/list.ts";
import { parse } from "../../src/lib/webhook/parse.ts";
import type { PlannedDelivery, RuleSet } from "../../src/rules/types.ts";
import { sources } from "../../src/sources.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(ROOT, "examples");
const FIXTURES = join(ROOT, "test", "fixtures");

type Example = { provider: string; file: string; code: string; ruleSet: RuleSet; runs: Run[] };

const load = async (file: string): Promise<Example> => {
  const { default: ruleSet } = (await import(join(EXAMPLES, file))) as { default: RuleSet };
  const { provider } = ruleSet.handler;
  const runs: Run[] = [];
  for (const fixture of readFixtures(join(FIXTURES, provider))) runs.push(await run(provider, ruleSet, fixture));
  return { provider, file, code: readFileSync(join(EXAMPLES, file), "utf8"), ruleSet, runs };
};

const handlers = Object.fromEntries((await listWithFiles()).map((listed) => [listed.handler.provider, listed]));
const examples: Example[] = [];
for (const file of readdirSync(EXAMPLES).sort()) examples.push(await load(file));
const withRules = new Set(
  Object.values(sources).flatMap((source) => (source.rules ? [source.rules.handler.provider] : [])),
);
const current = examples.filter(({ provider }) => !withRules.has(provider));
const cases = current.map((example) => [example.provider, example] as const);

/** A delivery in short: contact, action or event name, and values. */
type Said = readonly [contact: string, what: string, values?: Readonly<Record<string, unknown>>];

const said = (delivery: PlannedDelivery): Said => {
  const whom = Object.values(delivery.contact).sort().join(" ");
  if (delivery.action === "contact") return [whom, "update", delivery.properties];
  return delivery.action === "event" ? [whom, delivery.eventName, delivery.eventProperties] : [whom, delivery.action];
};

const ADA = "ada@example.com";
const TEAM = "team@example.com";
const off: Said = [ADA, "update", { subscribed: false }];
const both = (id: string) => [ADA, id].sort().join(" ");
const gone = (whom: string): Said[] => [
  [whom, "update", { subscribed: false }],
  [whom, "accountDeleted", {}],
];
const booked = { startsAt: "2025-11-20T15:00:00.000Z", timeZone: "Europe/London" };
const moved = { ...booked, startsAt: "2025-11-21T15:00:00.000Z" };
const NAMES = { firstName: "Ada", lastName: "Lovelace" };
const CAL = { title: "Onboarding between Grace Hopper and Ada Lovelace" };
const ISSUE = {
  issue: "ENG-42",
  title: "Sign-in fails",
  issueUrl: "https://linear.app/example/issue/ENG-42/sign-in-fails",
};
const IDS = {
  descope: "U2XyB8cD0eF2gH4jK6lM8nP0qR2s",
  firebase: "k3T9pLxQ7aZ2mV5nR8wY1cB4dF6g",
  fusionauth: "8d7c2d3a-1f4e-4b6a-9c0d-5e8f7a6b4c3d",
  keycloak: "f7cd3491-7c6c-480c-bc5c-b2b3b0fb048c",
  okta: "00ub0oNGTSWTBKOLGLNR",
  kratos: "9f425a8d-7efc-4768-8f23-7647a74fdf13",
  propelauth: "31c41c16-c281-44ae-9602-8a047e3bf33d",
};
const SALE = { amount: "$29.00", amountValue: 29, currency: "usd", product: "Engine notes" };
const identified: Said = [ADA, "update", { ...NAMES, plan: "pro" }];
const exported: Said = [ADA, "reportExported", { format: "csv" }];

const EXPECTED: Readonly<Record<string, Readonly<Record<string, readonly Said[]>>>> = {
  "auth0-logs": { ss: [[ADA, "signedUp", {}]], scp: [[ADA, "passwordReset", {}]] },
  "aws-sns": {
    "Notification.report-ready": [
      [ADA, "reportReady", { reportName: "October", reportUrl: "https://app.example.com/reports/october" }],
    ],
  },
  braintree: {
    subscription_charged_unsuccessfully: [
      [ADA, "paymentFailed", { amount: "$49.00", amountValue: 49, currency: "usd" }],
    ],
    subscription_went_past_due: [[ADA, "pastDue", { plan: "pro-monthly" }]],
    subscription_canceled: [[ADA, "subscriptionCanceled", { plan: "research & development" }]],
  },
  "cal.com": {
    BOOKING_CREATED: [[ADA, "bookingCreated", { ...CAL, ...booked }]],
    BOOKING_RESCHEDULED: [
      [ADA, "bookingRescheduled", { ...CAL, ...moved, previousStartsAt: "2025-11-20T15:00:00.000Z" }],
    ],
    BOOKING_CANCELLED: [[ADA, "bookingCanceled", { ...CAL, ...booked, reason: "No longer needed" }]],
  },
  calendly: {
    "invitee.created": [[ADA, "bookingCreated", { title: "Onboarding", ...booked }]],
    "invitee.created.rescheduled": [[ADA, "bookingRescheduled", { title: "Onboarding", ...moved }]],
    "invitee.canceled": [[ADA, "bookingCanceled", { title: "Onboarding", ...booked, reason: "No longer needed" }]],
  },
  descope: {
    UserCreated: [
      [both(IDS.descope), "update", NAMES],
      [both(IDS.descope), "signedUp", {}],
    ],
    "UserCreated.unverified": [[ADA, "signedUp", {}]],
    UserModified: [[both(IDS.descope), "update", { firstName: "Ada", lastName: "King" }]],
    UserDeleted: gone(IDS.descope),
  },
  discord: {
    APPLICATION_AUTHORIZED: [[TEAM, "discordAppInstalled", { server: "Analytical Engine", username: "ada" }]],
    ENTITLEMENT_CREATE: [
      [TEAM, "discordPurchase", { product: "1234489250415022081", discordUserId: "72937261846929408" }],
    ],
  },
  firebase: {
    beforeCreate: [[both(IDS.firebase), "signedUp", { emailVerified: true }]],
    "beforeCreate.unverified": [[ADA, "signedUp", { emailVerified: false }]],
    beforeSignIn: [[both(IDS.firebase), "update", NAMES]],
  },
  fusionauth: {
    "user.create.complete": [[ADA, "signedUp", { emailVerified: false }]],
    "user.email.verified": [
      [both(IDS.fusionauth), "update", NAMES],
      [both(IDS.fusionauth), "emailConfirmed", {}],
    ],
    "user.delete.complete": gone(both(IDS.fusionauth)),
  },
  "generic-hmac": {
    "quota.exceeded": [[both("usr_1"), "quotaExceeded", { quota: "seats", limit: 5 }]],
    "export.finished": [
      [
        both("usr_1"),
        "exportFinished",
        { exportUrl: "https://app.example.com/exports/42", expiresAt: "2025-11-19T12:00:58.000Z" },
      ],
    ],
  },
  "generic-secret": {
    "lead.created": [[ADA, "leadCreated", { page: "/pricing", message: "Does it come with an engine?" }]],
  },
  github: {
    "sponsorship.created": [
      [TEAM, "sponsorshipCreated", { sponsor: "monalisa", tier: "$50 a month", monthlyAmountValue: 50, once: false }],
    ],
    "release.published": [
      [
        TEAM,
        "releasePublished",
        {
          repository: "octo-org/hello-world",
          version: "v1.2.0",
          releaseUrl: "https://github.com/octo-org/hello-world/releases/tag/v1.2.0",
        },
      ],
    ],
  },
  gumroad: {
    sale: [[ADA, "orderCompleted", SALE]],
    // Planned, but skipped by a source without test data.
    "sale.test": [[ADA, "orderCompleted", SALE]],
    cancellation: [[ADA, "cancelScheduled", { plan: "Engine club" }]],
    subscription_ended: [
      [ADA, "subscriptionCanceled", { plan: "Engine club", reason: "cancelled", endedAt: "2025-12-12T11:59:58.000Z" }],
    ],
  },
  hubspot: {
    "contact.propertyChange": [["hubspot:contact:901", "update", { lifecycleStage: "customer" }]],
    "deal.propertyChange": [[TEAM, "dealWon", { dealId: "77" }]],
  },
  intercom: {
    "contact.user.created": [[ADA, "intercomUserCreated", {}]],
    "conversation.user.created": [[ADA, "conversationStarted", { channel: "email" }]],
  },
  keycloak: {
    "access.REGISTER": [[ADA, "signedUp", {}]],
    "access.VERIFY_EMAIL": [[both(IDS.keycloak), "emailConfirmed", {}]],
    "admin.USER-DELETE": gone(IDS.keycloak),
  },
  linear: {
    "Issue.create": [[TEAM, "urgentIssueCreated", ISSUE]],
    "Issue.update": [[TEAM, "urgentIssueCompleted", ISSUE]],
  },
  mailgun: { "failed.permanent": [off], complained: [off], unsubscribed: [off] },
  okta: {
    "user.lifecycle": [[ADA, "userCreated", {}], [both(IDS.okta), "signedUp", {}], ...gone(IDS.okta)],
  },
  "ory-kratos": {
    registration: [[ADA, "signedUp", {}]],
    verification: [[both(IDS.kratos), "emailConfirmed", {}]],
  },
  "ory-polis": {
    "user.created": [[ADA, "directoryUserCreated", { organizationId: "analytical-engine.example" }]],
    "user.deleted": [[ADA, "directoryUserDeleted", { organizationId: "analytical-engine.example" }]],
  },
  posthog: { identify: [identified], set: [[ADA, "update", { plan: "free" }]], "report-exported": [exported] },
  postmark: {
    Bounce: [off],
    "Bounce.deactivated": [["typo@example.con", "update", { subscribed: false }]],
    SpamComplaint: [off],
    SubscriptionChange: [off],
  },
  propelauth: {
    "user.created": [
      [both(IDS.propelauth), "update", NAMES],
      [both(IDS.propelauth), "signedUp", { emailVerified: true }],
    ],
    "user.created.unconfirmed": [[ADA, "signedUp", { emailVerified: false }]],
    "user.updated": [[both(IDS.propelauth), "update", { firstName: "Ada", lastName: "King" }]],
    "user.deleted": gone(IDS.propelauth),
  },
  recurly: {
    "account.created": [["usr_1", "billingAccountCreated", {}]],
    ...Object.fromEntries(
      (
        [
          ["canceled", "2025-11-12T11:59:58.000Z"],
          ["expired", "2025-12-12T11:59:58.000Z"],
        ] as const
      ).map(([change, at]) => [
        `subscription.${change}`,
        [[TEAM, "recurlySubscriptionEnds", { change, subscription: "63ab531e1d5b1d47eaf1ef44eeb853c3", at }]],
      ]),
    ),
  },
  resend: { "email.bounced": [off], "email.complained": [off], "contact.updated": [off] },
  rudderstack: { identify: [identified], "track.batch": [exported] },
  segment: { identify: [identified], "track.batch": [exported] },
  sendgrid: { batch: [off, off, off] },
  sentry: {
    "issue.created": [
      [
        TEAM,
        "errorReported",
        {
          title: "ReferenceError: engine is not defined",
          project: "app",
          level: "error",
          issueUrl: "https://example.sentry.io/issues/1170820242/",
        },
      ],
    ],
  },
  slack: {
    team_join: [[TEAM, "slackMemberJoined", { member: "Ada Lovelace" }]],
    "command.feedback": [[TEAM, "feedbackGiven", { text: "The engine is loud", from: "ada" }]],
  },
  tally: {
    FORM_RESPONSE: [
      [ADA, "update", { lastFormAt: "2025-11-12T11:59:58.889Z" }],
      [ADA, "formSubmitted", { form: "Beta list", formId: "VwbNEw" }],
    ],
  },
  twilio: {
    undelivered: [
      [
        TEAM,
        "textMessageFailed",
        { message: "SM00000000000000000000000000000001", status: "undelivered", errorCode: "30003" },
      ],
    ],
  },
  typeform: {
    form_response: [
      [ADA, "update", { lastFormAt: "2025-11-12T11:59:58.000Z" }],
      [ADA, "formSubmitted", { formId: "lT4Z3j", campaign: "spring" }],
    ],
  },
  vercel: {
    "deployment.error": [
      [
        TEAM,
        "deploymentFailed",
        { project: "app", branch: "main", deploymentUrl: "https://vercel.com/example/app/7f2Kq9" },
      ],
    ],
  },
  zendesk: {
    "ticket.solved": [[ADA, "ticketSolved", { ticket: "35436" }]],
    "user.created": [[ADA, "supportUserCreated", {}]],
  },
};

const LINKED: Readonly<Record<string, readonly [id: string, ...webhooks: string[]]>> = {
  descope: [IDS.descope, "UserCreated", "UserModified"],
  firebase: [IDS.firebase, "beforeCreate", "beforeSignIn"],
  fusionauth: [IDS.fusionauth, "user.email.verified"],
  "generic-hmac": ["usr_1", "export.finished", "quota.exceeded"],
  hubspot: ["hubspot:contact:901", "contact.propertyChange"],
  keycloak: [IDS.keycloak, "access.VERIFY_EMAIL"],
  okta: [IDS.okta, "user.lifecycle/user.lifecycle.activate"],
  "ory-kratos": [IDS.kratos, "verification"],
  propelauth: [IDS.propelauth, "user.created", "user.updated"],
};

const SUPPRESS = ["mailgun", "postmark", "resend", "sendgrid"];

const outcomesOf = ({ runs }: Example) => runs.flatMap(({ webhooks }) => webhooks.flatMap(({ outcomes }) => outcomes));

test("every provider has rules or an example, and no provider has two examples", () => {
  const provided = examples.map(({ provider }) => provider);
  expect(Object.keys(handlers).filter((provider) => !withRules.has(provider) && !provided.includes(provider))).toEqual(
    [],
  );
  expect(provided.sort()).toEqual(Object.keys(EXPECTED).sort());
  expect(new Set(provided).size).toBe(examples.length);
});

describe.each(cases)("%s", (provider, example) => {
  const { ruleSet, runs, code, file } = example;
  const { about } = ruleSet.handler;

  test("makes the expected deliveries for each fixture", () => {
    const deliveries = runs.map(({ fixture, webhooks, unread }) => [
      fixture,
      unread ?? webhooks.flatMap((webhook) => webhook.deliveries.map(said)),
    ]);
    const expected = EXPECTED[provider] ?? {};
    expect(Object.keys(expected).filter((name) => !runs.some(({ fixture }) => fixture === name))).toEqual([]);
    expect(deliveries).toEqual(runs.map(({ fixture }) => [fixture, expected[fixture] ?? []]));
  });

  test("links only identifiers that its provider has verified", () => {
    const tied = runs.flatMap(({ fixture, webhooks }) =>
      webhooks.flatMap(({ type, links }) => {
        const name = webhooks.length > 1 && type !== fixture ? `${fixture}/${type}` : fixture;
        const verified = links.filter(({ strength }) => strength !== "unverified");
        return verified.map((link) => [name, Object.values(link).sort().join(" ")]);
      }),
    );
    const [id = "", ...names] = LINKED[provider] ?? [];
    expect(tied).toEqual(names.map((name) => [name, both(id)]));
  });

  test("passes `npm run check`, and each condition is false on a fixture", () => {
    expect([...checkRules(ruleSet, runs), ...checkRequests(runs)].map(textOf)).toEqual([]);
    const not = outcomesOf(example).flatMap(({ rule, outcome }) => (outcome === "not matched" ? [rule] : []));
    expect(ruleSet.rules.filter(({ when, name }) => when && !not.includes(name)).map(({ name }) => name)).toEqual([]);
  });

  test("is small, sends no mail, and writes `subscribed` only for bounces, unsubscribes and deleted accounts", () => {
    expect(ruleSet.rules.length).toBeLessThanOrEqual(3);
    expect(ruleSet.rules.filter(({ transactional, lists }) => transactional || lists)).toEqual([]);
    const silenced = ruleSet.rules.filter(({ update, remove }) => update?.subscribed !== undefined || remove);
    for (const { name, update, remove } of silenced) {
      if (remove) expect([name, remove]).toEqual(["account deleted", "unsubscribe"]);
      else expect([SUPPRESS.includes(provider), update]).toEqual([true, { subscribed: false }]);
    }
    if (SUPPRESS.includes(provider))
      expect(code.replace(/\s+\*\s+/g, " ")).toContain("These rules write only `subscribed: false`");
  });

  test("has a head comment that says how to use it, and works when it is used that way", () => {
    expect([handlers[provider]?.handler, handlers[provider]?.file]).toEqual([ruleSet.handler, file]);
    const [, name] = /import \{ .*?(\w+) \} from "\.\.\/src\/handlers\//.exec(code) ?? [];
    const head = code.slice(0, code.indexOf("*/"));
    expect(head).toContain(`\`src/mappings/${file}\``);
    expect(head).toContain(`import ${name} from "./mappings/${file}";`);
    expect(head).toContain(`{ rules: ${name}, secret: "${about.secret}" },`);
    const imports = [...code.matchAll(/ from "([^"]+)";/g)].flatMap(([, path = ""]) =>
      path.startsWith("./mappings/") ? [] : [path],
    );
    const allowed = new RegExp(`^\\.\\./src/(rules/[\\w/-]+|handlers/${file.slice(0, -3)}|webhook)\\.ts$`);
    expect(imports.filter((path) => !allowed.test(path))).toEqual([]);
    const copied = imports.map((path) => join(ROOT, "src", "mappings", path.replace("../src/", "../")));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });
});

test("fixtures of form bodies contain the fields of the form", () => {
  const forms = current.filter(({ ruleSet }) => ruleSet.handler.format === "form");
  for (const { raw } of forms.flatMap(({ provider }) => readFixtures(join(FIXTURES, provider)))) {
    const fields = JSON.parse(raw) as Record<string, string>;
    expect(parse(new URLSearchParams(fields).toString(), "form")).toEqual(fields);
  }
});

test("examples and default rules write the same types to each property", async () => {
  const config = { templates: {}, lists: {}, contactProperties: "nested", apiUrl: "" } as const;
  const configured = await check(sources, { fixtures: FIXTURES, config });
  const added = current.map(({ provider, ruleSet, runs }): Checked => {
    return { sources: [provider], ruleSet, testData: false, folders: [], runs, problems: [], written: 0 };
  });
  expect(checkAgreement([...configured, ...added]).map(textOf)).toEqual([]);
});
