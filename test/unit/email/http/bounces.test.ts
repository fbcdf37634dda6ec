import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/email/env.ts";
import { bounceRoutes } from "../../../../src/email/http/bounces/routes.ts";
import { tokenOf } from "../../../../src/email/mail/bounces/return-path-token.ts";
import { handOut } from "../../../../src/email/notifier/hand-out.ts";
import type { SendFeedback, Via } from "../../../../src/email/types/feedback.ts";
import type { TeamFeedback } from "../../../../src/email/types/notifier-rpc.ts";
import { certificateOf, rsa, snsMessage } from "../../lib/signature/oracles/oracle.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const SECRET = "key-secret";
const TOPIC = "arn:aws:sns:eu-central-1:123456789012:mail";
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const WHSEC = Buffer.from("a secret of resend").toString("base64");

type Call = { team: string; via: string; mails: readonly SendFeedback[] };
const calls: Call[] = [];
const fetched: string[] = [];
let confirms = true;
const env = {
  API_KEY_SECRET: SECRET,
  SES_TOPIC_ARN: TOPIC,
  POSTMARK_WEBHOOK_SECRET: "user:a pass word",
  SENDGRID_PUBLIC_KEY: ec.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  MAILGUN_WEBHOOK_SIGNING_KEY: "mailgun-key",
  RESEND_WEBHOOK_SECRET: `whsec_${WHSEC}`,
  WORKSPACE: {
    getByName: (team: string) => ({
      feedback: async (via: string, mails: readonly SendFeedback[]) => {
        calls.push({ team, via, mails });
        return mails.filter(({ n }) => n < 100).length;
      },
    }),
  },
} as unknown as Env;
const fetch = async (url: string) => {
  fetched.push(url);
  if (url.includes("ConfirmSubscription")) return new Response("<ok/>", { status: confirms ? 200 : 500 });
  return new Response(certificateOf(rsa.publicKey));
};
const app = bounceRoutes(env, { now: () => NOW, fetch });

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  calls.length = 0;
  fetched.length = 0;
  confirms = true;
});

type Headers_ = Record<string, string>;
const post = async (path: string, body: string, headers: Headers_ = {}, on = app) => {
  const response = await on.request(path, { method: "POST", body, headers });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};
const seconds = String(NOW / 1000);

const signed: Record<string, (content: unknown) => { body: string; headers: Headers_ }> = {
  ses: (event) => ({ body: JSON.stringify(snsMessage({ Message: JSON.stringify(event) })), headers: {} }),
  postmark: (content) => ({
    body: JSON.stringify(content),
    headers: { Authorization: `Basic ${Buffer.from("user:a pass word").toString("base64")}` },
  }),
  sendgrid: (content) => {
    const body = JSON.stringify(content);
    const signature = sign("sha256", Buffer.from(seconds + body), ec.privateKey).toString("base64");
    return {
      body,
      headers: {
        "X-Twilio-Email-Event-Webhook-Signature": signature,
        "X-Twilio-Email-Event-Webhook-Timestamp": seconds,
      },
    };
  },
  mailgun: (event) => {
    const signature = createHmac("sha256", "mailgun-key").update(`${seconds}token`).digest("hex");
    const body = JSON.stringify({ signature: { timestamp: seconds, token: "token", signature }, "event-data": event });
    return { body, headers: {} };
  },
  resend: (content) => {
    const body = JSON.stringify(content);
    const mac = createHmac("sha256", Buffer.from(WHSEC, "base64")).update(`msg_1.${seconds}.${body}`).digest("base64");
    return { body, headers: { "svix-id": "msg_1", "svix-timestamp": seconds, "svix-signature": `v1,${mac}` } };
  },
};
const arrives = async (provider: string, content: unknown) => {
  const { body, headers } = signed[provider]?.(content) ?? { body: "", headers: {} };
  return post(`/bounces/${provider}`, body, headers);
};
const token = (n = 7, team = "acme", secret = SECRET) => tokenOf({ team, n }, secret);

