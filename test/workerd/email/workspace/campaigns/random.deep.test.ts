import { expect, it, vi } from "vitest";
import type { StoredCampaign } from "../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  retryUnknown,
  startCampaign,
} from "../../../../../src/email/workspace/campaigns/control.ts";
import { contactInRow, removeContact } from "../../../../../src/email/workspace/contacts/contact-rows.ts";
import { expireSends } from "../../../../../src/email/workspace/sending/sends.ts";
import { suppress } from "../../../../../src/email/workspace/sending/suppression.ts";
import { createRandom, type Random } from "../../../simulation/random.ts";
import { advance, createTeam, isolated } from "../../bench.ts";
import {
  addCampaign,
  campaignOf,
  claim,
  HANDOVERS,
  hear,
  marketingContext,
  pumpSlices,
  report,
  sumsOf,
} from "./bench.ts";

isolated();

// Small slices, so that few contacts make several of each kind.
vi.mock(
  import("../../../../../src/email/policy/campaigns/slice.ts"),
  () => ({ SLICE: 7, READ: 5, TAKEN: 3, CANCELLED: 4, ENDED: 3, RETRIED: 2 }) as never,
);

const SEEDS = 40;
const STEPS = 120;
const CONTACTS = 25;

const addGroup = (sql: SqlStorage, group: string, random: Random): number[] =>
  Array.from({ length: CONTACTS }, (_, k) => {
    const email = random.chance(0.05) ? null : `p${k}.${group}@example.com`;
    const data = {
      subscribed: !random.chance(0.1),
      optInStatus: null,
      userGroup: group,
      mailingLists: {},
      properties: {},
    };
    return sql
      .exec<{ n: number }>(
        "INSERT INTO contacts (id, email, email_key, data, created_at, updated_at) VALUES (?1, ?2, ?2, jsonb(?3), 0, 0) RETURNING n",
        `con_${group}_${k}`,
        email,
        JSON.stringify(data),
      )
      .one().n;
  });

const numbersIn = (sql: SqlStorage, query: string): number[] =>
  sql
    .exec<{ n: number }>(`${query} ORDER BY 1`)
    .toArray()
    .map(({ n }) => n);

