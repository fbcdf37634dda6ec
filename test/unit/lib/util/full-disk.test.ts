import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  attachmentsFull,
  campaignObstacles,
  isFull,
  storageFull,
  waitForRoom,
} from "../../../../src/email/workspace/core/size.ts";
import { DISK_EVENTS, hearDisk, isDiskFull, isReserveLow, machineReasons } from "../../../../src/lib/util/full-disk.ts";
import { noRoom } from "../../../../src/outbox/intake/admission.ts";
import { createQueue } from "../../../../src/outbox/queue/person-queues.ts";

const team = { sql: { databaseSize: 5_000_000 } as SqlStorage };
const file = { filename: "a.txt", contentType: "text/plain", content: new Uint8Array(3) };
const words = { full: "some things", low: "few things" };
const webhook = { source: "stripe", webhooks: 1, urgent: 0, deliveries: 1, isUrgent: false };

describe("a disk that is full, as npm start says", () => {
  beforeEach(() => {
    expect(hearDisk(DISK_EVENTS.full)).toBe(true);
  });
  afterEach(() => {
    hearDisk(DISK_EVENTS.free);
  });

  it("makes each team full, with words of its own", () => {
    expect(isFull(team)).toBe(true);
    expect(storageFull(team)).toMatchObject({
      code: "storage_full",
      message: expect.stringMatching(/^The disk of this machine is full/),
    });
    expect(campaignObstacles(team)).toMatchObject([{ code: "storage_full" }]);
    expect(waitForRoom(team)).toMatchObject([{ message: expect.stringMatching(/^The disk of this machine is full/) }]);
    expect(attachmentsFull(team, [file])).toMatchObject({ code: "storage_full", path: "attachments" });
    expect(attachmentsFull(team, [])).toBeUndefined();
  });

  it("lets the bridge take webhooks with urgent mail only", () => {
    const queue = createQueue();
    const urgent = { ...webhook, urgent: 1, isUrgent: true };
    const none = { ...webhook, webhooks: 0, deliveries: 0, isUrgent: true };
    expect([webhook, none].map((one) => noRoom(queue, one)?.message)).toEqual([
      expect.stringMatching(/^The disk of this machine is full/),
      expect.stringMatching(/^The disk of this machine is full/),
    ]);
    expect(noRoom(queue, urgent)).toBeUndefined();
  });

  it("is a reason of health, and the cause of an object that cannot open", () => {
    expect(machineReasons(words)).toEqual(["the disk is full: some things"]);
    expect(isDiskFull(new Error("internal error; reference = abc"))).toBe(true);
  });
});

describe("a reserve that is low, as npm start says", () => {
  beforeEach(() => {
    expect(hearDisk(DISK_EVENTS.low)).toBe(true);
  });
  afterEach(() => {
    hearDisk(DISK_EVENTS.free);
  });

  it("is a full disk that takes no mail", () => {
    expect([isFull(team), isReserveLow(), machineReasons(words)]).toEqual([
      true,
      true,
      ["the disk is full: few things"],
    ]);
    expect(storageFull(team).message).toMatch(
      /^The disk of this machine is full\. Reads, deletions and unsubscribes still/,
    );
  });

  it("lets the bridge take no webhook", () => {
    const urgent = noRoom(createQueue(), { ...webhook, urgent: 1, isUrgent: true });
    expect(urgent?.message).toMatch(/^The disk of this machine is full/);
  });
});

describe("a disk with room", () => {
  it("changes nothing", () => {
    expect(isFull(team)).toBe(false);
    expect([campaignObstacles(team), waitForRoom(team), machineReasons(words)]).toEqual([[], [], []]);
    expect(attachmentsFull(team, [file])).toBeUndefined();
    expect(noRoom(createQueue(), webhook)).toBeUndefined();
    expect(isDiskFull(new Error("internal error; reference = abc"))).toBe(false);
  });

  it("is not what an event of a cron says", () => {
    expect(hearDisk("* * * * *")).toBe(false);
    expect(isFull(team)).toBe(false);
  });
});
