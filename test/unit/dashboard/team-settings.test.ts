import { describe, expect, it } from "vitest";
import {
  changesIn as changesOfKept,
  conflictsIn,
  isUnseen,
  type Kept,
  keptWith,
  keptWithout,
  refusalOf,
  shownValue as shownOf,
} from "../../../src/dashboard/app/pages/team/draft.ts";
import {
  domainInForce,
  senderInWords,
  senderStateInWords,
} from "../../../src/dashboard/app/pages/team/sender-words.ts";
import { FIELDS, type Field, SECTIONS, type Settings } from "../../../src/dashboard/app/pages/team/setting-fields.ts";
import { bytesOf, isPartial, sumOf } from "../../../src/dashboard/app/pages/team/sums.ts";
import { changes } from "../../../src/lib/contract/admin/email/team/settings.ts";

const settings: Settings = {
  fromName: "Acme",
  fromEmail: null,
  replyToEmail: null,
  noticeEmail: null,
  footer: null,
  name: "Acme",
  timeZone: "UTC",
  brandColor: null,
  logo: null,
  postalAddress: null,
  tracking: true,
  doubleOptIn: false,
  createProperties: false,
  attachments: false,
  sendPerSecond: null,
  sendPerHour: 500,
  sendPerDay: null,
};

type Typed = Partial<Record<keyof Settings, string | boolean>>;

const typed = (over: Settings, texts: Typed): Kept =>
  Object.entries(texts).reduce<Kept>((kept, [name, now]) => keptWith(kept, over, name as keyof Settings, now), {});

const field = (name: keyof Settings) => FIELDS.find((one) => one.name === name) as Field;
const changesIn = (stored: Settings, texts: Typed) => changesOfKept(stored, typed(stored, texts));
const shownValue = (stored: Settings, texts: Typed, name: keyof Settings) =>
  shownOf(stored, typed(stored, texts), field(name));

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
      tracking: false,
      sendPerHour: null,
      sendPerDay: 1_000,
    });
    expect(changesIn(settings, { postalAddress: "Acme\n1 Road\n" })).toEqual({ postalAddress: "Acme\n1 Road" });
    expect(changesIn(settings, { fromName: " ", fromEmail: "hello ", replyToEmail: "" })).toEqual({
      fromName: null,
      fromEmail: "hello",
    });
  });

  it("are sent as they were typed where they are wrong, so that the service says why", () => {
    expect(changesIn(settings, { sendPerHour: "many", name: " " })).toEqual({ sendPerHour: "many", name: "" });
  });
});

describe("a number", () => {
  it.each(["1,000", "1.000", "1 000", "1'000", "1’000", "1\u00a0000", " 1\u202f000 "])(
    "may have its thousands apart: %s",
    (text) => {
      expect(changesIn(settings, { sendPerDay: text })).toEqual({ sendPerDay: 1_000 });
    },
  );

  it("of more thousands has one sign between them, and three digits after each", () => {
    expect(changesIn(settings, { sendPerDay: "12,345,678" })).toEqual({ sendPerDay: 12_345_678 });
    for (const text of ["1,5", "1,000.000", "1,00", "1000,000", "-1,000", "1,,000"])
      expect(changesIn(settings, { sendPerDay: text }), text).toEqual({ sendPerDay: text });
  });
});