const worldOf = (storage: DurableObjectStorage, id: string, contacts: readonly number[], random: Random) => {
  const { sql } = storage;
  const inFlight: { n: number; attempt: number; contact: number }[] = [];
  const reached = new Map<number, number>();
  const retried = new Set<number>();
  const barred = new Set<number>();
  const context = () => marketingContext(sql);
  const control = (act: (context: ReturnType<typeof marketingContext>, campaign: StoredCampaign) => unknown) =>
    storage.transactionSync(() => act(context(), campaignOf(sql, id)));
  const one = () => random.one(contacts);
  const reach = (contact: number) => reached.set(contact, (reached.get(contact) ?? 0) + 1);

  const actions: [weight: number, act: () => unknown][] = [
    [8, () => pumpSlices(storage, { slices: random.int(1, 3), crashes: () => random.chance(0.1) })],
    [
      6,
      () => {
        for (const { n, attempt, marketing } of claim(sql, random.int(1, 5))) {
          const contact = marketing?.contact.n ?? 0;
          expect(barred.has(contact), `contact ${contact} gets a mail`).toBe(false);
          inFlight.push({ n, attempt, contact });
        }
      },
    ],
    [
      6,
      () => {
        const [mail] = inFlight.splice(0, 1);
        if (!mail) return;
        const name = random.one(["accepted", "accepted", "deferred", "unknown", "refused", "noAddress"] as const);
        // A mail with an unknown outcome may have reached its recipient.
        if (name === "accepted" || (name === "unknown" && random.chance(0.5))) reach(mail.contact);
        storage.transactionSync(() => report(sql, mail, HANDOVERS[name]));
      },
    ],
    [
      2,
      () => {
        const [row] = sql.exec<{ n: number; contact: number | null }>(
          "SELECT n, contact FROM sends WHERE state IN ('sent', 'unknown') ORDER BY random() LIMIT 1",
        );
        if (!row) return;
        const kind = random.one(["delivered", "hard", "soft", "complaint"] as const);
        // A mail that came back did not reach its recipient. The decision about a wave may send it again.
        if (row.contact && kind === "hard") reached.delete(row.contact);
        else if (row.contact && !reached.has(row.contact)) reach(row.contact);
        hear(sql, row.n, kind);
      },
    ],
    [1, () => control(pauseCampaign)],
    [2, () => control(resumeCampaign)],
    [0.05, () => control(cancelCampaign)],
    [
      0.5,
      () => {
        const rows = sql.exec<{ contact: number }>("SELECT contact FROM recipients WHERE state = 'unknown'").toArray();
        for (const { contact } of rows) retried.add(contact);
        control(retryUnknown);
      },
    ],
    [
      0.5,
      () => {
        const contact = one();
        sql.exec("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', json('false')) WHERE n = ?", contact);
        barred.add(contact);
      },
    ],
    [
      0.5,
      () => {
        const contact = contactInRow(sql, one());
        if (!contact?.email) return;
        suppress(context(), contact.email, "manual");
        barred.add(contact.n);
      },
    ],
    [
      0.3,
      () => {
        const contact = contactInRow(sql, one());
        if (!contact) return;
        storage.transactionSync(() => removeContact(context(), contact));
        barred.add(contact.n);
      },
    ],
    [2, () => advance(random.int(1, 1_800_000))],
    [0.2, () => expireSends(sql, Date.now(), 100)],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  const act = async () => {
    let left = random.next() * total;
    for (const [weight, run] of actions) {
      left -= weight;
      if (left < 0) return run();
    }
  };
  const settle = () => {
    for (const mail of inFlight.splice(0)) {
      reach(mail.contact);
      report(sql, mail, HANDOVERS.accepted);
    }
  };
  const check = () => {
    const { recipients, sum, ...states } = sumsOf(sql, id);
    expect(sum).toBe(recipients);
    for (const count of Object.values(states)) expect(count).toBeGreaterThanOrEqual(0);
    for (const [contact, mails] of reached) if (!retried.has(contact)) expect(mails, `contact ${contact}`).toBe(1);
  };
  const finish = async () => {
    for (let rounds = 0; rounds < 60; rounds++) {
      // A wave may hold it again.
      control(resumeCampaign);
      await pumpSlices(storage);
      for (const { n, attempt, marketing } of claim(sql))
        inFlight.push({ n, attempt, contact: marketing?.contact.n ?? 0 });
      settle();
      advance(1_800_000);
    }
  };
  return { act, check, finish, reached, barred };
};

it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  "whatever happens to a campaign, its sums close and nobody gets it twice (seed %i)",
  async (seed) => {
    const team = await createTeam();
    const random = createRandom(seed);
    const audienceFilter = {
      match: "all",
      conditions: [{ type: "property", key: "userGroup", operator: "equals", value: "g" }],
    };
    const id = await addCampaign(team, { audienceFilter });
    await team.inside(async (sql, storage) => {
      const contacts = addGroup(sql, "g", random);
      const mayGet = numbersIn(sql, "SELECT n FROM contacts WHERE email IS NOT NULL AND data->>'$.subscribed' = 1");
      addGroup(sql, "others", random);
      startCampaign(marketingContext(sql), campaignOf(sql, id));
      const world = worldOf(storage, id, contacts, random);
      for (let step = 0; step < STEPS; step++) {
        advance(1);
        await world.act();
        world.check();
      }
      await world.finish();
      world.check();
      const campaign = campaignOf(sql, id);
      expect(campaign).toMatchObject({
        status: "Sent",
        state: expect.stringMatching(/^(done|cancelled)$/),
        pass: null,
      });
      expect(campaign.finishedAt).not.toBeNull();
      const { recipients, queued, inLedger, ...settled } = campaign.counts;
      expect([queued, inLedger]).toEqual([0, 0]);
      // Each existing contact is counted by its row. Deleted contacts are counted too, without a row.
      const rows = sql
        .exec<{ state: string; count: number }>(
          `SELECT CASE r.state WHEN 'delivered' THEN 'sent' WHEN 'complained' THEN 'sent' WHEN 'queued' THEN 'queued' ELSE r.state END AS state,
             count(*) AS count FROM (SELECT iif(r.state = 'queued' AND e.sent_at IS NOT NULL, 'sent', r.state) AS state
               FROM recipients r JOIN campaigns c ON c.n = r.campaign
                 LEFT JOIN engagement e ON e.contact = r.contact AND e.message = c.message AND e.run = 0) r GROUP BY 1`,
        )
        .toArray();
      const left = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
      expect(left.queued ?? 0).toBe(0);
      for (const state of ["skipped", "unknown", "cancelled"] as const)
        expect(left[state] ?? 0, state).toBeLessThanOrEqual(settled[state]);
      const { count } = sql.exec<{ count: number }>("SELECT count(*) AS count FROM recipients").one();
      expect(count).toBeLessThanOrEqual(recipients);
      if (campaign.state === "cancelled") return;
      expect(numbersIn(sql, "SELECT contact AS n FROM recipients")).toEqual(
        numbersIn(sql, `SELECT n FROM contacts WHERE id GLOB 'con_g_*' AND n <= ${campaign.maxContact}`),
      );
      const got = [...world.reached.keys()];
      const failed = numbersIn(
        sql,
        "SELECT contact AS n FROM recipients WHERE state IN ('bounced', 'failed', 'unknown')",
      );
      const may = mayGet.filter((n) => !world.barred.has(n) && !failed.includes(n));
      expect(may.filter((n) => !got.includes(n))).toEqual([]);
      expect(got.filter((n) => !mayGet.includes(n))).toEqual([]);
    });
  },
);
