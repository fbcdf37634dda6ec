import { describe, expect, it } from "vitest";
import type { Rules } from "./inside/rules.ts";
import { type Outcome, playMails, playTeams, playWebhooks, rowOf } from "./objects.ts";

type Play = (rules: Rules) => Promise<Outcome>;

const played = async (what: string, play: Play, rules: Rules) => {
  const outcome = await play(rules);
  console.log(rowOf(what, outcome));
  return outcome;
};

const resets = (points: readonly (readonly [point: string, nth: number])[]) =>
  points.flatMap(([point, nth]) => [["before", point, nth] as const, ["after", point, nth] as const]);

const expectWhole = ({ lost, twice, silence }: Outcome) => {
  expect({ lost, twice }).toEqual({ lost: 0, twice: 0 });
  expect(silence).toBeLessThan(5_000);
};

const webhooks: Play = (rules) => playWebhooks(8, rules);
const mails: Play = (rules) => playMails(6, rules);
const teams: Play = (rules) => playTeams(3, rules);

describe.concurrent("outgoing webhooks", () => {
  it.each<[string, Rules]>([
    ["nothing happens", {}],
    ["a budget of 50", { subrequests: 50 }],
    ["calls of objects at most three deep", { depth: 3 }],
    ["every alarm runs twice", { alarms: { twice: 1 } }],
    ["objects without an event for 0.5 s are evicted", { evictAfter: 500 }],
  ])("all arrive: %s", async (what, rules) => {
    expectWhole(await played(`webhooks, ${what}`, webhooks, rules));
  });

  it.each(
    resets([
      ["Workspace call NOTIFIER.deliver", 1],
      ["Workspace call NOTIFIER.deliver", 8],
      ["Workspace setAlarm", 1],
      ["Workspace transactionSync", 6],
      ["Notifier run deliver", 3],
      ["Notifier fetch", 4],
    ]),
  )("all arrive, one event a contact, though an object is reset %s %s %i", async (when, point, nth) => {
    const outcome = await played(`webhooks, ${when} ${point} ${nth}`, webhooks, { aborts: [{ when, point, nth }] });
    expect(outcome.aborted).toEqual([`${when} ${point}`]);
    expectWhole(outcome);
  });
});

describe.concurrent("mails in the inbox", () => {
  it.each(
    resets([
      ["Inbox run capture", 1],
      ["Inbox transactionSync", 3],
      ["Inbox run page", 1],
    ]),
  )("arrive once each, though an object is reset %s %s %i", async (when, point, nth) => {
    const outcome = await played(`inbox, ${when} ${point} ${nth}`, mails, { aborts: [{ when, point, nth }] });
    expect(outcome.aborted).toEqual([`${when} ${point}`]);
    expectWhole(outcome);
  });
});

describe.concurrent("the Directory", () => {
  it.each(
    resets([
      ["Directory run register", 2],
      ["Directory run list", 1],
    ]),
  )("has each team once, though it is reset %s %s %i", async (when, point, nth) => {
    const outcome = await played(`teams, ${when} ${point} ${nth}`, teams, { aborts: [{ when, point, nth }] });
    expect(outcome.aborted).toEqual([`${when} ${point}`]);
    expectWhole(outcome);
  });
});
