import { describe, expect, it } from "vitest";
import { commonReason } from "../../../../../src/email/policy/campaigns/reason.ts";

describe("the common reason", () => {
  it.each([
    ["554 5.6.0 rejected, id N3xyz81", "554 5.6.0 rejected, id Q99ab12"],
    ["550 <ada@example.com> is unknown here", "550 <bo@example.com> is unknown here"],
    ["554 rejected, id 4Bq7Zp1xYz", "554 rejected, id 4Bq9Kp2aLm"],
    ["550 see [a1b2c3d4-77]", "550 see [e5f6a7b8-91]"],
  ])("of %j and %j is the same", (one, other) => {
    expect(commonReason(one)).toBe(commonReason(other));
    expect(commonReason(commonReason(one))).toBe(commonReason(one));
  });

  it.each([
    "unsubscribed",
    "campaign_cancelled",
    "554 no",
    "No value for contact.addressLine2. The message has no fallback for it.",
  ])("of %j is the text itself", (reason) => {
    expect(commonReason(reason)).toBe(reason);
  });
});
