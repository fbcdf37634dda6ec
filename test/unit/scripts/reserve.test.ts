import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepReserve, reserveOf } from "../../../scripts/start/reserve.ts";

let folder = "";
let stop = () => {};
let free = 0;
const said: string[] = [];
const lines: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), "mailspan-reserve-"));
  said.length = 0;
  lines.length = 0;
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const SIZE = 40_000_000;
const keep = (bytes: number, sayDisk = async (how: string) => void said.push(how)) => {
  free = bytes;
  const log = (line: string) => void lines.push(line);
  stop = keepReserve(folder, { sayDisk }, log, () => ({ size: SIZE, free }));
};
const later = async (bytes: number, ms = 1_000) => {
  free = bytes;
  await vi.advanceTimersByTimeAsync(ms);
};
const file = () => join(folder, "reserve");
const bytes = () => statSync(file(), { throwIfNoEntry: false })?.size;

it("has 64 MB, or a fifth of a small disk", () => {
  expect([40_000_000, 320_000_000, 1e12].map(reserveOf)).toEqual([8_000_000, 64_000_000, 64_000_000]);
});

it("is made on a disk with ample room only, readable by its owner only", async () => {
  keep(10_000_000);
  expect(bytes()).toBeUndefined();
  await later(30_000_000);
  const { size, mode } = statSync(file());
  expect([size, mode & 0o777]).toEqual([8_000_000, 0o600]);
  expect(lines).toEqual([]);
});

it("is emptied on a full disk, which Workers hear until there is room for it again", async () => {
  keep(30_000_000);
  await later(3_000_000);
  expect([bytes(), said.at(-1)]).toEqual([8_000_000, "free"]);
  await later(1_999_999);
  expect([bytes(), said.at(-1)]).toEqual([0, "full"]);
  expect(lines).toEqual([
    expect.stringMatching(/^The disk of .* is full\. Deletions, .* use a reserve of 8 MB\.$/),
    expect.stringMatching(/^Free the disk: .* 16 MB are free\.$/),
  ]);

  said.length = 0;
  await later(9_000_000, 60_000);
  expect([bytes(), said]).toEqual([0, Array(6).fill("full")]);
  await later(16_000_000);
  expect([bytes(), said.at(-1)]).toEqual([8_000_000, "free"]);
  expect(lines).toHaveLength(3);
  said.length = 0;
  await later(16_000_000, 60_000);
  expect([lines.length, said]).toEqual([3, []]);
});

it("keeps its last 3 MB from mail, until 6 MB are free", async () => {
  keep(30_000_000);
  await later(1_000_000);
  await later(3_000_000);
  expect(said.at(-1)).toBe("full");
  for (const [free, state] of [
    [2_999_999, "low"],
    [5_999_999, "low"],
    [6_000_000, "full"],
    [2_999_999, "low"],
    [16_000_000, "free"],
  ] as const) {
    await later(free);
    expect([free, said.at(-1)]).toEqual([free, state]);
  }
  expect(lines[2]).toMatch(/nearly used up: transactional mail is refused too/);
});

it("is known to be used by the next start, by its empty file", async () => {
  keep(30_000_000);
  await later(1_000_000);
  stop();
  lines.length = 0;
  keep(9_000_000);
  expect(said.at(-1)).toBe("full");
  expect(lines[0]).toMatch(/is full\. .* use what is left of the reserve\.$/);
  await later(16_000_000);
  expect([bytes(), said.at(-1)]).toEqual([8_000_000, "free"]);
});

it("is not named on a disk that never had room for it", () => {
  keep(1_000_000);
  expect([bytes(), said]).toEqual([0, ["full"]]);
  expect(lines.join()).toMatch(/use what is left\.,Free the disk/);
});

it("says that there is room until Workers hear it", async () => {
  let isDeaf = false;
  keep(30_000_000, async (how) => {
    if (isDeaf) throw new Error("not now");
    said.push(how);
  });
  await later(1_000_000);
  isDeaf = true;
  await later(30_000_000, 25_000);
  expect(said.at(-1)).toBe("full");
  isDeaf = false;
  await later(30_000_000, 60_000);
  expect(said.slice(-2)).toEqual(["full", "free"]);
});

it("goes on after Workers that do not hear, and after the folder is gone", async () => {
  keep(1_000, () => Promise.reject(new Error("restarting")));
  expect(lines).toHaveLength(2);
  rmSync(folder, { recursive: true });
  await later(30_000_000, 5_000);
  expect(existsSync(folder)).toBe(false);
});
