import { type Scenario, travel } from "../../src/email/policy/workflows/run/travel.ts";
import { contactOf, graphOf, planIs, START, team } from "../../test/unit/email/policy/workflows/run/graphs.ts";
import { atMost, type Figure } from "../outbox/report.ts";

const ROUNDS = 200;

const graph = graphOf(
  ["t", "EventTrigger", ["e1"]],
  ["e1", "SendEmailAction", ["d"]],
  ["d", "TimerAction", ["b"], { amount: 3 }],
  ["b", "BranchNode", ["f1", "f2"]],
  ["f1", "AudienceFilter", ["e2"], { audienceFilter: planIs("pro") }],
  ["f2", "AudienceFilter", ["e3"]],
  ["e2", "SendEmailAction", ["d1"]],
  ["e3", "SendEmailAction", ["d1"]],
  ["d1", "TimerAction", ["m1"], { amount: 10 }],
  ["m1", "SendEmailAction", ["d2"]],
  ["d2", "TimerAction", ["m2"], { amount: 10 }],
  ["m2", "SendEmailAction", ["d3"]],
  ["d3", "TimerAction", ["m3"], { amount: 10 }],
  ["m3", "SendEmailAction", ["x"]],
);

const scenario: Scenario = {
  graph,
  list: null,
  contact: contactOf(),
  hasActivity: () => false,
  assume: [],
  from: START,
  days: 60,
  team,
  nameOf: () => "About your plan",
  rowOf: () => 1,
};

export const timeTravel = async (): Promise<Figure[]> => {
  const { mails, run } = travel(scenario);
  if (mails.length !== 5 || run.ended !== "completed") throw new Error(`The run ended as ${run.ended}.`);
  const began = performance.now();
  for (let round = 0; round < ROUNDS; round++) travel(scenario);
  const each = (performance.now() - began) / ROUNDS;
  return [atMost(`time travel through 60 days with ${mails.length} mails`, each, 10, 2, " ms")];
};
