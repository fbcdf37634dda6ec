import { describe, expect, it } from "vitest";
import { isTooLate, rateAboveBound, reasonToHold } from "../../../../../src/email/policy/campaigns/hold.ts";
import { type Refusals, withRefusal } from "../../../../../src/email/policy/campaigns/refused-in-row.ts";

const NONE = { sends: 0, hardBounces: 0, softBounces: 0, complaints: 0 };
const refusedInRow = (times: number): Refusals | null =>
  Array.from({ length: times }).reduce<Refusals | null>((before) => withRefusal(before, 0, "554 spam"), null);
const sending = {
  confirmed: null,
  most: null,
  ready: 0,
  counts: { queued: 500, inLedger: 0, sent: 0 },
  refusals: null,
  results: NONE,
  released: null,
};

describe("the reason to hold a sending campaign", () => {
  it.each<[string, Partial<Parameters<typeof reasonToHold>[0]>, string | undefined]>([
    ["is none without trouble", {}, undefined],
    ["is more recipients than confirmed", { confirmed: 100, ready: 1_000 }, "more_recipients"],
    ["is none up to the number that a person chose", { confirmed: 100, most: 110, ready: 110 }, undefined],
    ["is more than the number that a person chose", { confirmed: 100, most: 110, ready: 111 }, "more_recipients"],
    ["is none with as many recipients as confirmed", { confirmed: 100, ready: 100 }, undefined],
    ["is 20 refusals in a row", { refusals: refusedInRow(20) }, "sender_refuses"],
    ["is not 19 refusals in a row", { refusals: refusedInRow(19) }, undefined],
    ["is too many bounces", { results: { ...NONE, sends: 1_000, hardBounces: 51 } }, "bounce_rate"],
    ["is too many complaints", { results: { ...NONE, sends: 1_000, complaints: 2 } }, "complaint_rate"],
  ])("%s", (_what, changes, reason) => {
    expect(reasonToHold({ ...sending, ...changes })).toBe(reason);
  });
});

it("a start is too late after more than an hour", () => {
  expect([isTooLate(1_000, 1_000 + 3_600_000), isTooLate(1_000, 1_001 + 3_600_000)]).toEqual([false, true]);
});

describe("rates of a campaign", () => {
  const handed = (sends: number, hardBounces: number, complaints: number, softBounces = 0) => ({
    sends,
    hardBounces,
    softBounces,
    complaints,
  });

  it.each([
    ["499 mails say little", handed(499, 499, 499), undefined],
    ["5 % of bounces are allowed", handed(1_000, 50, 0), undefined],
    ["more are not", handed(1_000, 51, 0), "bounce_rate"],
    ["soft bounces count as hard ones", handed(1_000, 25, 0, 26), "bounce_rate"],
    ["0.1 % of complaints are allowed", handed(1_000, 0, 1), undefined],
    ["more are not", handed(1_000, 0, 2), "complaint_rate"],
  ])("%s", (_, results, reason) => {
    expect(rateAboveBound(results, null)).toBe(reason);
  });

  it("count the mails since a person resumed the campaign", () => {
    const released = { bounce_rate: handed(500, 400, 0) };
    expect(rateAboveBound(handed(999, 899, 0), released)).toBeUndefined();
    expect(rateAboveBound(handed(1_000, 425, 0), released)).toBeUndefined();
    expect(rateAboveBound(handed(1_000, 426, 0), released)).toBe("bounce_rate");
  });

  it("count all mails for a reason for which the campaign was not held", () => {
    const released = { bounce_rate: handed(500, 400, 1) };
    expect(rateAboveBound(handed(501, 400, 1), released)).toBe("complaint_rate");
    const both = { ...released, complaint_rate: handed(501, 400, 1) };
    expect(rateAboveBound(handed(1_000, 400, 9), both)).toBeUndefined();
    expect(rateAboveBound(handed(1_001, 400, 2), both)).toBe("complaint_rate");
    expect(rateAboveBound(handed(1_001, 426, 1), both)).toBe("bounce_rate");
  });
});
