import { expect, it } from "vitest";
import { mailFaults } from "../../../../../src/email/policy/readiness/faults.ts";

it("an empty mail is named by its fields, with what to set", () => {
  const fix = "is required to publish";
  const errors = ["subject", "fromName", "fromEmail", "lmx:1:1"].map((field) => ({ field, fix }));
  const faults = mailFaults({ subject: "", errors, unfilled: [], warnings: [] });
  expect(faults.map(({ path, message }) => [path, message])).toEqual([
    ["subject", "The mail has no subject. Give it one."],
    [
      "fromName",
      "The mail without a subject has no name of its sender. Set the field fromName of the message, or of the team.",
    ],
    [
      "fromEmail",
      "The mail without a subject has no address of its sender. Set the field fromEmail of the message, or of the team.",
    ],
    ["lmx", "The mail without a subject has no content. Set the field lmx of the message."],
  ]);
});
