import { beforeEach, expect, it } from "vitest";
import type { ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";
import { findCampaign, type StoredCampaign } from "../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import { ensureOldRows } from "../../../../../src/email/workspace/core/mailer-claims.ts";
import { recordUnsubscribe } from "../../../../../src/email/workspace/sending/marketing/unsubscribes.ts";
import { recordHit } from "../../../../../src/email/workspace/tracking/hits.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { contextOf } from "../counted.ts";
import {
  act,
  addCampaign,
  addContacts,
  claim,
  HANDOVERS,
  hear,
  pumpSlices,
  recipientsOf,
  report,
  sumsOf,
} from "./bench.ts";

isolated();

const ADA = "ada@example.com";
const NONE = { queued: 0, inLedger: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

let team: Team;
let id: string;
let mail: ClaimedSend;

beforeEach(async () => {
  team = await createTeam();
  await addContacts(team, [ADA]);
  id = await addCampaign(team);
  await act(team, id);
  mail = await team.inside(async (sql, storage) => {
    await pumpSlices(storage);
    return claim(sql)[0] ?? expect.fail("The mail was not claimed.");
  });
  expect(await rows()).toEqual([]);
});

const rows = () => team.rows("SELECT id, state FROM sends");
const accepted = () => team.inside((sql) => report(sql, mail, HANDOVERS.accepted));
const tracked = () => {
  const { contact, message, run } = mail.marketing ?? expect.fail();
  return { team: "acme", send: mail.n, contact: contact.n, message, run };
};
const hit = (link: number) =>
  team.inside((sql) =>
    recordHit(
      { sql, now: Date.now() },
      { mail: tracked(), link, url: link ? "https://a.example/" : "", visitor: "human" },
    ),
  );

/** The mail has one row, is counted once, and its recipient has its state. */
const isWhole = async (state: string, counts: object): Promise<void> => {
  expect(await rows()).toEqual([{ id: mail.id, state }]);
  await team.inside(async (sql, storage) => {
    await pumpSlices(storage);
    expect(sumsOf(sql, id)).toEqual({ ...NONE, ...counts, recipients: 1, sum: 1 });
    const found = findCampaign(contextOf(sql), id) as { campaign: StoredCampaign };
    expect(found.campaign.state).toBe("done");
  });
};

it("a click before the result counts, and the mail is sent", async () => {
  await hit(1);
  expect(await rows()).toEqual([{ id: mail.id, state: "sending" }]);
  expect(await team.rows("SELECT send, human + scanner AS hits FROM send_hits")).toEqual([{ send: mail.n, hits: 1 }]);
  await accepted();
  await isWhole("sent", { sent: 1 });
});

it("an open by a program that looks before the result is that of a scanner", async () => {
  await hit(0);
  await accepted();
  await isWhole("sent", { sent: 1 });
  expect(await team.rows("SELECT opened_at FROM engagement")).toEqual([{ opened_at: null }]);
});

it("an unsubscribe before the result is in the mail's history and in the counts", async () => {
  await team.inside((sql) =>
    recordUnsubscribe({ sql, now: Date.now() }, { row: 1, send: mail.n }, "email.unsubscribed"),
  );
  expect(await team.rows("SELECT value->>'kind' AS kind FROM sends, json_each(sends.history)")).toEqual([
    { kind: "unsubscribed" },
  ]);
  await accepted();
  await isWhole("sent", { sent: 1 });
  expect(await team.rows("SELECT unsubscribes FROM message_counts")).toEqual([{ unsubscribes: 1 }]);
});

it("a bounce before the result stays one, whatever the Mailer says then", async () => {
  await team.inside((sql) => hear(sql, mail.n, "hard"));
  expect(await rows()).toEqual([{ id: mail.id, state: "bounced" }]);
  await accepted();
  expect((await rows())[0]?.state).toBe("bounced");
  expect((await recipientsOf(team)).map(({ state }) => state)).toEqual(["bounced"]);
  expect(await team.rows("SELECT email_key FROM suppressions")).toEqual([{ email_key: ADA }]);
});

it("who asks for the mail by its id finds it in progress", async () => {
  expect((await team.admin("GET", `/sends/${mail.id}`)).json).toMatchObject({ id: mail.id, state: "sending", to: ADA });
  await accepted();
  await isWhole("sent", { sent: 1 });
});

it("an erasure waits for the mail in flight, and then nothing names the person", async () => {
  const erase = () => team.admin("POST", "/erase", { emails: [ADA] });
  const first = await erase();
  expect(first.json).toMatchObject({ finished: false });
  await accepted();
  expect((await erase()).json).toMatchObject({ finished: true });
  expect(await team.rows("SELECT count(*) AS found FROM sends WHERE recipient LIKE '%ada%'")).toEqual([{ found: 0 }]);
});

it("a contact that is deleted before the result: the mail keeps its result, without the contact", async () => {
  await team.post("/contacts/delete", { email: ADA });
  await accepted();
  expect(await team.rows("SELECT state, contact FROM sends")).toEqual([{ state: "sent", contact: null }]);
  expect(await team.rows("SELECT count(*) AS kept FROM engagement")).toEqual([{ kept: 0 }]);
});

it("a mail without a result for a day gets its row, and is unknown", async () => {
  advance(25 * 3_600_000);
  await team.inside((sql) => ensureOldRows(sql, Date.now() - 24 * 3_600_000));
  expect(await rows()).toEqual([{ id: mail.id, state: "sending" }]);
});
