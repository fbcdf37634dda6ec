import { describe, expect, it } from "vitest";
import { equalWords } from "../../../../../src/email/policy/refusals/equal-words.ts";
import { mailsOfAWave, type Seen } from "../../../../../src/email/policy/refusals/wave.ts";

const NOW = 1_000_000;

describe("equal words of refusals", () => {
  it.each<[what: string, one: string, other: string]>([
    ["the address", "550 5.1.1 <ada@gd.example>: unknown", "550 5.1.1 <bob@gd.example>: unknown"],
    ["the name before the @", "550 5.1.1 ada is unknown here", "550 5.1.1 bob is unknown here"],
    ["a queue id", "550 no mailbox ada@x - h12si34567.23 - gsmtp", "550 no mailbox bob@x - k9si88123.41 - gsmtp"],
    ["blanks", "550  no\nmailbox", "550 no mailbox"],
    ["lines", "550-5.1.1 no mailbox\n550 5.1.1 here", "550 5.1.1 no mailbox 550 5.1.1 here"],
    ["a time", "550 unknown (30 Nov 2026 10:10:17)", "550 unknown (30 Nov 2026 10:11:02)"],
    ["a time with a zone", "550 unknown 2026-11-30T09:59:59.100+01:00", "550 unknown 2026-11-30T10:00:01.250+01:00"],
    [
      "a server, a time and an id",
      "550 5.4.1 Access denied. [DB5PEPF0001402B.eurprd02.prod.example.com 2026-11-30T10:10:17.359Z 08DDA1B2C3D4E5F6]",
      "550 5.4.1 Access denied. [AM3PEPF0000A797.eurprd04.prod.example.com 2026-11-30T10:10:18.001Z 08DD0A1B2C3D4E5A]",
    ],
    ["a server of letters", "550 mx-a.gd.example: unknown", "550 mx-b.gd.example: unknown"],
    ["a short server", "550 mx1.gd.example: unknown", "550 mx22.gd.example: unknown"],
    ["an IP address", "550 5.1.1 192.0.2.7 is not liked", "550 5.1.1 2001:db8::1 is not liked"],
    ["a score", "550 5.1.1 rejected, score 7.5", "550 5.1.1 rejected, score 12"],
    ["an id of capitals", "550 unknown, ref QWXZKPLMNB", "550 unknown, ref TRPLKWQSDF"],
    ["an id of hexadecimal letters", "550 unknown ref deadbeef", "550 unknown ref cafebabe"],
    ["the number of ids", "550 unknown [a1 b2 c3]", "550 unknown [a1-b2]"],
    ["another case of the name", "550 No such user - ADA", "550 No such user - BOB"],
  ])("differ in %s only", (_, one, other) => {
    expect(equalWords(one, "ada@gd.example")).toBe(equalWords(other, "bob@gd.example"));
  });

  it.each([
    "550 5.1.1 your server has sent to too many recipients",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
    "550 RECIPIENT NOT FOUND",
    "550 sorry, no mailbox here by that name (#5.1.1)",
  ])("keep codes and what was said: %s", (said) => {
    expect(equalWords(said, "ada@gd.example")).toBe(said);
  });

  it.each([
    ["550 5.1.1 unknown", "550 5.1.1 disabled"],
    ["550 5.1.1 unknown", "550 5.2.1 unknown"],
    ["550 unknown", "551 unknown"],
  ])("differ: %s, %s", (one, other) => {
    expect(equalWords(one, "a@x")).not.toBe(equalWords(other, "a@x"));
  });

  it("have no address, and end in linear time", () => {
    expect(equalWords("550 <ada.l+x@gd.example>, ada@other.example", "ada@gd.example")).not.toContain("@");
    expect(equalWords("a1".repeat(200_000), "ada@gd.example").length).toBeLessThanOrEqual(160);
  });
});

describe("a wave", () => {
  const OTHER: Seen = { origin: "cmp_1", at: NOW, isEqual: false, isAlike: false };
  const mails = (equal: number, others: number, at = NOW): Seen[] => [
    ...Array.from({ length: equal }, () => ({ origin: "cmp_1", at, isEqual: true, isAlike: true })),
    ...Array.from({ length: others }, () => ({ ...OTHER, at: NOW - 30_000 })),
  ];
  const asked: Parameters<typeof mailsOfAWave>[1] = { campaign: null, isReport: false, since: NOW - 20_000, now: NOW };

  it.each<[what: string, seen: Seen[], given: Partial<typeof asked>, isOne: boolean]>([
    ["is five in a row within a minute", mails(5, 100), {}, true],
    ["is none with another result among them", [...mails(5, 0), { ...OTHER, origin: null }], {}, false],
    ["is none in more than a minute", mails(5, 100), { since: NOW - 60_001 }, false],
    ["is above a fifth of its campaign there", mails(6, 20), { campaign: "cmp_1", since: 0 }, true],
    ["is none at a fifth of them", mails(5, 20), { campaign: "cmp_1", since: 0 }, false],
    ["is none of fewer than five", mails(4, 0), { campaign: "cmp_1", since: 0 }, false],
    ["is none in the share of another campaign", mails(9, 1), { campaign: "cmp_2", since: 0 }, false],
    ["of reports is none in a row alone", mails(5, 100), { isReport: true }, false],
    ["of reports is above a fifth", mails(6, 20), { isReport: true }, true],
  ])("%s", (_, seen, given, isOne) => {
    expect(mailsOfAWave(seen, { ...asked, ...given }).length > 0).toBe(isOne);
  });

  it("in a row has the answers of the same codes in other words, and older ones only in equal words", () => {
    const alike: Seen[] = Array.from({ length: 5 }, () => ({ ...OTHER, isAlike: true }));
    const older = { ...OTHER, isAlike: true, at: NOW - 30_000 };
    expect(mailsOfAWave([...alike, older, ...mails(1, 9, NOW - 30_000)], asked)).toHaveLength(6);
    expect(mailsOfAWave(alike, { ...asked, campaign: "cmp_1", since: 0 })).toEqual([]);
  });
});
