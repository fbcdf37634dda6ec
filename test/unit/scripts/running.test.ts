import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localSettings } from "../../../scripts/dev-vars.ts";
import { lockState, runningPorts } from "../../../scripts/start/lock.ts";

const ports = { port: 21_975, emailPort: 21_976, dashboardPort: 21_977 };
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-running-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("commands find the ports of the npm start that runs in this folder, and only while it runs", async () => {
  const lock = join(folder, "start.json");
  const vars = join(folder, ".dev.vars");
  writeFileSync(vars, "PORT=1\nADMIN_TOKEN=secret\n");
  const unlock = await lockState(lock, ports);
  expect(localSettings(vars, lock)).toMatchObject({ PORT: "21975", EMAIL_PORT: "21976", ADMIN_TOKEN: "secret" });
  process.env.EMAIL_PORT = "9";
  expect(localSettings(vars, lock)).toMatchObject({ PORT: "21975", EMAIL_PORT: "9" });
  delete process.env.EMAIL_PORT;
  unlock();
  expect(localSettings(vars, lock)).toMatchObject({ PORT: "1" });
});

it("the ports of a process that has ended, or of a damaged file, are passed over", () => {
  const lock = join(folder, "start.json");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, JSON.stringify({ pid, ...ports }));
  expect(runningPorts(lock)).toEqual({});
  writeFileSync(lock, "{");
  expect(runningPorts(lock)).toEqual({});
});
