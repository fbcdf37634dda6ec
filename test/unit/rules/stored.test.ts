import { describe, expect, test } from "vitest";
import { describeRule } from "../../../src/rules/describe.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import type { AnyRule } from "../../../src/rules/types.ts";
import type { Handler } from "../../../src/webhook.ts";

type Body = { id: string; seats?: number };

const rule: AnyRule = {
  name: "r",
  on: "updated",
  contact: { email: "ada@example.com" },
  ifStored: {
    id: (e: Body) => e.id,
    isNot: { paused: true },
    below: { seats: (e: Body) => e.seats },
    unless: [{ is: { plan: "Pro" } }],
  },
  onlyWithoutOther: (e: Body) => e.id,
  event: { name: "grew", properties: { previousSeats: { stored: "seats" } } },
  transactional: { template: "grew", variables: { seats: { stored: "seats" } } },
};

const planned = (one: AnyRule, body: Body) =>
  plan(
    { handler: { provider: "test" } as Handler, rules: [one], links: () => [] },
    { source: "shop", id: "evt_1", type: "updated", occurredAt: 0, body },
  );

describe("a condition on stored state", () => {
  test("is part of the event and the mail, with the values of the webhook and ids of the source", () => {
    const conditions = {
      ifStored: {
        id: "shop:sub_1",
        isNot: { paused: true },
        below: { seats: 4 },
        unless: [{ is: { plan: "Pro" } }],
      },
      onlyWithoutOther: "shop:sub_1",
    };
    expect(planned(rule, { id: "sub_1", seats: 4 }).deliveries).toMatchObject([
      { action: "event", eventProperties: {}, stored: { previousSeats: "seats" }, ...conditions },
      { action: "transactional", dataVariables: {}, stored: { seats: "seats" }, ...conditions },
    ]);
  });

  test("compares an undefined value as null, so that a comparison of numbers does not hold", () => {
    const [event] = planned(rule, { id: "sub_1" }).deliveries;
    expect(event?.ifStored?.below).toEqual({ seats: null });
  });

  test("fails the rule, with the name of the comparison, if a value is none", () => {
    const wrong = { ...rule, ifStored: { id: "1", is: { seats: Number.NaN } } };
    expect(planned(wrong, { id: "sub_1" }).outcomes).toMatchObject([
      { outcome: "failed", message: expect.stringContaining("ifStored.is.seats must be a string") },
    ]);
  });

  test.each(["event.properties.previousSeats", "transactional.variables.seats"])(
    "fails a rule without it: %s",
    (path) => {
      const { ifStored: _, event, transactional, ...bare } = rule;
      const wrong = path.startsWith("event") ? { ...bare, event } : { ...bare, transactional };
      expect(planned(wrong as AnyRule, { id: "sub_1" })).toMatchObject({
        deliveries: [],
        outcomes: [{ outcome: "failed", message: `${path} is a stored value, which needs ifStored.` }],
      });
    },
  );

  test("is described in words", () => {
    expect(describeRule(rule, "shop").stored).toEqual([
      "before this webhook, the stored paused is not true",
      "before this webhook, the stored seats is less than (e) => e.seats",
      'before this webhook, it was not so that plan is "Pro"',
      "the person has no other running subscription",
    ]);
  });
});

describe("remembered state", () => {
  const remember = { id: (e: Body) => e.id, state: { closed: true } };
  const subscription = { id: "shop:sub_1", properties: [], state: { closed: true } };

  test("goes with the contact update, or with the event of a rule without one", () => {
    const { ifStored: _, onlyWithoutOther: __, transactional: ___, ...plain } = rule;
    const event = { name: "closed" };
    expect(planned({ ...plain, event, remember, update: {} }, { id: "sub_1" }).deliveries).toMatchObject([
      { action: "contact", subscription },
      { action: "event", eventName: "closed" },
    ]);
    const [alone] = planned({ ...plain, event, remember }, { id: "sub_1" }).deliveries;
    expect(alone).toMatchObject({ action: "event", subscription });
  });
});
