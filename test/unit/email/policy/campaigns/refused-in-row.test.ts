import { describe, expect, it } from "vitest";
import {
  countedAnew,
  isAboutMail,
  type Refusals,
  readRefusals,
  refusedInRow,
  refusedOfLast,
  refusesAll,
  withRefusal,
} from "../../../../../src/email/policy/campaigns/refused-in-row.ts";

const WORDS = "554 5.7.1 blocked";
const refused = (times: number, taken = 0, before: Refusals | null = null): Refusals => {
  let refusals = before;
  for (let i = 0; i < times; i += 1) refusals = withRefusal(refusals, taken, WORDS);
  return refusals as Refusals;
};
const takesOneOf = (every: number, times: number, from = 0): { refusals: Refusals; taken: number } => {
  let [refusals, taken]: [Refusals | null, number] = [null, from];
  for (let mail = 1, seen = 0; seen < times; mail += 1) {
    if (mail % every === 0) taken += 1;
    else {
      refusals = withRefusal(refusals, taken, WORDS);
      seen += 1;
    }
  }
  return { refusals: refusals as Refusals, taken };
};

describe("refusals in a row", () => {
  it("count until the mail provider takes a mail, and begin anew then", () => {
    const three = refused(3, 10);
    expect([refusedInRow(null, 10), refusedInRow(three, 10), refusedInRow(three, 11)]).toEqual([0, 3, 0]);
    expect(refusedInRow(refused(1, 11, three), 11)).toBe(1);
  });

  it("keep the words of the last one", () => {
    expect(withRefusal(refused(1), 0, "550 other").words).toBe("550 other");
  });

  it("are read as they were stored, and stay few", () => {
    expect(readRefusals(null)).toBeNull();
    const many = refused(500, 3);
    expect(many.at.length).toBe(40);
    expect(readRefusals(JSON.stringify(many))).toEqual(many);
  });
});

describe("a refusal is about its mail alone", () => {
  const resumed = countedAnew(refused(20, 100), { taken: 100, now: 5_000, again: false });
  const again = countedAnew(null, { taken: 100, now: 5_000, again: true });
  it.each([
    ["the first refusal of a mail", refused(1, 100), { taken: 100, times: 1 }, false],
    ["the first, where few are left", refused(1, 100), { taken: 100, times: 1, open: 1 }, false],
    ["the second, while the mail provider takes others", refused(1, 100), { taken: 100, times: 2 }, true],
    ["the second, as the fifth in a row", refused(5, 100), { taken: 100, times: 2 }, true],
    ["the second, as the sixth in a row", refused(6, 100), { taken: 100, times: 2 }, false],
    ["as the sixth, where 20 are left", refused(6, 100), { taken: 100, times: 2, open: 20 }, false],
    ["as the sixth, where 19 are left", refused(6, 100), { taken: 100, times: 2, open: 19 }, true],
    ["as the 38th, where few are left", refused(38, 100), { taken: 100, times: 2, open: 1 }, true],
    [
      "the second, after five others and a mail that was taken",
      refused(1, 101, refused(5, 100)),
      { taken: 101, times: 2 },
      true,
    ],
    ["the mail provider has taken none yet", refused(1), { taken: 0, times: 9 }, false],
    ["it has taken none of a few", refused(1), { taken: 0, times: 9, open: 1 }, false],
    [
      "the mail provider has taken none since a person resumed the campaign",
      refused(1, 100, resumed),
      { taken: 100, times: 2 },
      false,
    ],
    ["none since then, of the few that are left", refused(1, 100, resumed), { taken: 100, times: 2, open: 4 }, false],
    ["the mail provider takes others again since then", refused(1, 101, resumed), { taken: 101, times: 2 }, true],
    [
      "the second, as the sixth of the first 15 since a resume",
      refused(1, 109, refused(5, 100, resumed)),
      { taken: 109, times: 2 },
      false,
    ],
    [
      "the second, as the sixth of the first 16",
      refused(1, 110, refused(5, 100, resumed)),
      { taken: 110, times: 2 },
      true,
    ],
    ["the 20th of the last 50", refused(1, 130, refused(19, 100)), { taken: 130, times: 2 }, false],
    [
      "the 20th of the last 50, where 19 are left",
      refused(1, 130, refused(19, 100)),
      { taken: 130, times: 2, open: 19 },
      true,
    ],
    ["the 20th of the last 51", refused(1, 131, refused(19, 100)), { taken: 131, times: 2 }, true],
    ["a mail sent again after the campaign was done, once", refused(1, 100, again), { taken: 100, times: 1 }, false],
    ["such a mail, twice", refused(2, 100, again), { taken: 100, times: 2 }, true],
    ["such a mail, after 18 others", refused(19, 100, again), { taken: 100, times: 2 }, true],
    ["such a mail, after 19 others", refused(20, 100, again), { taken: 100, times: 2 }, false],
    ["such a mail, where few are left", refused(20, 100, again), { taken: 100, times: 2, open: 19 }, true],
  ])("%s", (_, refusals, of, expected) => {
    expect(isAboutMail(refusals, { open: 500, ...of })).toBe(expected);
  });

  it("fails five mails at most of those whose first refusal was chance, when the mail provider refuses everybody then", () => {
    const taken = 300;
    let refusals = refused(1, 299);
    let failed = 0;
    for (let mail = 0; mail < 100; mail += 1) {
      refusals = withRefusal(refusals, taken, WORDS);
      if (isAboutMail(refusals, { taken, times: 2, open: 100 - failed })) failed += 1;
      if (refusesAll(refusals, { taken, open: 100 - failed })) break;
    }
    expect(failed).toBe(5);
    expect(refusesAll(refusals, { taken, open: 95 })).toBe(true);
  });

  it.each([1, 4, 6, 12, 19, 20, 24])(
    "fails the last %i, where the mail provider has taken all others between them",
    (last) => {
      let refusals: Refusals | null = null;
      for (let mail = 0; mail < last; mail += 1) refusals = withRefusal(refusals, 10 * mail, WORDS);
      const taken = 10 * last;
      let open = last;
      for (; open > 0; open -= 1) {
        expect(refusesAll(refusals, { taken, open })).toBe(false);
        refusals = withRefusal(refusals, taken, WORDS);
        if (!isAboutMail(refusals, { taken, times: 2, open })) break;
      }
      expect(open).toBe(0);
    },
  );
});

