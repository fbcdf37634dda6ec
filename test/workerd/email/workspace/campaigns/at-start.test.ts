import { beforeEach, expect, it } from "vitest";
import { SLICE } from "../../../../../src/email/policy/campaigns/slice.ts";
import { pauseCampaign, resumeCampaign, startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { findRevision } from "../../../../../src/email/workspace/content/messages.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { CONTENT } from "../workflows/runs/bench.ts";
import {
  act,
  addCampaign,
  addContacts,
  campaignOf,
  claim,
  marketingContext,
  pumpSlices,
  recipientsOf,
  stepOnce,
} from "./bench.ts";

isolated();

const DAY = 86_400_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

it("a time in a filter counts from the start, however long the recipients are collected", async () => {
  await team.post("/contacts/properties", { name: "trialEnds", type: "date" });
  await addContacts(team, ["new@example.com"], { trialEnds: Date.now() - DAY / 2 });
  await addContacts(team, ["old@example.com"], { trialEnds: Date.now() - 2 * DAY });
  const audienceFilter = {
    match: "all",
    conditions: [{ type: "property", key: "trialEnds", operator: "after", value: "-P1D" }],
  };
  await act(team, await addCampaign(team, { audienceFilter }));
  advance(3 * DAY);
  await team.inside((_, storage) => pumpSlices(storage));
  expect((await recipientsOf(team)).map(({ email }) => email)).toEqual(["new@example.com"]);
});

it("a time in a filter counts from the start, also across a pause while the recipients are collected", async () => {
  await team.post("/contacts/properties", { name: "trialEnds", type: "date" });
  // More contacts than one slice reads.
  await team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1)
     INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
     SELECT i, 'con_' || i, 'p' || i || '@example.com', 'p' || i || '@example.com', jsonb_object('subscribed', json('true'),
       'mailingLists', jsonb('{}'), 'properties', jsonb_object('trialEnds', iif(i % 2 = 0, ?2, ?3))), 1, 1 FROM c`,
    2 * SLICE,
    ...[DAY / 2, 2 * DAY].map((ago) => new Date(Date.now() - ago).toISOString()),
  );
  const audienceFilter = {
    match: "all",
    conditions: [{ type: "property", key: "trialEnds", operator: "after", value: "-P1D" }],
  };
  const id = await addCampaign(team, { audienceFilter });
  const collected = () => team.inside((sql) => campaignOf(sql, id).counts.recipients);
  await team.inside((sql) => {
    startCampaign(marketingContext(sql), campaignOf(sql, id));
    stepOnce(sql, id);
  });
  const first = await collected();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(SLICE);
  await act(team, id, pauseCampaign);
  await team.inside((_, storage) => pumpSlices(storage));
  expect(await collected()).toBe(first);
  advance(3 * DAY);
  await act(team, id, resumeCampaign);
  await team.inside((_, storage) => pumpSlices(storage));
  expect(await collected()).toBe(SLICE);
  expect(await team.rows("SELECT count(*) AS odd FROM recipients WHERE contact % 2 = 1")).toEqual([{ odd: 0 }]);
});

it("a change of a component right before the start is in every mail", async () => {
  await addContacts(team, ["ada@example.com"]);
  const { id: part } = (await team.post("/components", { name: "Part", lmx: "<Paragraph>Old words</Paragraph>" })).json;
  const id = await addCampaign(team);
  const { emailMessageId } = (await team.get(`/campaigns/${id}`)).json;
  const lmx = `<Component componentId="${part}" />`;
  expect((await team.post(`/email-messages/${emailMessageId}`, { ...CONTENT, lmx })).status).toBe(200);
  advance(3_000);
  expect((await team.post(`/components/${part}`, { lmx: "<Paragraph>New words</Paragraph>" })).status).toBe(200);
  const html = await team.inside(async (sql, storage) => {
    // The alarm, which would compile the message again, does not run.
    startCampaign(marketingContext(sql), campaignOf(sql, id));
    await pumpSlices(storage);
    const [mail] = claim(sql);
    return JSON.stringify(findRevision(sql, mail?.revision ?? 0)?.html);
  });
  expect(html).toContain("New words");
  expect(html).not.toContain("Old words");
});
