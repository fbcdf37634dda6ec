import { describe, expect, it } from "vitest";
import { equalWords } from "../../../../../src/email/policy/refusals/equal-words.ts";
import { isWave, type Seen } from "../../../../../src/email/policy/refusals/wave.ts";

const NOW = 1_000_000;

describe("equal words of refusals", () => {
  it.each<[what: string, one: string, other: string]>([
    ["the address", "550 5.1.1 <ada@gd.example>: unknown", "550 5.1.1 <bob@gd.example>: unknown"],
    ["the name before the @", "550 5.1.1 ada is unknown here", "550 5.1.1 bob is unknown here"],
    ["a queue id", "550 no mailbox ada@x - h12si34567.23 - gsmtp", "550 no mailbox bob@x - k9si88123.41 - gsmtp"],
    ["blanks", "550  no\nmailbox", "550 no mailbox"],
  ])("differ in %s only", (_, one, other) => {
    expect(equalWords(one, "ada@gd.example")).toBe(equalWords(other, "bob@gd.example"));
  });

  it("keep codes, an IP address and what was said", () => {
    const said = "550 5.1.1 192.0.2.7 has sent to too many recipients";
    expect(equalWords(said, "ada@gd.example")).toBe(said);
    expect(equalWords("550 5.1.1 unknown", "a@x")).not.toBe(equalWords("550 5.1.1 disabled", "a@x"));
  });

  it("have no address, and end in linear time", () => {
    expect(equalWords("550 <ada.l+x@gd.example>, ada@other.example", "ada@gd.example")).not.toContain("@");
    expect(equalWords("a1".repeat(200_000), "ada@gd.example").length).toBeLessThanOrEqual(160);
  });
});

describe("a wave", () => {
  const mails = (equal: number, others: number, at = NOW): Seen[] => [
    ...Array.from({ length: equal }, () => ({ origin: "cmp_1", at, isEqual: true })),
    ...Array.from({ length: others }, () => ({ origin: "cmp_1", at: NOW - 30_000, isEqual: false })),
  ];
  const asked: Parameters<typeof isWave>[1] = { campaign: null, isReport: false, since: NOW - 20_000, now: NOW };

  it.each<[what: string, seen: Seen[], given: Partial<typeof asked>, isOne: boolean]>([
    ["is five in a row within a minute", mails(5, 100), {}, true],
    ["is none with another result among them", [...mails(5, 0), { origin: null, at: NOW, isEqual: false }], {}, false],
    ["is none in more than a minute", mails(5, 100), { since: NOW - 60_001 }, false],
    ["is above a fifth of its campaign there", mails(6, 20), { campaign: "cmp_1", since: 0 }, true],
    ["is none at a fifth of them", mails(5, 20), { campaign: "cmp_1", since: 0 }, false],
    ["is none of fewer than five", mails(4, 0), { campaign: "cmp_1", since: 0 }, false],
    ["is none in the share of another campaign", mails(9, 1), { campaign: "cmp_2", since: 0 }, false],
    ["of reports is none in a row alone", mails(5, 100), { isReport: true }, false],
    ["of reports is above a fifth", mails(6, 20), { isReport: true }, true],
  ])("%s", (_, seen, given, isOne) => {
    expect(isWave(seen, { ...asked, ...given })).toBe(isOne);
  });
});
