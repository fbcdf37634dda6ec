import { describe, expect, test } from "vitest";
import { table } from "../../../../scripts/check/print.ts";
import { textOf } from "../../../../scripts/check/problem.ts";
import { checkRecipients } from "../../../../scripts/check/recipients.ts";
import { recipientsOf } from "../../../../src/outbox/model/recipients.ts";
import { checkAll, fixture, good, PAID, sourceOf, useFolder } from "./setup.ts";

useFolder();

const problemsOf = (IGNORED_RECIPIENTS: string, ALLOWED_RECIPIENTS = "") =>
  checkRecipients(recipientsOf({ IGNORED_RECIPIENTS, ALLOWED_RECIPIENTS })).map(
    (problem) => `${problem.level}: ${textOf(problem)}`,
  );

describe("lists of recipients", () => {
  test("of addresses and domains have no problem, and a domain needs no @", () => {
    expect(problemsOf("@mycompany.example, Jo@Example.com mycompany.example", "a.b+c@sub.example.co.uk")).toEqual([]);
    expect(problemsOf("")).toEqual([]);
  });

  test.each([
    ["*@mycompany.com", '"@mycompany.com"'],
    ["*.mycompany.com", '"@mycompany.com"'],
    ["jo@", '"@example.com"'],
    ["mycompany", '"@example.com"'],
    ["jo@@mycompany.com", '"@mycompany.com"'],
  ])("with %s, which matches no person, are an error that says how to write it", (entry, like) => {
    const [problem, ...more] = problemsOf(entry);
    expect(problem).toMatch(/^error: IGNORED_RECIPIENTS in wrangler\.toml has ".+", which is no address and no domain/);
    expect(problem).toContain(`a domain as ${like}`);
    expect(more).toEqual([]);
    expect(problemsOf("", entry)[0]).toMatch(/^error: ALLOWED_RECIPIENTS /);
  });

  test("with the same entry twice are a note", () => {
    expect(problemsOf("@mycompany.com", "@mycompany.com @other.example")).toEqual([
      'note: "@mycompany.com" is in ALLOWED_RECIPIENTS and in IGNORED_RECIPIENTS of wrangler.toml: it is ignored',
    ]);
  });

  test("mark the deliveries of the table that would be skipped", async () => {
    fixture("invoice.paid", PAID);
    const [{ runs } = { runs: [] }] = await checkAll({ generic: sourceOf([good]) });
    const line = '  invoice.paid\n    paid  contact  ada@example.com  plan="Pro"';
    expect(table(runs, false, recipientsOf({ IGNORED_RECIPIENTS: "bot@example.com" }))).toBe(line);
    expect(table(runs, false, recipientsOf({ IGNORED_RECIPIENTS: "@example.com" }))).toBe(
      `${line}  skipped: IGNORED_RECIPIENTS contains this person's address.`,
    );
  });
});
