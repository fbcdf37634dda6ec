import { describe, expect, it } from "vitest";
import { type Scenario, travel } from "../../../../../src/email/workflows/run/travel.ts";
import { contactOf, DAY, graphOf, planIs, START, team, withPlan } from "./graphs.ts";

const graph = graphOf(
  ["t", "EventTrigger", ["e1"]],
  ["e1", "SendEmailAction", ["d"]],
  ["d", "TimerAction", ["b"], { amount: 3 }],
  ["b", "BranchNode", ["f1", "f2"]],
  ["f1", "AudienceFilter", ["e2"], { audienceFilter: planIs("pro") }],
  ["f2", "AudienceFilter", ["e3"]],
  ["e2", "SendEmailAction", ["w"]],
  ["e3", "SendEmailAction", ["w"]],
  ["w", "TimerAction", ["o"], { amount: 30 }],
  [
    "o",
    "AudienceFilter",
    ["e4"],
    {
      audienceFilter: {
        match: "all",
        conditions: [{ type: "activity", action: "opened", negate: false, target: "workflowEmail", id: "msg_e2" }],
      },
    },
  ],
  ["e4", "SendEmailAction", ["x"]],
);

const scenario = (more: Partial<Scenario> = {}): Scenario => ({
  ...{ graph, list: null, contact: contactOf(), hasActivity: () => false, assume: [], from: START, days: 60 },
  team: { ...team, messagesOf: (_target, id) => [Number(id.at(-1))] },
  subjectOf: () => "Hello",
  rowOf: (message) => Number(message.at(-1)),
  ...more,
});

const days = (given: Partial<Scenario>) =>
  travel(scenario(given)).mails.map(({ message, at }) => `day ${(at - START) / DAY}: ${message}`);

describe("a scenario through time", () => {
  it("gives the mails with their days, as the contact is assumed to be then", () => {
    expect(days({})).toEqual(["day 0: msg_e1", "day 3: msg_e3"]);
    expect(days({ assume: [{ day: 2, contact: () => withPlan("pro") }] })).toEqual(["day 0: msg_e1", "day 3: msg_e2"]);
    const assume = [
      { day: 10, opened: ["msg_e2"] },
      { day: 2, contact: () => withPlan("pro") },
    ];
    expect(days({ assume })).toEqual(["day 0: msg_e1", "day 3: msg_e2", "day 33: msg_e4"]);
  });

  it("says why it ends", () => {
    expect(travel(scenario()).text).toBe(
      "It left the workflow at a filter that the contact did not match: the mail with the id msg_e2 must have been opened.",
    );
    const assume = [{ day: 1, contact: () => contactOf({ subscribed: false }) }];
    expect(travel(scenario({ assume })).text).toBe(
      "It left the workflow, because the contact was unsubscribed when its turn came.",
    );
  });

  it("stops after the given days, and says what the contact waits for", () => {
    expect(travel(scenario({ days: 2 }))).toMatchObject({
      code: "waits",
      text: "It waits at the timer of 3 days. It goes on at 2026-11-25 12:00 UTC.",
    });
  });

  it("moves with its start: no absolute date is in it", () => {
    const offset = 1234 * DAY;
    const later = travel(scenario({ from: START + offset }));
    expect(later.mails.map((mail) => ({ ...mail, at: mail.at - offset }))).toEqual(travel(scenario()).mails);
  });
});
