import { describe, expect, it } from "vitest";
import type { Act, Delivery, DeliveryState } from "../../../../src/outbox/model/journal-types.ts";
import { whyWebhook } from "../../../../src/outbox/operator/sentences.ts";

const delivery = (state: DeliveryState, act?: Act["act"]): Delivery => ({
  rule: "welcome",
  action: "transactional",
  template: "welcome",
  dataVariables: {},
  contact: {},
  addToAudience: false,
  urgent: false,
  key: "k",
  state,
  due: 0,
  attempts: [],
  ...(act ? { acts: [{ act, at: 1, state: "failed" }] } : {}),
});
const why = (...deliveries: Delivery[]) =>
  whyWebhook({
    seq: 1,
    source: "clerk",
    eventId: "e",
    type: "user.created",
    occurredAt: 0,
    test: false,
    body: "",
    outcomes: [],
    deliveries,
    rank: 0,
    secretPaths: [],
  });

describe("the sentence about a webhook", () => {
  it("says how many of its deliveries need a person", () => {
    expect(why(delivery("done"), delivery("failed"), delivery("done"))).toBe("It made 3 deliveries; 1 needs a person.");
    expect(why(delivery("undecided"), delivery("failed"))).toBe("It made 2 deliveries; 2 need a person.");
  });

  it("does not count a delivery that a person has discarded", () => {
    expect(why(delivery("done"), delivery("failed", "discard"))).toBe("It made 2 deliveries.");
  });
});