describe("settings that two people change", () => {
  const kept = typed(settings, { name: "Acme Ltd", sendPerHour: "600", tracking: false });
  const names = (stored: Settings, of: Kept) => conflictsIn(stored, of).map(({ name }) => name);

  it("conflict only in a field that both have changed, and differently", () => {
    expect(names(settings, kept)).toEqual([]);
    expect(names({ ...settings, footer: "Theirs" }, kept)).toEqual([]);
    expect(names({ ...settings, sendPerHour: 700 }, kept)).toEqual(["sendPerHour"]);
    expect(names({ ...settings, sendPerHour: 600 }, kept)).toEqual([]);
    expect(changesOfKept({ ...settings, footer: "Theirs", sendPerHour: 600 }, kept)).toEqual({
      name: "Acme Ltd",
      tracking: false,
    });
  });

  it("are not saved before the person has seen what the other one saved, at each of their saves", () => {
    const theirs = { ...settings, sendPerHour: 700 };
    expect(isUnseen(settings, settings, kept)).toBe(false);
    expect(isUnseen(settings, { ...settings, footer: "Theirs" }, kept)).toBe(false);
    expect(isUnseen(settings, theirs, kept)).toBe(true);
    expect(isUnseen(theirs, theirs, kept)).toBe(false);
    expect(isUnseen(theirs, { ...theirs, sendPerHour: 800 }, kept)).toBe(true);
  });

  it("keep what was stored when the person began, until that person takes theirs", () => {
    const theirs = { ...settings, sendPerHour: 700 };
    const more = keptWith(kept, theirs, "sendPerHour", "650");
    expect(names(theirs, more)).toEqual(["sendPerHour"]);
    const taken = keptWithout(more, conflictsIn(theirs, more));
    expect(names(theirs, taken)).toEqual([]);
    expect(changesOfKept(theirs, taken)).toEqual({ name: "Acme Ltd", tracking: false });
    expect(shownOf(theirs, taken, field("sendPerHour"))).toBe("700");
  });

  it("show what the other one saved where the person took the change back", () => {
    const back = keptWith(kept, settings, "sendPerHour", "500");
    expect(shownOf({ ...settings, sendPerHour: 700 }, back, field("sendPerHour"))).toBe("700");
    expect(changesOfKept({ ...settings, sendPerHour: 700 }, back)).toEqual({ name: "Acme Ltd", tracking: false });
    expect(shownOf(settings, keptWith({}, settings, "name", "Acme "), field("name"))).toBe("Acme ");
  });
});

describe("a refusal", () => {
  it("has the words of the form at the field that it names", () => {
    const refusal = refusalOf("sendPerHour", "sendPerHour: must be a whole number from 1 to 9, or null for no limit.");
    expect(refusal?.field.label).toBe("Most mails in an hour");
    expect(refusal?.text).toBe("Must be a whole number from 1 to 9, or empty for no limit.");
    expect(refusalOf(undefined, "No.")).toBeUndefined();
    expect(refusalOf("team", "team: is unknown.")).toBeUndefined();
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
    expect(senderStateInWords("Marketing mail", { sender: "smtp", title: "SMTP", why: null })).toBe(
      "Marketing mail leaves over SMTP.",
    );
    expect(
      senderStateInWords("Marketing mail", { sender: "ses", title: "Amazon SES", why: "PUBLIC_URL is not set" }),
    ).toBe("Marketing mail is not sent: PUBLIC_URL is not set.");
    expect(senderStateInWords("Mail", { sender: null, title: null, why: null })).toBe(
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
    expect(sumOf(mails, now, 1, "UTC")).toEqual({ transactional: 1, marketing: 10 });
    expect(sumOf(mails, now, 7, "UTC")).toEqual({ transactional: 3, marketing: 10 });
    expect(sumOf(mails, now, 30, "UTC")).toEqual({ transactional: 15, marketing: 10 });
    expect(sumOf([], now, 30, "UTC")).toEqual({ transactional: 0, marketing: 0 });
  });

  it("has today in the team's time zone", () => {
    const late = Date.UTC(2026, 0, 31, 23, 30);
    expect(sumOf(mails, late, 1, "Europe/Berlin")).toEqual({ transactional: 0, marketing: 0 });
    expect(sumOf(mails, Date.UTC(2026, 1, 1, 3), 1, "America/New_York")).toEqual({ transactional: 1, marketing: 10 });
    expect(isPartial("2026-01-01T23:00:00.000Z", now, 30, "Europe/Berlin")).toBe(false);
    expect(isPartial("2026-01-02T23:00:00.000Z", now, 30, "Europe/Berlin")).toBe(true);
  });

  it("is partial where the count began later", () => {
    expect(isPartial("2026-01-02T00:00:00.000Z", now, 30, "UTC")).toBe(false);
    expect(isPartial("2026-01-03T00:00:00.000Z", now, 30, "UTC")).toBe(true);
    expect(isPartial("2026-01-31T00:00:00.000Z", now, 1, "UTC")).toBe(false);
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
