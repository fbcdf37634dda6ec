import { expect, it } from "vitest";
import { causeInWords } from "../../../../../src/email/policy/refusals/causes.ts";
import { threadTime } from "../../../../thread-time.ts";

it.each([
  ["554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using bl.spamcop.net", /on a blocklist.*removal/],
  ["550 5.1.1 <…>: Mail from 192.0.2.7 refused, listed at bl.example.net", /on a blocklist/],
  ["450 4.7.1 Error: too many messages from 192.0.2.7", /more mail came in a time.*fewer mails/],
  ["452 4.3.1 Rate limit for the sender reached", /more mail came in a time/],
  ["550 5.7.1 Fix reverse DNS for 192.0.2.7", /no right name in the DNS.*PTR record/],
  ["504 5.5.2 <localhost>: HELO command rejected: need fully-qualified hostname", /no right name in the DNS/],
  ["550 5.7.1 Email rejected per DMARC policy for acme.example", /^It means that DMARC failed.*Publish the records/],
  ["550 5.7.1 SPF check failed", /SPF or DKIM did not pass/],
  ["550 5.7.1 This message scored 11 points: spam", /taken for spam/],
  ["553 5.1.8 <…>... Domain of sender address does not exist", /address of the sender.*MX or A record/],
  ["550-Verification failed for <…> 550 Sender verify failed", /address of the sender/],
  [
    "550 5.1.1 <…> - 192.0.2.7 has sent to too many recipients within this hour",
    /^GoDaddy refused it by its rule IB607/,
  ],
])("the cause and the cure of a refusal: %s", (words, expected) => {
  expect(causeInWords(words)).toMatch(expected);
  expect(causeInWords(words)).toMatch(/: .+\. [A-Z]|It means that .+\. [A-Z]/);
});

it.each(["554 no", "550 5.7.1 denied", "421 4.3.2 closing", "552 5.3.4 Message size limit exceeded", ""])(
  "is not guessed from other words: %s",
  (words) => {
    expect(causeInWords(words)).toBeUndefined();
  },
);

it("is looked for in linear time", () => {
  const ms = threadTime(() => {
    for (const word of ["a", "from ", "sender ", "verify ", "listed ", "too many "])
      causeInWords(word.repeat(20_000 / word.length));
  });
  expect(ms).toBeLessThan(1_000);
});
