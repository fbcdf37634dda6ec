import { describe, expect, it } from "vitest";
import { changesIn, SECTIONS, type Settings, shownValue } from "../../../src/dashboard/app/pages/team/fields.ts";
import { bytesOf, isPartial, sumOf } from "../../../src/dashboard/app/pages/team/sums.ts";
import { domainInForce, senderInWords, senderStateInWords } from "../../../src/dashboard/app/pages/team/words.ts";
import { changes } from "../../../src/lib/contract/admin/email/team/settings.ts";

const settings: Settings = {
  ...{ fromName: "Acme", fromEmail: null, replyToEmail: null, footer: null },
  ...{ name: "Acme", postalAddress: null, tracking: true, doubleOptIn: false, createProperties: false },
  ...{ attachments: false, sendPerSecond: null, sendPerHour: 500, sendPerDay: null },
};

describe("the settings of a team", () => {
  it("are shown as they are, or as a person has changed them", () => {
    expect(shownValue(settings, {}, "postalAddress")).toBe("");
    expect(shownValue(settings, {}, "sendPerHour")).toBe("500");
    expect(shownValue(settings, { sendPerHour: "" }, "sendPerHour")).toBe("");
    expect(shownValue(settings, { tracking: false }, "tracking")).toBe(false);
  });

  it("are sent where they differ, each as what it stands for", () => {
    expect(changesIn(settings, {})).toEqual({});
    expect(changesIn(settings, { name: "Acme ", tracking: true, sendPerHour: "500", postalAddress: "" })).toEqual({});
    expect(changesIn(settings, { tracking: false, sendPerHour: "", sendPerDay: " 1000 " })).toEqual({
      ...{ tracking: false, sendPerHour: null, sendPerDay: 1_000 },
    });
    expect(changesIn(settings, { postalAddress: "Acme\n1 Road\n" })).toEqual({ postalAddress: "Acme\n1 Road" });
    expect(changesIn(settings, { fromName: " ", fromEmail: "hello ", replyToEmail: "" })).toEqual({
      ...{ fromName: null, fromEmail: "hello" },
    });
  });

  it("are sent as they were typed where they are wrong, so that the service says why", () => {
    expect(changesIn(settings, { sendPerHour: "many", name: " " })).toEqual({ sendPerHour: "many", name: "" });
  });
});

describe("what is in force", () => {
  it("is asked of every setting that can be changed, each with a sentence that says what it does", () => {
    const fields = SECTIONS.flatMap((section) => section.fields);
    expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(changes).toSorted());
    for (const { hint } of fields) expect(hint).toMatch(/^[A-Z].*\.$/);
  });

  it("says whom a message without a sender comes from", () => {
    const sender = { fromName: "Acme", fromEmail: "hello", replyToEmail: null };
    expect(senderInWords(sender, "mail.acme.example")).toBe(
      "A message without a sender of its own comes from Acme <hello@mail.acme.example>. Replies go there too.",
    );
    expect(senderInWords({ ...sender, replyToEmail: "help@acme.example" }, undefined)).toBe(
      "A message without a sender of its own comes from Acme <hello@…>. Replies go to help@acme.example.",
    );
    expect(senderInWords({ ...sender, fromName: null, fromEmail: null }, undefined)).toBe(
      "The team has no sender's name and no sender's address: each message needs its own.",
    );
    expect(senderInWords({ ...sender, fromName: null }, undefined)).toContain("no sender's name: each");
  });

  it("has the domain that mail leaves from: the default one while it can be used, else that of the local inbox", () => {
    const domain = (state: "pending" | "verified" | "warning" | "failing") => [
      { name: "other.example", isDefault: false, state: "verified" as const },
      { name: "acme.example", isDefault: true, state },
    ];
    const inbox = { sender: "inbox", mailDomain: "mail.test" };
    for (const state of ["verified", "warning"] as const)
      expect(domainInForce(domain(state), inbox)).toBe("acme.example");
    for (const state of ["pending", "failing"] as const) {
      expect(domainInForce(domain(state), inbox)).toBe("mail.test");
      expect(domainInForce(domain(state), { ...inbox, sender: "smtp" })).toBeUndefined();
    }
  });

  it("says by what mail leaves, or what keeps it", () => {
    expect(senderStateInWords("Marketing mail", { sender: "smtp", why: null })).toBe(
      "Marketing mail leaves over SMTP.",
    );
    expect(senderStateInWords("Marketing mail", { sender: "ses", why: "PUBLIC_URL is not set" })).toBe(
      "Marketing mail is not sent: PUBLIC_URL is not set.",
    );
    expect(senderStateInWords("Mail", { sender: null, why: null })).toBe(
      "Mail cannot be sent: no sender is configured.",
    );
  });
});

describe("the usage of a team", () => {
  const now = Date.UTC(2026, 0, 31, 12);
  const mails = [
    { day: "2026-01-31", transactional: 1, marketing: 10 },
    { day: "2026-01-25", transactional: 2, marketing: 0 },
    { day: "2026-01-24", transactional: 4, marketing: 0 },
    { day: "2026-01-02", transactional: 8, marketing: 0 },
  ];

  it("is added up for days of UTC, today is one of them", () => {
    expect(sumOf(mails, now, 1)).toEqual({ transactional: 1, marketing: 10 });
    expect(sumOf(mails, now, 7)).toEqual({ transactional: 3, marketing: 10 });
    expect(sumOf(mails, now, 30)).toEqual({ transactional: 15, marketing: 10 });
    expect(sumOf([], now, 30)).toEqual({ transactional: 0, marketing: 0 });
  });

  it("is partial where the count began later", () => {
    expect(isPartial("2026-01-02T00:00:00.000Z", now, 30)).toBe(false);
    expect(isPartial("2026-01-03T00:00:00.000Z", now, 30)).toBe(true);
    expect(isPartial("2026-01-31T00:00:00.000Z", now, 1)).toBe(false);
  });

  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1_400, "1.4 kB"],
    [14_200_000, "14 MB"],
    [10_000_000_000, "10 GB"],
    [9_960, "10 kB"],
  ])("has %i bytes as %s", (bytes, text) => expect(bytesOf(bytes)).toBe(text));
});
