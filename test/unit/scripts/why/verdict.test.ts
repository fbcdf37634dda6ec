import { describe, expect, test } from "vitest";
import type { Call, Found, Webhook } from "../../../../scripts/why/ask.ts";
import type { Place } from "../../../../scripts/why/cures.ts";
import { print } from "../../../../scripts/why/print.ts";
import { verdictOf } from "../../../../scripts/why/verdict.ts";

const place: Place = { options: "", isDeployed: false, sources: {} };
const call = (more: Partial<Call> = {}): Call => ({
  ...{ id: "wh_1.0", rule: "receipt", action: "transactional", template: "receipt", state: "done", why: "done." },
  ...{ contact: { email: "ada@example.com" }, attempts: [], ...more },
});
const webhook = (calls: Call[], more: Partial<Webhook> = {}): Webhook => ({
  ...{ id: "wh_1", acceptedAt: "2026-01-31T12:00:00.000Z", source: "stripe", type: "paid", eventId: "evt_1" },
  ...{ test: false, why: "It made 1 call.", outcomes: [], calls, ...more },
});
const found = (more: Partial<Found> = {}): Found => ({
  ...{ person: "ada@example.com", kind: "person", webhooks: [webhook([call()])], more: false, searchedTo: null },
  ...{ suppression: { known: true, isSuppressed: false, contact: { email: "ada@example.com" } }, waiting: [] },
  ...{ refused: [], status: { delivery: "running", paused: { all: null, sources: {} } }, ...more },
});
const textsOf = (one: Found) => verdictOf(one, place).map(({ text }) => text);

describe("the verdict", () => {
  test("of a sent mail is its sentence alone", () => {
    expect(verdictOf(found(), place)).toEqual([{ text: 'Latest, stripe paid: the mail "receipt": done.' }]);
  });

  test("says that suppression is unknown if a mail was sent to an address without a contact", () => {
    const unknown = { known: false, isSuppressed: false, contact: null };
    expect(textsOf(found({ suppression: unknown }))[1]).toMatch(/^Unknown if email to this address is suppressed/);
    const dead = [webhook([call({ state: "dead" })])];
    expect(textsOf(found({ suppression: unknown, webhooks: dead }))).toHaveLength(1);
  });

  test("without a webhook names what the door refused, also where no source has that name", () => {
    const refused = [
      { source: "(unknown)", code: "unknown_source", count: 2 },
      { source: "stripe", code: "missing_signature", count: 1 },
    ];
    expect(textsOf(found({ webhooks: [], refused, searchedTo: "2026-01-24T12:00:00.000Z" })).slice(0, 4)).toEqual([
      "No webhook names ada@example.com.",
      "Check at the provider if it sent a webhook, and to which URL.",
      "In this time the door refused 2 webhooks to a source that does not exist (unknown_source). One of them may have been for this person.",
      "In this time the door refused 1 webhook to stripe (missing_signature). One of them may have been for this person.",
    ]);
  });

  test("names a suppressed address by its contact, with the cure", () => {
    const suppression = { known: true, isSuppressed: true, contact: { email: "ada@example.com" } };
    const [first] = verdictOf(found({ person: "wh_1", kind: "webhook", suppression }), place);
    expect(first?.text).toMatch(/^Suppressed: ada@example\.com is on the suppression list/);
    expect(first?.cure).toBe("If the address is good: npm run act -- unsuppress ada@example.com");
  });

  test("has the cure of the most important call, not of one that only names the person", () => {
    const dead = call({ state: "dead", message: "no", attempts: [{ status: 400 }], why: "refused." });
    const [first] = verdictOf(found({ webhooks: [webhook([dead])] }), place);
    expect(first?.cure).toContain("npm run act -- retry wh_1.0");
    const [named] = verdictOf(found({ webhooks: [webhook([dead], { onlyNamed: true })] }), place);
    expect(named).toEqual({
      text: "Latest, stripe paid: its body names this person, but its calls (1) are for other people.",
    });
  });

  test("is printed with each cure under its trouble", () => {
    const dead = call({ state: "skipped", message: "too old: x", why: "skipped: too old: x" });
    expect(print(found({ webhooks: [webhook([dead])] }), place)).toBe(
      `ada@example.com: 1 webhook

→ Latest, stripe paid: the mail "receipt": skipped: too old: x
  To do: To send it all the same: npm run act -- send-again wh_1.0 --yes

2026-01-31 12:00:00  stripe  paid  wh_1
  .0 the mail "receipt" of "receipt": skipped: too old: x
     To do: To send it all the same: npm run act -- send-again wh_1.0 --yes`,
    );
  });
});
