import { expect, it } from "vitest";
import { findingWords } from "../../../src/dashboard/app/parts/finding-words.ts";
import { readinessOf } from "../../../src/email/campaigns/readiness.ts";

const MISSING = "is required to publish";
const begun = { id: "cmp_1", name: "Winter", startedAt: 0 };

/** What the service says of a campaign that lacks everything. */
const findings = () => {
  const mail = {
    subject: 'Say "hi": now',
    errors: [
      ...["fromName", "fromEmail"].map((field) => ({ field, fix: MISSING })),
      ...[
        { field: "lmx:1:1", fix: MISSING },
        { field: "lmx:12:3", fix: "close the tag" },
        { field: "replyToEmail", fix: "is no address" },
      ],
    ],
    unfilled: ["contact.plan"],
    warnings: [{ field: "previewText", fix: "give it one" }],
  };
  const team = {
    ...{
      mail,
      segmentOf: () => undefined,
      listFault: undefined,
      obstacles: [],
      hasPostalAddress: false,
      recipients: 0,
    },
    ...{ recent: begun, same: undefined },
  };
  const campaign = { list: null, segment: null, segmentFilter: null, filter: null, scheduledAt: 1 };
  const { problems, warnings } = readinessOf(campaign, team as never, 2);
  return [...problems, ...warnings];
};

it("what a launch lacks is said with the names that the page has, and none of the API", () => {
  const said = findings().map(findingWords);
  expect(said.join("\n")).not.toMatch(
    /\b(fromName|fromEmail|replyToEmail|previewText|lmx|postalAddress|negate|method)\b|Fallbacks/,
  );
  const began = new Date(1).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  expect(said.slice(0, 6)).toEqual([
    'The mail "Say "hi": now" has no name of its sender. Give it at "Sender\'s name" of the mail, or in the settings of the team.',
    'The mail "Say "hi": now" has no address of its sender. Give it at "Sender\'s address" of the mail, or in the settings of the team.',
    'The mail "Say "hi": now" has no content. Write it on the page of the mail.',
    'The mail "Say "hi": now": Content, line 12: close the tag.',
    'The mail "Say "hi": now": Replies to: is no address.',
    `The campaign was to start at ${began}, which has passed. Give it another time, or "At its launch".`,
  ]);
});

it("a sentence of another code, and one that has other words by now, stay as they are", () => {
  for (const code of ["no_recipients", "mail_not_ready", "no_postal_address"])
    expect(findingWords({ code, message: "Something else." })).toBe("Something else.");
  const message = 'The audienceFilter has a condition that cannot be checked. There is no property "gone".';
  expect(findingWords({ code: "unknown_property", message })).toBe(
    'One of the conditions of the campaign cannot be checked. There is no property "gone".',
  );
});
