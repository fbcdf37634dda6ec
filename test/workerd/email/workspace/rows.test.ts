import { expect, it } from "vitest";
import { contactInRow } from "../../../../src/email/workspace/contacts/contact-rows.ts";
import { windowsOf } from "../../../../src/email/workspace/requests/rate.ts";
import { runRequest } from "../../../../src/email/workspace/requests/v1-requests.ts";
import { acceptedClaims, claimSends, settle } from "../../../../src/email/workspace/sending/claims.ts";
import { acceptMarketing, marketingContent } from "../../../../src/email/workspace/sending/marketing/accept.ts";
import { recordHit } from "../../../../src/email/workspace/tracking/hits.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { advance, createTeam, isolated } from "../bench.ts";
import { arrange } from "../examples.ts";
import { addMarketingMessage } from "../marketing.ts";
import { contextOf, counted } from "./counted.ts";

isolated();

type Rows = { accepted: number; delivered?: number; key?: string };

/** Cloudflare bills written rows. Each figure includes 1 for the rate window. */
const expected: [name: string, input: Record<string, unknown>, rows: Rows][] = [
  // One row notes the use of the key, once an hour.
  ["apiKey.test", {}, { accepted: 2 }],
  ["contacts.create", { email: "ada@example.com", firstName: "Ada" }, { accepted: 3 }],
  ["contacts.create", { email: "bo@example.com", userId: "u2" }, { accepted: 4 }],
  ["contacts.update, a property", { userId: "u2", userGroup: "Pro" }, { accepted: 2 }],
  // Only the last of 128 contacts writes a row of words for search, and a rename or deletion after it.
  ["contacts.update, the name", { userId: "u2", firstName: "Bo" }, { accepted: 2 }],
  ["contacts.update, nothing new", { userId: "u2", firstName: "Bo" }, { accepted: 1 }],
  ["contacts.update, the email", { userId: "u2", email: "b@example.com" }, { accepted: 3 }],
  ["events.send, first of its name", { userId: "u2", eventName: "paid", eventProperties: { a: 1 } }, { accepted: 5 }],
  ["events.send", { userId: "u2", eventName: "paid", eventProperties: { a: 2 } }, { accepted: 3 }],
  ["events.send, with a key", { userId: "u2", eventName: "paid" }, { accepted: 4, key: "k" }],
  // One row notes the use of the content, once a day.
  [
    "transactional.send, first of its content",
    { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
    { accepted: 5, delivered: 3 },
  ],
  [
    "transactional.send",
    { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
    { accepted: 4, delivered: 3 },
  ],
  [
    "transactional.send, with a key",
    { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
    { accepted: 5, delivered: 3, key: "k" },
  ],
  ["contactProperties.create", { name: "plan", type: "string" }, { accepted: 2 }],
  // One of them is for the row number of the newest contact.
  ["contacts.delete", { userId: "u2" }, { accepted: 6 }],
];

it("an operation writes this many rows", async () => {
  const team = await createTeam({ samples: true });
  const keyHash = await digest(team.key);
  const figures = await team.inside((real) => {
    const { sql, storage, take } = counted(real);
    const written: [string, object][] = [];
    for (const [name, input, { key, delivered }] of expected) {
      advance(1_000);
      const context = contextOf(sql);
      const [operation = ""] = name.split(",");
      const request = { operation, input, ...(key === undefined ? {} : { idempotencyKey: key }) };
      expect(runRequest(storage, context, { keyHash, request }), name).toMatchObject({ status: 200 });
      const accepted = take().written;
      const clock = { sql, now: Date.now(), random: () => 0.5 };
      const wanted = {
        mailClass: "transactional",
        mailer: "acme:transactional:0",
        limit: 50,
        copiesOf: () => [],
      } as const;
      for (const { n, attempt } of claimSends(clock, wanted).sends) {
        settle(clock, { n, attempt, sender: "test", handover: { outcome: "accepted" } });
      }
      const after = take().written;
      written.push([
        name,
        { accepted, ...(delivered === undefined ? {} : { delivered: after }), ...(key === undefined ? {} : { key }) },
      ]);
    }
    return written;
  });
  expect(figures).toEqual(expected.map(([name, , rows]) => [name, rows]));
});

it("a transactional mail writes seven rows with the note of its Mailer, and eight with a key", async () => {
  const team = await createTeam({ samples: true });
  const keyHash = await digest(team.key);
  const figures = await team.inside((real) => {
    const { sql, storage, take } = counted(real);
    const send = (key: string | undefined) => {
      advance(1_000);
      const context = { ...contextOf(sql), freeMailer: () => "acme:transactional:0" };
      const input = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
      const request = { operation: "transactional.send", input, ...(key === undefined ? {} : { idempotencyKey: key }) };
      expect(runRequest(storage, context, { keyHash, request })).toMatchObject({ status: 200 });
      const [claimed] = acceptedClaims(sql, context.after.sends, () => []);
      const { n, attempt } = claimed?.send ?? expect.fail("The mail was not claimed.");
      const clock = { sql, now: Date.now(), random: () => 0.5 };
      settle(clock, { n, attempt, sender: "test", handover: { outcome: "accepted" } });
      return take().written;
    };
    take();
    send(undefined);
    return { plain: send(undefined), withKey: send("k") };
  });
  const note = 1;
  expect(figures).toEqual({ plain: 7 - note, withKey: 8 - note });
});

it("an operation that only reads writes nothing but its rate windows", async () => {
  const team = await createTeam({ samples: true });
  await arrange(team);
  const keyHash = await digest(team.key);
  const reading = operationsOf(v1).filter(({ operation }) => operation.method === "GET");
  const figures = await team.inside((real) => {
    const { sql, storage, take } = counted(real);
    return reading.map(({ name, operation }): [string, number] => {
      advance(1_000);
      const input = operation.request.parse(operation.example) as Record<string, unknown>;
      const reply = runRequest(storage, contextOf(sql), { keyHash, request: { operation: name, input } });
      expect(reply, name).toMatchObject({ status: 200 });
      return [name, take().written];
    });
  });
  expect(figures).toEqual(reading.map(({ name, operation }) => [name, windowsOf(operation.window).length]));
});

it("a marketing mail, its open and its click write this many rows", async () => {
  const team = await createTeam();
  await team.post("/contacts/create", { email: "ada@example.com" });
  const revision = await addMarketingMessage(team, "<Paragraph>Hello</Paragraph>");
  const figures = await team.inside((real) => {
    const { sql, take } = counted(real);
    const content = marketingContent(sql, revision);
    const contact = contactInRow(sql, 1) ?? expect.fail("There is no contact.");
    take();
    expect(acceptMarketing(contextOf(sql), { content, contact, domain: "acme.example" }).state).toBe("queued");
    const accepted = take().written;
    const clock = { sql, now: Date.now(), random: () => 0.5 };
    const wanted = { mailClass: "marketing", mailer: "test", limit: 50, copiesOf: () => [] } as const;
    const { sends } = claimSends(clock, wanted);
    for (const { n, attempt } of sends)
      settle(clock, { n, attempt, sender: "test", handover: { outcome: "accepted" } });
    const delivered = take().written;
    const mail = { team: "acme", send: sends[0]?.n ?? 0, contact: 1, message: 1, run: 0 };
    const hit = (link: number, seconds: number) => {
      const url = link === 0 ? "" : "https://a.example/";
      recordHit({ sql, now: Date.now() + seconds * 1_000 }, { mail, link, url, visitor: "human" });
      return take().written;
    };
    const hits = { opened: hit(0, 10), openedAgain: hit(0, 20), clicked: hit(1, 30), late: hit(1, 40) };
    sql.exec("UPDATE email_messages SET campaign = 1");
    take();
    return { accepted, delivered, ...hits, ofCampaign: hit(1, 50) };
  });
  expect(figures).toEqual({ accepted: 5, delivered: 4, opened: 3, openedAgain: 1, clicked: 3, late: 1, ofCampaign: 2 });
});
