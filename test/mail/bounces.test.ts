import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startResolver } from "../dns/stand-in.ts";
import { addVerifiedDomain } from "../dns/verified.ts";
import { createMailProvider } from "../mail-provider/relay.ts";
import { listen } from "../mail-provider/tcp.ts";
import { type Mailspan, secrets, startMailspan, until } from "../system/mailspan.ts";
import { startMilter } from "./milter.ts";
import { startPostfix } from "./postfix.ts";

// Refusals of a real Postfix, and its own notifications about them through the mail-in door in workerd. One team sends
// to the receiving Postfix itself, the other to a Postfix that takes each mail and hears of the refusal later.

const DIRECT = { team: "direct", domain: "direct.example.com" };
const RELAYED = { team: "relayed", domain: "relayed.example.com" };
const MINUTE = 60_000;

const DMARC = "550 5.7.1 Email rejected per DMARC policy for example.com";
const RECEIVER = (milter: number) => `
myhostname = mx.postfix.test
virtual_mailbox_maps = inline:{ ada@postfix.test=inbox/, dmarc@postfix.test=inbox/ }
smtpd_milters = inet:127.0.0.1:${milter}
milter_default_action = tempfail
smtpd_recipient_restrictions = check_recipient_access inline:{
  { full@postfix.test = 552 5.2.2 Mailbox is full }, { grey@postfix.test = 450 4.2.0 Greylisted, please try again later } },
  reject_unauth_destination`;
/** A lifetime of zero: what is refused for now comes back at once. */
const RELAY = (receiver: number, door: number) => `
virtual_mailbox_domains =
relay_domains = postfix.test
transport_maps = inline:{ { postfix.test = smtp:[127.0.0.1]:${receiver} }, { envelope.relayed.example.com = smtp:[127.0.0.1]:${door} } }
maximal_queue_lifetime = 0
bounce_queue_lifetime = 0`;