const ses = (t: string, type: string, part: object) => ({ eventType: type, mail: { tags: { send: [t] } }, ...part });
const bounce = (bounceType: string, bounceSubType: string, diagnosticCode?: string) => ({
  bounce: {
    bounceType,
    bounceSubType,
    timestamp: "2026-11-22T09:59:00.000Z",
    bouncedRecipients: [{ emailAddress: "ada@example.net", ...(diagnosticCode ? { diagnosticCode } : {}) }],
  },
});
const sesCases: [string, string, object, string][] = [
  ["no email", "Bounce", bounce("Permanent", "NoEmail"), "hard"],
  ["general, unknown user", "Bounce", bounce("Permanent", "General", "smtp; 550 5.1.1 user unknown"), "hard"],
  ["general, blocked", "Bounce", bounce("Permanent", "General", "smtp; 550 5.7.1 blocked using spamhaus"), "policy"],
  ["suppressed", "Bounce", bounce("Permanent", "OnAccountSuppressionList"), "hard"],
  ["full", "Bounce", bounce("Transient", "MailboxFull"), "soft"],
  ["too large", "Bounce", bounce("Transient", "MessageTooLarge"), "content"],
  ["content", "Bounce", bounce("Transient", "ContentRejected"), "content"],
  ["automatic answer", "Bounce", bounce("Transient", "General"), "answer"],
  ["transient", "Bounce", bounce("Transient", "General", "smtp; 450 4.2.1 mailbox busy"), "soft"],
  ["transient, blocked", "Bounce", bounce("Transient", "General", "smtp; 450 4.7.1 blocked using spamhaus"), "policy"],
  ["transient, unknown", "Bounce", bounce("Transient", "General", "smtp; 550 5.1.1 user unknown"), "soft"],
  ["undetermined", "Bounce", bounce("Undetermined", "Undetermined"), "soft"],
  [
    "complaint",
    "Complaint",
    { complaint: { complainedRecipients: [{ emailAddress: "ada@example.net" }] } },
    "complaint",
  ],
  ["delivery", "Delivery", { delivery: { recipients: ["ada@example.net"], smtpResponse: "250 ok" } }, "delivered"],
  [
    "delay",
    "DeliveryDelay",
    { deliveryDelay: { delayedRecipients: [{ emailAddress: "ada@example.net" }] } },
    "delayed",
  ],
  ["reject", "Reject", { reject: { reason: "Bad content" } }, "content"],
];
const postmark = (t: string, content: object) => ({ ...content, Metadata: { send: t } });
const cases: [string, string, (t: string) => unknown, string][] = [
  ...sesCases.map(([name, type, part, kind]): [string, string, (t: string) => unknown, string] => [
    ...(["ses", name] as const),
    (t) => {
      const event = ses(t, type, part);
      return type === "Reject" ? { ...event, mail: { ...event.mail, destination: ["ada@example.net"] } } : event;
    },
    kind,
  ]),
  [
    "postmark",
    "hard",
    (t) => postmark(t, { RecordType: "Bounce", Type: "HardBounce", Email: "ada@example.net" }),
    "hard",
  ],
  [
    "postmark",
    "soft",
    (t) => postmark(t, { RecordType: "Bounce", Type: "SoftBounce", Email: "ada@example.net" }),
    "soft",
  ],
  [
    "postmark",
    "spam",
    (t) => postmark(t, { RecordType: "Bounce", Type: "Blocked", Email: "ada@example.net" }),
    "policy",
  ],
  ...(
    [
      ["HardBounce", "550 5.1.1 <a@b.example> - 192.0.2.7 has sent to too many recipients within this hour", "policy"],
      ["HardBounce", "550 5.1.1 <a@b.example>: User unknown", "hard"],
      ["HardBounce", "552 5.3.4 Message size exceeds fixed limit", "content"],
      ["SoftBounce", "554 5.7.1 Client host [192.0.2.7] blocked using a blocklist", "policy"],
      ["HardBounce", "The server was unable to deliver your message", "hard"],
    ] as const
  ).map(([type, details, kind]): [string, string, (t: string) => unknown, string] => [
    "postmark",
    `${type}: ${details}`,
    (t) => postmark(t, { RecordType: "Bounce", Type: type, Email: "ada@example.net", Details: details }),
    kind,
  ]),
  ["postmark", "complaint", (t) => postmark(t, { RecordType: "SpamComplaint", Email: "ada@example.net" }), "complaint"],
  ["postmark", "delivery", (t) => postmark(t, { RecordType: "Delivery", Recipient: "ada@example.net" }), "delivered"],
  ...(
    [
      ["delivered", { event: "delivered", response: "250 OK" }, "delivered"],
      ["deferred", { event: "deferred", response: "421 busy" }, "delayed"],
      ["bounce", { event: "bounce", type: "bounce", status: "5.1.1", reason: "550 5.1.1 User unknown" }, "hard"],
      ["invalid", { event: "bounce", bounce_classification: "Invalid Address", reason: "550 x" }, "hard"],
      [
        "a rate, called invalid",
        {
          event: "bounce",
          bounce_classification: "Invalid Address",
          status: "5.1.1",
          reason: "550 5.1.1 192.0.2.7 has sent to too many recipients within this hour",
        },
        "policy",
      ],
      ["blocked", { event: "bounce", type: "blocked", reason: "550 5.1.1 no such user" }, "policy"],
      ["full", { event: "bounce", bounce_classification: "Mailbox Unavailable", reason: "552 full" }, "soft"],
      ["dropped", { event: "dropped", reason: "Bounced Address" }, "hard"],
      ["spam report", { event: "spamreport" }, "complaint"],
    ] as const
  ).map(([name, event, kind]): [string, string, (t: string) => unknown, string] => [
    ...(["sendgrid", name] as const),
    (t) => [{ ...event, email: "ada@example.net", timestamp: NOW / 1000, send: t }],
    kind,
  ]),
  ...(
    [
      ["delivered", { event: "delivered" }, "delivered"],
      ["complained", { event: "complained" }, "complaint"],
      ["temporary", { event: "failed", severity: "temporary", reason: "generic" }, "delayed"],
      [
        "unknown user",
        {
          event: "failed",
          severity: "permanent",
          reason: "bounce",
          "delivery-status": { code: 550, message: "5.1.1 The email account does not exist" },
        },
        "hard",
      ],
      ["too old", { event: "failed", severity: "permanent", reason: "old" }, "soft"],
      ["suppressed", { event: "failed", severity: "permanent", reason: "suppress-bounce" }, "hard"],
    ] as const
  ).map(([name, event, kind]): [string, string, (t: string) => unknown, string] => [
    ...(["mailgun", name] as const),
    (t) => ({ ...event, recipient: "ada@example.net", timestamp: NOW / 1000, "user-variables": { send: t } }),
    kind,
  ]),
  ...(
    [
      ["delivered", { type: "email.delivered" }, {}, "delivered"],
      ["delayed", { type: "email.delivery_delayed" }, {}, "delayed"],
      ["complained", { type: "email.complained" }, {}, "complaint"],
      [
        "permanent",
        { type: "email.bounced" },
        { bounce: { type: "Permanent", subType: "Suppressed", message: "suppressed" } },
        "hard",
      ],
      [
        "transient",
        { type: "email.bounced" },
        { bounce: { type: "Transient", subType: "General", message: "x", diagnosticCode: ["smtp; 450 4.2.1 busy"] } },
        "soft",
      ],
      [
        "automatic answer",
        { type: "email.bounced" },
        { bounce: { type: "Transient", subType: "General", message: "The provider sent a general bounce message." } },
        "answer",
      ],
    ] as const
  ).map(([name, event, data, kind]): [string, string, (t: string) => unknown, string] => [
    ...(["resend", name] as const),
    (t) => ({ ...event, data: { ...data, to: ["ada@example.net"], tags: { send: t } } }),
    kind,
  ]),
];

