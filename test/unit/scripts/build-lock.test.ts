import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withBuildLock } from "../../../scripts/lib/build-lock.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "build-lock-"));
  lock = join(folder, "of", "page.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes at its begin and end, so that two simultaneous runs show. */
const SCRIPT = `
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { withBuildLock } from ${JSON.stringify(new URL("../../../scripts/lib/build-lock.ts", import.meta.url).href)};
const [lock, log] = process.argv.slice(1);
await withBuildLock(lock, async () => {
  appendFileSync(log, "begin ");
  await sleep(30);
  appendFileSync(log, "end ");
});`;

const ended = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

describe("the lock of a build", () => {
  it("lets one process after the other build", async () => {
    const log = join(folder, "log");
    const args = ["--input-type=module", "-e", SCRIPT, lock, log];
    const children = Array.from({ length: 6 }, () => spawn(process.execPath, args, { stdio: "inherit" }));
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readFileSync(log, "utf8")).toBe("begin end ".repeat(6));
    expect(readdirSync(join(folder, "of"))).toEqual([]);
  }, 60_000);

  it("lets one after the other build in one process too, and gives what each made", async () => {
    let running = 0;
    const most: number[] = [];
    const run = (n: number) =>
      withBuildLock(lock, async () => {
        running += 1;
        most.push(running);
        await sleep(5);
        running -= 1;
        return n;
      });
    expect(await Promise.all([run(1), run(2), run(3)])).toEqual([1, 2, 3]);
    expect(most).toEqual([1, 1, 1]);
  });

  it("is free after a build that failed", async () => {
    await expect(withBuildLock(lock, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
    expect(existsSync(lock)).toBe(false);
    expect(await withBuildLock(lock, async () => "built")).toBe("built");
  });

  it.each([
    ["of a process that was killed", () => writeFileSync(lock, String(ended()))],
    [
      "that is too old for a build",
      () => {
        writeFileSync(lock, String(process.pid));
        utimesSync(lock, 0, 0);
      },
    ],
  ])("is taken over where it is one %s", async (_, leave) => {
    await withBuildLock(lock, async () => undefined);
    leave();
    expect(await withBuildLock(lock, async () => "built")).toBe("built");
  });
});
