import { describe, expect, it } from "vitest";
import { nextStep, type Progress } from "../../../../../src/email/policy/campaigns/next-step.ts";

const HOUR = 3_600_000;
const sending: Progress = {
  status: "Sending",
  state: "sending",
  scheduledAt: null,
  maxContact: 10,
  snapshotCursor: 10,
  claimedCursor: 0,
  pass: null,
  passCursor: 0,
  confirmed: null,
  most: null,
  ready: 0,
  released: null,
  refusals: null,
  wave: null,
  counts: { queued: 5, inLedger: 0, sent: 0 },
  results: { sends: 0, hardBounces: 0, softBounces: 0, complaints: 0, deferred: 0 },
};
const step = (changes: Partial<Progress>, now = 0, little = false) =>
  nextStep({ ...sending, ...changes }, now, { hasLittleMail: () => little });

describe("the next step of a campaign", () => {
  it.each<[what: string, changes: Partial<Progress>, step: unknown]>([
    ["a draft rests", { status: "Draft", state: null, maxContact: null }, undefined],
    ["recipients are collected first", { state: "snapshot", snapshotCursor: 3 }, { act: "snapshot" }],
    ["then the Mailers take their mails", {}, { act: "send" }],
    ["as far as there is room", { counts: { queued: 5, inLedger: 1_901, sent: 0 } }, undefined],
    ["a paused one rests", { state: "paused" }, undefined],
    ["a held one rests", { state: "held" }, undefined],
    ["it ends when everything has a result", { counts: { queued: 0, inLedger: 0, sent: 0 } }, { act: "finish" }],
    ["also while it is paused", { state: "paused", counts: { queued: 0, inLedger: 0, sent: 0 } }, { act: "finish" }],
    ["not before", { counts: { queued: 0, inLedger: 1, sent: 0 } }, undefined],
    ["one that is sent rests", { status: "Sent", state: "done" }, undefined],
    ["unknown mails are sent again, also after it is sent", { status: "Sent", pass: "retry" }, { act: "retry" }],
    [
      "a cancelled one goes over its recipients",
      { status: "Sent", state: "cancelled", pass: "cancel" },
      { act: "cancel" },
    ],
    [
      "and waits for mail in flight",
      { state: "cancelled", pass: "cancel", passCursor: 10, counts: { queued: 0, inLedger: 1, sent: 0 } },
      undefined,
    ],
    [
      "and ends",
      { state: "cancelled", pass: "cancel", passCursor: 10, counts: { queued: 0, inLedger: 0, sent: 0 } },
      { act: "end" },
    ],
    [
      "a draft that was unscheduled after its start erases its recipients",
      { status: "Draft", state: null, maxContact: null, pass: "cancel" },
      { act: "clear" },
    ],
    [
      "before it starts again",
      { status: "Scheduled", state: null, maxContact: null, pass: "cancel" },
      { act: "clear" },
    ],
    ["and before it collects others", { state: "snapshot", snapshotCursor: 0, pass: "cancel" }, { act: "clear" }],
    ["also cancelled", { status: "Sent", state: "cancelled", maxContact: null, pass: "cancel" }, { act: "clear" }],
    ["one with the confirmed recipients goes on", { confirmed: 5, ready: 5 }, { act: "send" }],
    [
      "one with more than the confirmed recipients is held",
      { confirmed: 0, ready: 5 },
      { act: "hold", reason: "more_recipients" },
    ],
    [
      "one of which the mail provider refuses mail after mail is held",
      { refusals: { at: Array(20).fill(7), from: 0, words: "554" }, counts: { queued: 5, inLedger: 30, sent: 37 } },
      { act: "hold", reason: "sender_refuses" },
    ],
    [
      "not where the mail provider has taken enough mails since",
      { refusals: { at: Array(20).fill(7), from: 0, words: "554" }, counts: { queued: 5, inLedger: 30, sent: 38 } },
      { act: "send" },
    ],
    [
      "it is held for that before it is for its bounces",
      {
        refusals: { at: [0, 0], from: 0, words: "554" },
        counts: { queued: 0, inLedger: 1, sent: 0 },
        results: { sends: 500, hardBounces: 500, softBounces: 0, complaints: 0, deferred: 0 },
      },
      { act: "hold", reason: "sender_refuses" },
    ],
    [
      "one with too many bounces is held",
      { results: { sends: 500, hardBounces: 20, softBounces: 6, complaints: 0, deferred: 0 } },
      { act: "hold", reason: "bounce_rate" },
    ],
  ])("%s", (_, changes, expected) => {
    expect(step(changes)).toEqual(expected);
  });

  it("gives recipients a mail beyond that room while the mails there may not leave, up to another bound", () => {
    const at = (inLedger: number) => step({ counts: { queued: 5, inLedger, sent: 0 } }, 0, true);
    expect([at(1_901), at(19_900), at(19_901)]).toEqual([{ act: "send" }, { act: "send" }, undefined]);
  });

  it("starts a scheduled one at its time, and holds one that is more than an hour late", () => {
    const at = (now: number) => step({ status: "Scheduled", state: null, maxContact: null, scheduledAt: HOUR }, now);
    expect([at(HOUR - 1), at(HOUR), at(2 * HOUR), at(2 * HOUR + 1)]).toEqual([
      undefined,
      { act: "start" },
      { act: "start" },
      { act: "hold", reason: "late" },
    ]);
  });
});
