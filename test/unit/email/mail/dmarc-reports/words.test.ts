import { expect, it } from "vitest";
import { sayLosses, sayReports } from "../../../../../src/email/workspace/domains/dmarc-words.ts";

const row = (day: string, mails: number, result = {}) => ({
  day,
  source: "192.0.2.1",
  dkim: true,
  spf: true,
  disposition: "none" as const,
  mails,
  ...result,
});
const FAILED = { dkim: false, spf: false };

it.each([
  ["no report", [], "No DMARC report has come in the last 30 days."],
  ["all passes", [row("2026-11-20", 40), row("2026-11-21", 2)], "All 42 mails in the reports passed DMARC."],
  [
    "SPF fails",
    [row("2026-11-20", 40), row("2026-11-21", 2, { spf: false })],
    "All 42 mails in the reports passed DMARC. SPF did not pass for 2 of them since 2026-11-21; DKIM is enough.",
  ],
  [
    "DKIM fails",
    [row("2026-11-20", 40), row("2026-11-21", 2, { dkim: false })],
    "2 mails of 42 passed DMARC by SPF only since 2026-11-21: DKIM failed, so forwarding breaks them. All came from 192.0.2.1.",
  ],
  [
    "both fail, at two sources",
    [
      row("2026-11-22", 40),
      row("2026-11-22", 1, { ...FAILED, source: "192.0.2.2", disposition: "reject" }),
      row("2026-11-19", 3, { ...FAILED, source: "192.0.2.3", disposition: "quarantine" }),
    ],
    "4 mails of 44 failed DMARC since 2026-11-19: neither DKIM nor SPF of this domain passed. 1 refused, 3 put into spam. Most came from 192.0.2.3 (3).",
  ],
])("a sentence says what fails and since when: %s", (_, rows, words) => {
  expect(sayReports(rows)).toBe(words);
});

it("names what is missing", () => {
  expect(sayLosses({ cut: 0 })).toEqual([]);
  expect(sayLosses({ cut: 2, unread: { day: "2026-11-20", why: "its file is damaged" } })).toEqual([
    "2 reports were too large: only the beginning counts.",
    "The last mail with a file that could not be read came on 2026-11-20: its file is damaged.",
  ]);
});