/** Mails that the relay sends to return paths. */
const { serve, seen } = createMailProvider();
const stops: (() => unknown)[] = [];
let mailspan: Mailspan;
beforeAll(async () => {
  const milter = await startMilter((recipient) => (recipient.startsWith("dmarc@") ? DMARC : undefined));
  stops.push(milter.stop);
  const receiver = await startPostfix(RECEIVER(milter.port));
  stops.push(receiver.stop);
  const door = await listen(serve);
  stops.push(() => door.stop());
  const relay = await startPostfix(RELAY(receiver.ports.plain, door.port));
  stops.push(relay.stop);
  const dns = await startResolver();
  stops.push(() => dns.stop());
  const account = (port: number, domain: string) => ({ url: `smtp://127.0.0.1:${port}?tls=off`, domains: [domain] });
  mailspan = await startMailspan(
    {},
    {
      TRANSACTIONAL_SENDER: "smtp",
      DKIM_KEY_SECRET: "test-dkim-secret",
      DNS_OVER_HTTPS_URL: dns.url,
      SPF_INCLUDE: "ip4:192.0.2.1",
      SMTP_URL: JSON.stringify([
        account(receiver.ports.plain, DIRECT.domain),
        account(relay.ports.plain, RELAYED.domain),
      ]),
    },
  );
  stops.push(mailspan.stop);
  for (const { team, domain } of [DIRECT, RELAYED]) {
    keys.set(team, await mailspan.newTeam(team, { samples: true }));
    await addVerifiedDomain({ emailUrl: mailspan.emailUrl, token: secrets.ADMIN_TOKEN, team, name: domain }, dns);
  }
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const keys = new Map<string, string>();

const call = async (method: string, path: string, bearer: string, body?: object) => {
  const response = await fetch(mailspan.emailUrl + path, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
};
const admin = (team: string, path: string) => call("GET", `/admin/teams/${team}${path}`, secrets.ADMIN_TOKEN);

type Shown = {
  id: string;
  state: string;
  attempts: number;
  nextAttemptAt: string | null;
  answers: { answer: string }[];
  story: { what: string; detail?: { type?: string; message?: string } }[];
};
const send = async (team: string, email: string): Promise<string> => {
  const body = { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } };
  return (await call("POST", "/v1/transactional", keys.get(team) ?? "", body)).id;
};
const attempted = (team: string, id: string): Promise<Shown> =>
  until(
    `an attempt of ${id}`,
    async () => {
      const one = (await admin(team, `/sends/${id}`)) as Shown;
      return one.attempts > 0 && one.state !== "sending" ? one : undefined;
    },
    30_000,
  );
const suppressed = async (team: string): Promise<string[]> =>
  ((await admin(team, "/suppressions")) as { data: { email: string }[] }).data.map(({ email }) => email);

describe("a refusal of Postfix", () => {
  it.each([
    ["of an unknown user", "nobody@postfix.test", "bounced", "550 5.1.1"],
    ["of a full mailbox", "full@postfix.test", "failed", "552 5.2.2"],
    ["by DMARC", "dmarc@postfix.test", "failed", "550 5.7.1"],
  ])("%s settles the mail", async (_, email, state, words) => {
    const one = await attempted(DIRECT.team, await send(DIRECT.team, email));
    expect(one).toMatchObject({ state, attempts: 1, answers: [{ answer: expect.stringContaining(words) }] });
    expect((await suppressed(DIRECT.team)).includes(email)).toBe(state === "bounced");
  });

  it("by a greylist is tried again a minute later, not sooner", async () => {
    const before = Date.now();
    const one = await attempted(DIRECT.team, await send(DIRECT.team, "grey@postfix.test"));
    expect(one).toMatchObject({
      state: "queued",
      attempts: 1,
      answers: [{ answer: expect.stringContaining("450 4.2.0") }],
    });
    const wait = Date.parse(one.nextAttemptAt ?? "") - before;
    expect(wait).toBeGreaterThanOrEqual(MINUTE);
    expect(await suppressed(DIRECT.team)).not.toContain("grey@postfix.test");
  });
});

describe("a notification of Postfix at the mail-in door", () => {
  it.each([
    ["about an unknown user", "nobody@postfix.test", "bounced", "hard", /550 5\.1\.1 .*unknown/i],
    ["about a full mailbox", "full@postfix.test", "failed", "soft", /552 5\.2\.2 .*Mailbox is full/],
    ["about a greylist", "grey@postfix.test", "failed", "soft", /450 4\.2\.0 .*Greylisted/],
    ["about DMARC", "dmarc@postfix.test", "failed", "policy", /550 5\.7\.1 .*DMARC policy/],
  ])("%s reaches its mail", async (_, email, state, type, words) => {
    const id = await send(RELAYED.team, email);
    expect(await attempted(RELAYED.team, id)).toMatchObject({ state: "sent" });
    const report = await until(
      `the notification about ${email}`,
      async () => seen.mails.find(({ data }) => Buffer.from(data).includes(`Final-Recipient: rfc822; ${email}`)),
      30_000,
    );
    const [to = ""] = report.to;
    expect(report.from).toBe("");
    expect(to).toMatch(/^bounce\+relayed_\w+@envelope\.relayed\.example\.com$/);
    expect(Buffer.from(report.data).includes("CFBL-Address: bounce+relayed_")).toBe(true);

    const raw = Uint8Array.from(report.data);
    const forged = to.replace(/.@/, (end) => (end === "a@" ? "b@" : "a@"));
    expect(
      await mailspan.deliver({ from: "mailer-daemon@relay.postfix.test", to: forged, raw: without(raw, to) }),
    ).toBe(undefined);
    expect(await attempted(RELAYED.team, id)).toMatchObject({ state: "sent" });

    expect(await mailspan.deliver({ from: "mailer-daemon@relay.postfix.test", to, raw })).toBe(undefined);
    const one = (await admin(RELAYED.team, `/sends/${id}`)) as Shown;
    expect(one.state).toBe(state);
    const reported = one.story.find(({ detail }) => detail?.type !== undefined);
    expect(reported?.detail).toMatchObject({ type, via: "mail", message: expect.stringMatching(words) });
    expect((await suppressed(RELAYED.team)).includes(email)).toBe(type === "hard");
  });

  it("is not needed by a mail of a person, which is rejected", async () => {
    const raw = new TextEncoder().encode("From: eve@example.net\r\nMessage-ID: <1@example.net>\r\n\r\nHello");
    const mail = { from: "eve@example.net", to: "hello@envelope.relayed.example.com", raw };
    expect(await mailspan.deliver(mail)).toBe("This address takes bounces only.");
  });
});

/** A report without the return path inside, which would do, too. */
const without = (raw: Uint8Array, address: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(Buffer.from(raw).toString("latin1").replaceAll(address, "x@example.net"), "latin1"));