describe("a mail provider refuses the whole campaign", () => {
  const tenth = takesOneOf(10, 20);
  const [third, half, most] = [takesOneOf(3, 20), takesOneOf(2, 20), takesOneOf(2, 40)];
  const again = countedAnew(null, { taken: 90, now: 5_000, again: true });
  it.each([
    ["nothing was refused", null, { taken: 0, open: 5 }, false],
    ["19 in a row", refused(19, 1), { taken: 1, open: 500 }, false],
    ["20 in a row", refused(20, 1), { taken: 1, open: 500 }, true],
    ["20 of the last 50", refused(20, 1), { taken: 31, open: 500 }, true],
    ["20 of the last 51", refused(20, 1), { taken: 32, open: 500 }, false],
    ["20 in a row, with 20 mails left", refused(20, 1), { taken: 1, open: 20 }, true],
    ["20 in a row, with 19 mails left", refused(20, 1), { taken: 1, open: 19 }, false],
    ["20 of the last 50, with 19 mails left", refused(20, 1), { taken: 31, open: 19 }, false],
    ["it takes every tenth", tenth.refusals, { taken: tenth.taken, open: 500 }, true],
    ["it takes every third", third.refusals, { taken: third.taken, open: 500 }, true],
    ["it takes every second", half.refusals, { taken: half.taken, open: 500 }, true],
    ["also later", most.refusals, { taken: most.taken, open: 500 }, true],
    ["each of a few mails was refused twice, and none taken", refused(6), { taken: 0, open: 3 }, true],
    ["not each of them", refused(5), { taken: 0, open: 3 }, false],
    ["each of 19", refused(38), { taken: 0, open: 19 }, true],
    ["not each of 19", refused(37), { taken: 0, open: 19 }, false],
    [
      "each of a few, and none taken since the resume",
      refused(8, 90, countedAnew(null, { taken: 90, now: 5_000, again: false })),
      { taken: 90, open: 4 },
      true,
    ],
    ["each of the last few often, where others were taken: they fail", refused(40, 90), { taken: 90, open: 3 }, false],
    [
      "a person has just resumed it",
      countedAnew(refused(20, 1), { taken: 1, now: 5_000, again: false }),
      { taken: 1, open: 1 },
      false,
    ],
    ["a few mails that are sent again after it was done", refused(4, 90, again), { taken: 90, open: 1 }, false],
    ["many of those", refused(20, 90, again), { taken: 90, open: 300 }, true],
    ["many refusals of a few of those", refused(40, 90, again), { taken: 90, open: 19 }, false],
  ])("%s", (_, refusals, of, expected) => {
    expect(refusesAll(refusals, of)).toBe(expected);
  });

  it("says of how many mails it has refused so many", () => {
    expect(refusedOfLast(refused(19, 1), 1)).toBeUndefined();
    expect(refusedOfLast(refused(20, 1), 1)).toBe(20);
    expect(refusedOfLast(refused(10, 7, refused(10, 3)), 9)).toBe(26);
  });
});
