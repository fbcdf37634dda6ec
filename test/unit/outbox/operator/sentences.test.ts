import { describe, expect, it } from "vitest";
import type { Act, Call, CallState } from "../../../../src/outbox/model/types.ts";
import { whyWebhook } from "../../../../src/outbox/operator/sentences.ts";

const call = (state: CallState, act?: Act["act"]): Call => ({
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
  ...(act ? { acts: [{ act, at: 1, state: "dead" }] } : {}),
});
const why = (...calls: Call[]) =>
  whyWebhook({
    seq: 1,
    source: "clerk",
    eventId: "e",
    type: "user.created",
    occurredAt: 0,
    test: false,
    body: "",
    outcomes: [],
    calls,
    rank: 0,
    secretPaths: [],
  });

describe("the sentence about a webhook", () => {
  it("says how many of its calls need a person", () => {
    expect(why(call("done"), call("dead"), call("done"))).toBe("It made 3 calls; 1 needs a person.");
    expect(why(call("parked"), call("dead"))).toBe("It made 2 calls; 2 need a person.");
  });

  it("does not count a call that a person has discarded", () => {
    expect(why(call("done"), call("dead", "discard"))).toBe("It made 2 calls.");
  });
});
