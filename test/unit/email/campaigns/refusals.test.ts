import { describe, expect, it } from "vitest";
import {
  isAboutMail,
  type Refusals,
  refusedInRow,
  refusesAll,
  resumedAfter,
  withRefusal,
} from "../../../../src/email/campaigns/refusals.ts";

const WORDS = "554 5.7.1 blocked";
/** So many refusals in a row, of which each came when the relay had taken so many mails. */
const refused = (times: number, taken = 0, before: Refusals | null = null): Refusals => {
  let refusals = before;
  for (let i = 0; i < times; i += 1) refusals = withRefusal(refusals, taken, WORDS);
  return refusals as Refusals;
};

describe("refusals in a row", () => {
  it("count until the relay takes a mail, and begin anew then", () => {
    const three = refused(3, 10);
    expect([refusedInRow(null, 10), refusedInRow(three, 10), refusedInRow(three, 11)]).toEqual([0, 3, 0]);
    expect(refusedInRow(refused(1, 11, three), 11)).toBe(1);
  });

  it("keep the words of the last one", () => {
    expect(withRefusal(refused(1), 0, "550 other").words).toBe("550 other");
  });
});

describe("a refusal is about its mail alone", () => {
  it.each([
    ["the first refusal of a mail", { refusals: null, taken: 100, times: 1 }, false],
    ["the second, while the relay takes others", { refusals: null, taken: 100, times: 2 }, true],
    ["the second, after four others in a row", { refusals: refused(4, 100), taken: 100, times: 2 }, true],
    ["the second, after five others in a row", { refusals: refused(5, 100), taken: 100, times: 2 }, false],
    [
      "the second, after five others and a mail that was taken",
      { refusals: refused(5, 99), taken: 100, times: 2 },
      true,
    ],
    ["the relay has taken none yet", { refusals: null, taken: 0, times: 9 }, false],
    [
      "the relay has taken none since a person resumed the campaign",
      { refusals: resumedAfter(refused(20, 100), 100), taken: 100, times: 2 },
      false,
    ],
    [
      "the relay takes others again since then",
      { refusals: resumedAfter(refused(20, 100), 100), taken: 101, times: 2 },
      true,
    ],
  ])("%s", (_, of, expected) => {
    expect(isAboutMail(of)).toBe(expected);
  });
});

describe("a relay refuses the whole campaign", () => {
  it.each([
    ["nothing was refused", null, { taken: 0, open: 5 }, false],
    ["19 in a row", refused(19, 1), { taken: 1, open: 500 }, false],
    ["20 in a row", refused(20, 1), { taken: 1, open: 500 }, true],
    ["20 in a row, and a mail was taken since", refused(20, 1), { taken: 2, open: 500 }, false],
    ["each of a few mails was refused twice, and none taken", refused(6), { taken: 0, open: 3 }, true],
    ["not each of them", refused(5), { taken: 0, open: 3 }, false],
    ["each of the last few, where others were taken", refused(6, 90), { taken: 90, open: 3 }, false],
    ["a person has just resumed it", resumedAfter(refused(20, 1), 1), { taken: 1, open: 1 }, false],
  ])("%s", (_, refusals, of, expected) => {
    expect(refusesAll(refusals, of)).toBe(expected);
  });
});
