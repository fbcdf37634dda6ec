import { describe, expect, it } from "vitest";
import { type Scenario, travel } from "../../../../../../src/email/policy/workflows/run/travel.ts";
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
  graph,
  list: null,
  contact: contactOf(),
  hasActivity: () => false,
  assume: [],
  from: START,
  days: 60,
  team: { ...team, messagesOf: (_target, id) => [Number(id.at(-1))] },
  nameOf: () => "Hello",
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
      "The contact left the workflow at a filter that it did not match: the mail with the id msg_e2 must have been opened.",
    );
    const assume = [{ day: 1, contact: () => contactOf({ subscribed: false }) }];
    expect(travel(scenario({ assume })).text).toBe(
      "The contact left the workflow, because it was unsubscribed when its next step was due.",
    );
  });

  it("takes one step for each timer, and one for the entry", () => {
    expect(travel(scenario({ days: 60 }))).toMatchObject({ steps: 3, code: "filtered" });
    expect(travel(scenario({ days: 2 })).steps).toBe(1);
  });

  it("counts a mail as sent only if it would be sent", () => {
    const sent = planIs("x");
    const wasSent = { type: "activity", action: "sent", negate: false, target: "workflowEmail", id: "msg_e1" } as const;
    const short = graphOf(
      ["t", "EventTrigger", ["e1"]],
      ["e1", "SendEmailAction", ["d"]],
      ["d", "TimerAction", ["f"], { amount: 1 }],
      ["f", "AudienceFilter", ["x"], { audienceFilter: { ...sent, conditions: [wasSent] } }],
    );
    const prospectOf = () => ({ isSent: false, text: "It would not be sent." });
    expect(travel(scenario({ graph: short })).code).toBe("completed");
    const played = travel(scenario({ graph: short, prospectOf }));
    expect(played.code).toBe("filtered");
    expect(played.lines[1]?.text).toBe('Queued the mail "Hello". It would not be sent.');
  });

  it("stops after the given days, and says what the contact waits for", () => {
    expect(travel(scenario({ days: 2 }))).toMatchObject({
      code: "waits",
      text: "The contact waits at the timer of 3 days. Its next step is due at 2026-11-25 12:00 UTC.",
    });
  });

  it("moves with its start: no absolute date is in it", () => {
    const offset = 1234 * DAY;
    const later = travel(scenario({ from: START + offset }));
    expect(later.mails.map((mail) => ({ ...mail, at: mail.at - offset }))).toEqual(travel(scenario()).mails);
  });
});
