import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readDevVars } from "../../../scripts/dev-vars.ts";
import { rebuildOnChange } from "../../../scripts/start/watch.ts";

let folder = "";
let stop = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-watch-"));
  mkdirSync(join(folder, "src"));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Watches a folder; what the Workers were restarted with, and what was said. */
const watching = () => {
  const devVars = join(folder, ".dev.vars");
  const write = (text: string) => {
    // As editors do it: the new file takes the place of the old one.
    writeFileSync(`${devVars}~`, text);
    renameSync(`${devVars}~`, devVars);
  };
  write("STRIPE_WEBHOOK_SECRET=whsec_old\n");
  const restart = vi.fn(async (_changes?: object) => {});
  const said: string[] = [];
  const read = () => {
    const vars = readDevVars(devVars);
    return Object.keys(vars).length > 0 ? { bridgeVars: vars, emailVars: {} } : undefined;
  };
  const say = (line: string) => said.push(line);
  stop = rebuildOnChange({ restart }, read, { src: join(folder, "src"), devVars, log: say, fail: say });
  return { write, restart, said };
};
const withSecret = (secret: string) => ({ bridgeVars: { STRIPE_WEBHOOK_SECRET: secret }, emailVars: {} });

test("a saved change of .dev.vars restarts the Workers with it, and its values are not said", async () => {
  const { write, restart, said } = watching();
  write("STRIPE_WEBHOOK_SECRET=whsec_new\n");
  await vi.waitFor(() => expect(said).toEqual(["Restarted with the change of .dev.vars."]), 5_000);
  expect(restart.mock.calls).toEqual([[withSecret("whsec_new")]]);
});

test("a file that is saved as it was, emptied, or another one beside it, restarts nothing", async () => {
  const { write, restart, said } = watching();
  write("# a comment\nSTRIPE_WEBHOOK_SECRET=whsec_old\n");
  await new Promise((resolve) => setTimeout(resolve, 400));
  write("");
  writeFileSync(join(folder, "notes"), "x");
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([restart.mock.calls, said]).toEqual([[], []]);
});

test("a saved source rebuilds, with what .dev.vars says; a build that fails is said, and the next one counts", async () => {
  const { restart, said } = watching();
  restart.mockRejectedValueOnce(new Error("no TypeScript"));
  writeFileSync(join(folder, "src", "a.ts"), "1");
  await vi.waitFor(() => expect(said).toEqual([expect.stringMatching(/^Not rebuilt.*\nno TypeScript$/)]), 5_000);
  writeFileSync(join(folder, "src", "a.ts"), "2");
  await vi.waitFor(() => expect(said[1]).toBe("Rebuilt after a change."), 5_000);
  expect(restart.mock.calls).toEqual([[withSecret("whsec_old")], [withSecret("whsec_old")]]);
});

test("a source saved in a folder below, as rules of one provider are, rebuilds", async () => {
  const file = join(folder, "src", "mappings", "stripe", "quotes.ts");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "1");
  const { restart, said } = watching();
  writeFileSync(file, "2");
  await vi.waitFor(() => expect(said).toEqual(["Rebuilt after a change."]), 5_000);
  expect(restart.mock.calls).toEqual([[withSecret("whsec_old")]]);
});
