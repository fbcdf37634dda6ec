import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { LANES, MailerQueue } from "../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { type NoteStore, nothingNoted } from "../../../../../src/email/delivery/mailer/note.ts";
import type { MailerRpc } from "../../../../../src/email/types/mailer-rpc.ts";
import type { Workspace } from "../../../../../src/email/workspace/object.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { act, addCampaign, progressOf } from "./bench.ts";

isolated();

const CONTACTS = 300;
const MAILERS = 4;

let team: Team;
let id: string;
let begun: Map<number, number>;
let open: (() => void)[] | undefined;
let working: number;

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const notes: NoteStore = { read: () => nothingNoted, write: async () => {} };

const slowMailers = () => {
  const queues = new Map<string, MailerQueue>();
  const queueOf = (name: string): MailerQueue => {
    const known = queues.get(name);
    if (known) return known;
    const queue = new MailerQueue({
      mailClass: "marketing",
      now: () => Date.now(),
      notes,
      wait: (_, until) => until,
      handOver: async ({ n }) => {
        begun.set(n, (begun.get(n) ?? 0) + 1);
        await new Promise<void>((resolve) => (open ? open.push(resolve) : resolve()));
        return { sender: "provider", handover: { outcome: "accepted" } };
      },
    });
    queues.set(name, queue);
    return queue;
  };
  const mailer: MailerRpc = {
    exchange: async (name, order) => {
      working += 1;
      const answer = await queueOf(name).exchange(order);
      setTimeout(() => {
        working -= 1;
      }, 0);
      return answer;
    },
    recall: async (name, claims) => queueOf(name).recall(claims),
  };
  return { getByName: () => mailer };
};

const ring = async (): Promise<void> => {
  advance(1_000);
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  await runAlarm(team.stub);
};

const answer = () =>
  team.inside(async () => {
    const waiting = open ?? [];
    open = undefined;
    for (const resolve of waiting) resolve();
    await until(() => working === 0);
  });

/** Claimed mails without a row are being sent. */
const states = () =>
  team.rows(
    `SELECT state, count(*) AS mails FROM (SELECT state FROM sends
       UNION ALL SELECT 'sending' FROM mailer_claims c, json_each(c.mails) j
         WHERE NOT EXISTS (SELECT 1 FROM sends WHERE n = j.value->>'n'))
     GROUP BY state ORDER BY state`,
  );

beforeEach(async () => {
  [begun, open, working] = [new Map(), [], 0];
  team = await createTeam();
  id = await addCampaign(team);
  await team.inside((sql) => {
    sql.exec(
      `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${CONTACTS})
       INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
       SELECT 'con_' || i, 'p' || i || '@example.com', 'p' || i || '@example.com',
         jsonb_object('subscribed', json('true'), 'optInStatus', NULL, 'mailingLists', jsonb_object(), 'properties', jsonb_object()), 0, 0
       FROM s`,
    );
  });
  await runInDurableObject(team.stub, (workspace: Workspace) => {
    const { env } = workspace as unknown as { env: object };
    Object.defineProperty(workspace, "env", { value: { ...env, MAILER: slowMailers() } });
  });
});

const start = async (mailers = MAILERS): Promise<void> => {
  await act(team, id);
  await ring();
  await until(() => begun.size === LANES * mailers);
  expect((await states()).find(({ state }) => state === "sending")?.mails).toBeGreaterThan(LANES * mailers);
};

it("after the answer to a pause no hand-over begins, and after the resume each gets the mail once", async () => {
  await start();
  expect((await team.admin("POST", `/campaigns/${id}/pause`)).status).toBe(200);
  expect((await states()).find(({ state }) => state === "sending")).toEqual({
    state: "sending",
    mails: LANES * MAILERS,
  });
  await answer();
  await ring();
  expect(begun.size).toBe(LANES * MAILERS);
  expect(await progressOf(team, id)).toMatchObject({ state: "paused", sent: LANES * MAILERS });
  expect((await team.admin("POST", `/campaigns/${id}/resume`)).status).toBe(200);
  for (let n = 0; n < 10; n++) {
    await ring();
    await team.inside(() => until(() => working === 0));
  }
  expect(await progressOf(team, id)).toMatchObject({ state: "done", sent: CONTACTS });
  expect([...begun.values()].every((times) => times === 1)).toBe(true);
  expect(begun.size).toBe(CONTACTS);
});

it("after the answer to a cancel no hand-over begins, and the other recipients are cancelled", async () => {
  await start();
  expect((await team.admin("POST", `/campaigns/${id}/cancel`)).status).toBe(200);
  await answer();
  for (let n = 0; n < 5; n++) await ring();
  expect(begun.size).toBe(LANES * MAILERS);
  expect(await progressOf(team, id)).toMatchObject({
    state: "cancelled",
    sent: LANES * MAILERS,
    cancelled: CONTACTS - LANES * MAILERS,
    finishedAt: expect.any(String),
  });
});

it("ends at once where a send limit is used up: no mail that was recalled waits for room", async () => {
  const [limit, busy] = [120, LANES * 3];
  expect((await team.admin("POST", "", { sendPerHour: limit })).status).toBe(200);
  await start(3);
  expect((await team.admin("POST", `/campaigns/${id}/cancel`)).status).toBe(200);
  await answer();
  await ring();
  await ring();
  expect(begun.size).toBe(busy);
  expect(await progressOf(team, id)).toMatchObject({
    state: "cancelled",
    queued: 0,
    sent: busy,
    cancelled: CONTACTS - busy,
    finishedAt: expect.any(String),
  });
  expect(await states()).toEqual([
    { state: "not_sent", mails: expect.any(Number) },
    { state: "sent", mails: busy },
  ]);
});
