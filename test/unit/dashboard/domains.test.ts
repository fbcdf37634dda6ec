import { describe, expect, it } from "vitest";
import { differenceOf } from "../../../src/dashboard/app/pages/domains/difference.ts";
import {
  type Domain,
  isCheckDue,
  meaningOf,
  recordsInWords,
  stateOfRecord,
  warmupInWords,
} from "../../../src/dashboard/app/pages/domains/domain-words.ts";

const marked = (wanted: string, found: string): [string, string] => {
  const sides = differenceOf(wanted, found);
  const text = (side: "wanted" | "found") =>
    sides[side].map((piece) => (piece.differs ? `[${piece.text}]` : piece.text)).join("");
  return [text("wanted"), text("found")];
};

describe("a record beside what was found", () => {
  it.each([
    ["v=DMARC1; p=none;", "v=DMARC1; p=none;", "v=DMARC1; p=none;", "v=DMARC1; p=none;"],
    ["v=spf1 include:a.com ~all", "v=spf1 ~all", "v=spf1 [include:a.com ]~all", "v=spf1 ~all"],
    [
      "v=spf1 include:a.com ~all",
      "v=spf1 include:b.com include:a.com -all",
      "v=spf1 include:a.com [~]all",
      "v=spf1 [include:b.com ]include:a.com [-]all",
    ],
    ["v=DKIM1; p=AAAABBBB", "v=DKIM1; p=AAAACBBB", "v=DKIM1; p=AAAA[B]BBB", "v=DKIM1; p=AAAA[C]BBB"],
    ["v=DKIM1; p=AAAABBBB", "v=DKIM1; p=AAAA", "v=DKIM1; p=AAAA[BBBB]", "v=DKIM1; p=AAAA"],
    ["v=DKIM1; p=A", '"v=DKIM1; p=A"', "v=DKIM1; p=A", '["]v=DKIM1; p=A["]'],
    ["10 mx.a.com", "20 mx.b.com", "[1]0 mx.[a].com", "[2]0 mx.[b].com"],
    ["", "x", "", "[x]"],
  ])("has its difference marked: %s and %s", (wanted, found, one, other) => {
    expect(marked(wanted, found)).toEqual([one, other]);
  });

  it("keeps every character of both, whatever they are", () => {
    for (const [wanted, found] of [
      ["a;b ; c", " a b;;c "],
      ["v=spf1  a", "v=spf1 b  a"],
      ["x".repeat(400), "x".repeat(399)],
    ] as const) {
      const { wanted: a, found: b } = differenceOf(wanted, found);
      expect(a.map(({ text }) => text).join("")).toBe(wanted);
      expect(b.map(({ text }) => text).join("")).toBe(found);
    }
  });
});

const pending = { state: "pending", nextCheckAt: "2026-01-31T12:05:00.000Z" } as const;

describe("the state of a record", () => {
  it("is pending while the records of a new domain are looked for, and missing after that", () => {
    expect(stateOfRecord({ status: "missing", found: [] }, pending)).toBe("pending");
    expect(stateOfRecord({ status: "missing", found: [] }, { ...pending, nextCheckAt: null })).toBe("missing");
    expect(stateOfRecord({ status: "missing", found: [] }, { ...pending, state: "warning" })).toBe("missing");
  });

  it("tells a wrong one from several in conflict, and from an answer that did not come", () => {
    expect(stateOfRecord({ status: "right", found: ["a"] }, pending)).toBe("found");
    expect(stateOfRecord({ status: "wrong", found: ["a"] }, pending)).toBe("differs");
    expect(stateOfRecord({ status: "wrong", found: ["a", "b"] }, pending)).toBe("conflict");
    expect(stateOfRecord({ status: "unknown", found: [] }, pending)).toBe("no answer");
    expect(stateOfRecord({ status: "unchecked", found: [] }, pending)).toBe("not checked");
  });
});

type Records = Domain["records"];
const record = (status: Records[number]["status"], required = true) => ({ status, required }) as Records[number];

describe("a domain", () => {
  const now = Date.parse("2026-01-31T12:00:00Z");
  const checkedAt = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString();

  it("is checked again by an open page five minutes after its last check, while something is not right", () => {
    const keys: Domain["keys"] = [];
    const open = { records: [record("missing")], keys };
    expect(isCheckDue({ ...open, checkedAt: null }, now)).toBe(true);
    expect(isCheckDue({ ...open, checkedAt: checkedAt(4) }, now)).toBe(false);
    expect(isCheckDue({ ...open, checkedAt: checkedAt(5) }, now)).toBe(true);
    const right = { records: [record("right"), record("missing", false)], checkedAt: checkedAt(60) };
    expect(isCheckDue({ ...right, keys }, now)).toBe(false);
    const next = { selector: "m2", state: "next" as const, createdAt: checkedAt(60), retiredAt: null };
    expect(isCheckDue({ ...right, keys: [next] }, now)).toBe(true);
  });

  it("says how many of its records are not right, and what its state means", () => {
    expect(recordsInWords({ records: [record("right"), record("missing", false)] })).toBe("1 needed record, all right");
    expect(recordsInWords({ records: [record("right"), record("wrong")] })).toBe("1 of 2 needed is not right");
    expect(meaningOf({ state: "verified", nextCheckAt: null })).toContain("Mail is sent");
    expect(meaningOf(pending)).toContain("Enter the records");
    expect(meaningOf({ ...pending, nextCheckAt: null })).toContain("checks have ended");
    expect(meaningOf({ state: "failing", nextCheckAt: null })).toContain("No mail");
  });

  it("says how far its warm-up is", () => {
    expect(warmupInWords({ warmup: null })).toBeUndefined();
    const warmup = { day: 2, cap: 1_000, marketing: 300, transactional: 50, capsTransactional: false };
    expect(warmupInWords({ warmup })).toBe(
      "Day 2 of its warm-up: 300 of at most 1,000 mails left today. Marketing mail waits beyond that.",
    );
    expect(warmupInWords({ warmup: { ...warmup, capsTransactional: true } })).toContain("350 of at most");
  });
});