describe("a webhook about bounces", () => {
  it.each(cases)("of %s, %s, becomes feedback about its send", async (provider, _name, content, kind) => {
    const { status, json } = await arrives(provider, content(await token()));
    expect([status, json]).toEqual([200, { success: true, recorded: 1, unknown: 0 }]);
    expect(calls).toMatchObject([
      { team: "acme", via: provider, mails: [{ n: 7, feedback: [{ kind, recipient: "ada@example.net" }] }] },
    ]);
  });

  it.each([
    ["ses", (t: string) => ses(t, "Open", { open: {} })],
    [
      "ses",
      (t: string) =>
        ses(t, "Complaint", { complaint: { complaintFeedbackType: "not-spam", complainedRecipients: [{}] } }),
    ],
    ["ses", () => "no event"],
    ["postmark", (t: string) => postmark(t, { RecordType: "Bounce", Type: "AutoResponder" })],
    ["postmark", (t: string) => postmark(t, { RecordType: "Open" })],
    ["sendgrid", (t: string) => [{ event: "open", send: t }]],
    ["mailgun", (t: string) => ({ event: "opened", "user-variables": { send: t } })],
    ["resend", (t: string) => ({ type: "email.opened", data: { to: ["a@b.example"], tags: { send: t } } })],
  ])("of %s about anything else changes nothing", async (provider, content) => {
    expect(await arrives(provider, content(await token()))).toMatchObject({
      status: 200,
      json: { recorded: 0, unknown: 0 },
    });
    expect(calls).toEqual([]);
  });

  it("names its send by the return path where there is no metadata", async () => {
    const source = `bounce+${await token()}@envelope.example.com`;
    await arrives("ses", {
      notificationType: "Delivery",
      mail: { source },
      delivery: { recipients: ["ada@example.net"] },
    });
    await arrives("mailgun", { event: "delivered", recipient: "ada@example.net", envelope: { sender: source } });
    expect(calls.map(({ mails }) => mails[0]?.n)).toEqual([7, 7]);
  });

  it("about an unknown or forged mail is taken and counted", async () => {
    const event = async (t: string | undefined) => ({
      event: "spamreport",
      email: "a@b.example",
      timestamp: 1,
      send: t,
    });
    const events = [
      await event(undefined),
      await event(await token(7, "acme", "another secret")),
      await event(await token(500)),
      await event(await token(8)),
      await event(await token(9, "beta")),
    ];
    const { status, json } = await arrives("sendgrid", events);
    expect([status, json]).toEqual([200, { success: true, recorded: 2, unknown: 3 }]);
    expect(calls.map(({ team, mails }) => [team, mails.map(({ n }) => n)])).toEqual([
      ["acme", [500, 8]],
      ["beta", [9]],
    ]);
  });

  it("of many teams is handed out by Notifiers, with at most 40 calls in each event", async () => {
    const spread: number[] = [];
    const notifying = {
      ...env,
      NOTIFIER: {
        getByName: () => ({
          handOut: (via: Via, teams: TeamFeedback) => {
            spread.push(teams.length);
            return handOut(env, via, teams);
          },
        }),
      },
    } as unknown as Env;
    const many = (teams: number) =>
      Promise.all(
        Array.from({ length: teams }, async (_, n) => ({
          event: "spamreport",
          email: "a@b.example",
          timestamp: 1,
          send: await token(7, `team-${n}`),
        })),
      );
    const on = bounceRoutes(notifying, { now: () => NOW, fetch });
    const send = async (teams: number) => {
      const { body, headers } = signed.sendgrid?.(await many(teams)) ?? { body: "", headers: {} };
      return post("/bounces/sendgrid", body, headers, on);
    };
    expect(await send(40)).toMatchObject({ status: 200, json: { recorded: 40 } });
    expect(spread).toEqual([]);
    expect(await send(90)).toMatchObject({ status: 200, json: { recorded: 90, unknown: 0 } });
    expect(spread).toEqual([40, 40, 10]);
    expect(new Set(calls.map(({ team }) => team)).size).toBe(90);
    calls.length = 0;
    expect(await send(1_601)).toMatchObject({ status: 413, json: { code: "body_too_large" } });
    expect(calls).toEqual([]);
  });

  it.each(Object.keys(signed))("of %s with a wrong or missing signature is 401", async (provider) => {
    const { body, headers } = signed[provider]?.([{}]) ?? { body: "", headers: {} };
    const broken = body.replace(/("Signature":"|"signature":")./, "$1!");
    const wrong = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/.{4}$/, "AAAA")]),
    );
    expect((await post(`/bounces/${provider}`, broken, wrong)).status).toBe(401);
    expect((await post(`/bounces/${provider}`, "{}")).status).toBe(401);
    expect(calls).toEqual([]);
  });

  it.each(Object.keys(signed))("of %s without a secret is 503 and names the variable", async (provider) => {
    const bare = bounceRoutes({ API_KEY_SECRET: SECRET } as Env, { now: () => NOW, fetch });
    const { status, json } = await post(`/bounces/${provider}`, "{}", {}, bare);
    expect([status, json.code]).toEqual([503, "source_not_configured"]);
    expect(json.message).toMatch(/Set [A-Z_]+\.$/);
  });

  it("that is too large is 413, one without JSON 400, another method 405, another provider 404", async () => {
    expect(await post("/bounces/postmark", "x".repeat(1_000_001))).toMatchObject({
      status: 413,
      json: { code: "body_too_large" },
    });
    const headers = signed.postmark?.({}).headers;
    expect(await post("/bounces/postmark", "no", headers)).toMatchObject({
      status: 400,
      json: { code: "invalid_json" },
    });
    const got = await app.request("/bounces/postmark");
    expect([got.status, got.headers.get("Allow")]).toEqual([405, "POST"]);
    expect(await post("/bounces/nobody", "{}")).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect((await post("/bounces/constructor", "{}")).status).toBe(404);
  });
});

describe("a subscription of Amazon SNS", () => {
  const SubscribeURL = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x&Token=abc";
  const subscribe = (more: Record<string, string> = {}) =>
    post(
      "/bounces/ses",
      JSON.stringify(snsMessage({ Type: "SubscriptionConfirmation", SubscribeURL, Token: "abc", ...more })),
    );
  const visits = () => fetched.filter((url) => url.includes("ConfirmSubscription"));

  it("to our topic is confirmed", async () => {
    expect((await subscribe()).status).toBe(200);
    expect(visits()).toEqual([SubscribeURL]);
  });

  it("to another topic is refused and not confirmed", async () => {
    expect((await subscribe({ TopicArn: `${TOPIC}-other` })).status).toBe(401);
    expect(visits()).toEqual([]);
  });

  it("that cannot be confirmed is asked for again; another address is never visited", async () => {
    confirms = false;
    expect((await subscribe()).status).toBe(503);
    expect(
      (await subscribe({ SubscribeURL: "https://evil.example/?Action=ConfirmSubscription&Token=abc" })).status,
    ).toBe(503);
    expect(visits()).toEqual([SubscribeURL]);
  });
});
