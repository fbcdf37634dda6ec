import { expect, it } from "vitest";
import type { Admin } from "../../../scripts/domains/api.ts";
import { run } from "../../../scripts/domains/run.ts";
import { DOMAINS } from "../../../scripts/domains/usage.ts";
import { parse } from "../../../scripts/lib/command.ts";

const NAME = "mail.example.com";

const told = async (line: string[], reports: object): Promise<{ text: string; asked: string[] }> => {
  const asked: string[] = [];
  const admin: Admin = async (method, path) => {
    asked.push(`${method} ${path}`);
    return path === "/domains" ? { data: [{ id: "dom_1", name: NAME }] } : reports;
  };
  const printed: string[] = [];
  const world = { admin, print: (text: string) => void printed.push(text), sleep: async () => {} };
  expect(await run(parse(DOMAINS, line), world)).toBe(true);
  return { text: printed.join("\n"), asked };
};

const day = (date: string, source: string, mails: number, changes: object = {}) => ({
  day: date,
  source,
  dkim: true,
  spf: true,
  disposition: "none",
  mails,
  ...changes,
});
const address = "dmarc+acme_0_x@envelope.mail.example.com";

it("shows the DMARC reports of a domain in a sentence, and their sums by source and result, failures first", async () => {
  const failing = { dkim: false, spf: false, disposition: "reject" };
  const days = [
    day("2026-11-20", "192.0.2.1", 1_200),
    day("2026-11-19", "192.0.2.1", 800),
    day("2026-11-20", "198.51.100.9", 7, failing),
    day("2026-11-18", "198.51.100.9", 5, failing),
    day("2026-11-20", "192.0.2.1", 3, { spf: false }),
  ];
  const { text, asked } = await told(["reports", NAME], { domain: NAME, address, message: "12 mails failed.", days });
  expect(asked).toEqual(["GET /domains", "GET /domains/dom_1/reports"]);
  expect(text.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
    "12 mails failed.",
    "",
    "source | mails | DKIM | SPF | done with it | first | last",
    expect.stringMatching(/^─/),
    "198.51.100.9 | 12 | fail | fail | refused | 2026-11-18 | 2026-11-20",
    "192.0.2.1 | 2,000 | pass | pass | delivered | 2026-11-19 | 2026-11-20",
    "192.0.2.1 | 3 | pass | fail | delivered | 2026-11-20 | 2026-11-20",
    "",
    `Receivers send reports to the address in the DMARC record: rua=mailto:${address}`,
  ]);
});

it("shows at most forty sources, and says how many are left", async () => {
  const days = Array.from({ length: 45 }, (_, n) => day("2026-11-20", `192.0.2.${n}`, n + 1));
  const { text } = await told(["reports", NAME], { domain: NAME, address: null, message: "All passed.", days });
  expect(text.match(/^192\.0\.2\./gm)).toHaveLength(40);
  expect(text).toContain("192.0.2.44 ");
  expect(text.endsWith("\n\n5 more sources are not shown.")).toBe(true);
});

it("says where reports have to go while none has come", async () => {
  const message = "No DMARC report has come in the last 30 days.";
  const { text } = await told(["reports", NAME], { domain: NAME, address, message, days: [] });
  expect(text).toBe(`${message}\n\nReceivers send reports to the address in the DMARC record: rua=mailto:${address}`);
});
