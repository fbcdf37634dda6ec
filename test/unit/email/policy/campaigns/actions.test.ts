import { describe, expect, it } from "vitest";
import { type Action, verdictOf } from "../../../../../src/email/policy/campaigns/actions.ts";
import type { CampaignStatus, ProgressState } from "../../../../../src/email/policy/campaigns/types.ts";

/** `maxContact`: null before it has begun. */
const stages: readonly (readonly [CampaignStatus, ProgressState | null, maxContact: number | null, reason?: string])[] =
  [
    ["Draft", null, null],
    ["Scheduled", null, null],
    ["Sending", "held", null],
    ["Sending", "snapshot", 20],
    ["Sending", "sending", 20],
    ["Sending", "paused", 20],
    ["Sending", "held", 20, "bounce_rate"],
    ["Sent", "cancelled", 20],
    ["Sent", "done", 20],
    ["Sending", "held", 20, "more_recipients"],
  ];

/** For each stage above: "+" it changes, "=" it is so already, "-" refused. */
const expected: Readonly<Record<Action, [verdicts: string, code: string]>> = {
  unschedule: ["=++------+", "campaign_not_scheduled"],
  pause: ["--=++==--=", "campaign_not_sending"],
  resume: ["--+==++--+", "campaign_not_paused"],
  cancel: ["-++++++=-+", "campaign_not_sending"],
  retryUnknown: ["--+++++-++", "campaign_not_sent"],
};

describe.each(Object.entries(expected))("%s", (action, [verdicts, code]) => {
  it.each(stages.map(([status, state, last, reason = null], i) => [status, state, last, reason, verdicts[i]] as const))(
    "of a campaign that is %s, %s, with contacts up to %s (%s)",
    (...one) => {
      const [status, state, maxContact, reason, sign] = one;
      const verdict = verdictOf(action as Action, { status, state, maxContact, reason });
      if (typeof verdict !== "object") {
        expect(verdict).toBe(sign === "+" ? "changes" : "nothing");
        return;
      }
      expect(sign).toBe("-");
      const isOver = action === "retryUnknown" && state === "cancelled";
      expect(verdict.code).toBe(isOver ? "campaign_cancelled" : code);
      expect(verdict.message).toMatch(/^The campaign (is|has|was) .+\.$/);
    },
  );
});
