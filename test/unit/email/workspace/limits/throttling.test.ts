import { describe, expect, it } from "vitest";
import { placeOf, scopeOf } from "../../../../../src/email/workspace/limits/throttling.ts";

describe("a throttling answer", () => {
  it.each([
    ["account", "SES answered 429 TooManyRequests: Maximum sending rate exceeded."],
    ["account", "The relay answered the message with 454 Throttling failure: Maximum sending rate exceeded."],
    ["account", "The relay answered the message with 454 Throttling failure: Daily message quota exceeded."],
    ["account", "The relay greeted with 421 4.7.0 Too many concurrent SMTP connections; please try again later."],
    ["account", "The relay answered MAIL with 452 4.3.1 Insufficient system storage"],
    ["account", "The relay answered MAIL with 421 4.7.0 slow down"],
    ["account", "The relay answered RCPT with 451 4.7.1 You have exceeded your hourly limit"],
    [
      "domain",
      "The relay answered the message with 421 4.7.28 [192.0.2.1] Our system has detected an unusual rate of unsolicited mail originating from your IP address. gsmtp",
    ],
    [
      "domain",
      "The relay answered RCPT with 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume",
    ],
    [
      "domain",
      "The relay answered RCPT with 451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited (S775)",
    ],
    [
      "domain",
      "The relay answered RCPT with 450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents it",
    ],
    ["domain", "The relay answered RCPT with 450 4.7.1 greylisted, come back later"],
    ["domain", "The relay answered RCPT with 452 4.7.1 too many messages to this domain"],
  ])("is about the %s: %s", (scope, message) => {
    expect(scopeOf({ message })).toBe(scope);
  });
});

describe("the place that mail goes to", () => {
  it.each([
    ["a@gmail.com", "Google"],
    ["a@GoogleMail.com", "Google"],
    ["a@hotmail.co.uk", "Microsoft"],
    ["a@aol.com", "Yahoo"],
    ['"a@b"@me.com', "Apple"],
    ["a@gmail.com.example", "gmail.com.example"],
    ["a@Example.ORG", "example.org"],
  ])("%s: %s", (address, place) => {
    expect(placeOf(address)).toBe(place);
  });
});
