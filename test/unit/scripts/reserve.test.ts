import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepReserve } from "../../../scripts/start/reserve.ts";

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

const keep = (bytes: number, sayDisk = async (how: string) => void said.push(how)) => {
  free = bytes;
  const log = (line: string) => void lines.push(line);
  stop = keepReserve(folder, { sayDisk }, log, () => free);
};
const later = (bytes: number, ms = 1_000) => {
  free = bytes;
  vi.advanceTimersByTime(ms);
};
const has = () => existsSync(join(folder, "reserve"));

it("is made on a disk with ample room only, readable by its owner only", () => {
  keep(10_000_000);
  expect(has()).toBe(false);
  later(30_000_000);
  const { size, mode } = statSync(join(folder, "reserve"));
  expect([size, mode & 0o777]).toEqual([8_000_000, 0o600]);
  expect(lines).toEqual([]);
});

it("is deleted on a full disk, which Workers hear until there is room for it again", () => {
  keep(30_000_000);
  later(3_000_000);
  expect([has(), said.at(-1)]).toEqual([true, "free"]);
  later(1_999_999);
  expect([has(), said.at(-1)]).toEqual([false, "full"]);
  expect(lines).toEqual([
    expect.stringMatching(/^The disk of .* is full\. Deletions, .* 8 MB\.$/),
    expect.stringMatching(/^Free the disk: .* 24 MB are free\.$/),
  ]);

  said.length = 0;
  later(9_000_000, 60_000);
  expect([has(), said]).toEqual([false, Array(6).fill("full")]);
  later(24_000_000);
  expect([has(), said.at(-1)]).toEqual([true, "free"]);
  expect(lines).toHaveLength(3);
  later(24_000_000, 60_000);
  expect(lines).toHaveLength(3);
});

it("goes on after Workers that do not hear, and after the folder is gone", () => {
  keep(1_000, () => Promise.reject(new Error("restarting")));
  expect(lines).toHaveLength(2);
  rmSync(folder, { recursive: true });
  later(30_000_000, 5_000);
  expect(existsSync(folder)).toBe(false);
});
