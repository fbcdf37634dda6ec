import { EventEmitter } from "node:events";
import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readDevVars } from "../../../scripts/dev-vars.ts";
import { rebuildOnChange, versionOf } from "../../../scripts/start/watch.ts";

const realTimeout = setTimeout;
let folder = "";
let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  folder = mkdtempSync(join(tmpdir(), "mailspan-watch-"));
  save("src/index.ts", "1");
  save("wrangler.toml", "1");
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file in place, as `echo >` does. */
const save = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
/** Replaces a file by a new one, as most editors, `sed -i` and `git checkout` do. */
const replace = (path: string, text: string) => {
  save(`${path}~`, text);
  renameSync(join(folder, `${path}~`), join(folder, path));
};
const rename = (from: string, to: string) => renameSync(join(folder, from), join(folder, to));
const remove = (path: string) => rmSync(join(folder, path), { recursive: true });
const replaceAlike = (path: string) => {
  const { atime, mtime } = statSync(join(folder, path));
  save(`${path}~`, "1");
  utimesSync(join(folder, `${path}~`), atime, mtime);
  rename(`${path}~`, path);
};
/** Events of files arrive in real time, while the timers are fake. */
const aWhile = async () => {
  for (let n = 0; n < 10; n++) {
    await new Promise((resolve) => realTimeout(resolve, 15));
    await vi.advanceTimersByTimeAsync(200);
  }
};

type Vars = Record<string, string>;

type Watch = (folder: string, onEvent: (event: string, name: string | null) => void) => FSWatcher;

const watching = (varsOf = (vars: Vars) => ({ bridgeVars: vars, emailVars: {} }), watchOne: Watch = watch) => {
  const devVars = join(folder, ".dev.vars");
  save(".dev.vars", "STRIPE_WEBHOOK_SECRET=whsec_old\n");
  const restart = vi.fn(async (_changes?: object) => {});
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const src = join(folder, "src");
  const config = join(folder, "wrangler.toml");
  const running = { src: versionOf({ src, config }), vars: readDevVars(devVars) };
  const read = vi.fn(versionOf);
  const paths = { src, config, devVars, log: print, fail: print, watch: watchOne, read };
  stop = rebuildOnChange({ restart }, varsOf, running, paths);
  const restarts = async (count: number) => {
    await aWhile();
    expect(printed).toHaveLength(count);
  };
  return { restart, printed, restarts, reads: () => read.mock.calls.length };
};
const REBUILT = "Rebuilt after a change.";
const withSecret = (secret: string) => ({ bridgeVars: { STRIPE_WEBHOOK_SECRET: secret }, emailVars: {} });

describe("a save of a source file", () => {
  const rule = "src/mappings/stripe.ts";
  it.each([
    { how: "in place", change: () => save(rule, "22") },
    { how: "by a new file in its place", change: () => replace(rule, "22") },
    { how: "by a new file of the same size and time", change: () => replaceAlike(rule) },
    { how: "by deleting and writing it", change: () => [remove(rule), save(rule, "22")] },
    { how: "that is wrangler.toml", change: () => save("wrangler.toml", "[vars.TEMPLATES]") },
    { how: "that is wrangler.toml, by a new file", change: () => replace("wrangler.toml", "2") },
    { how: "that is new", change: () => save("src/mappings/clerk.ts", "1") },
    { how: "that is new, in a new folder", change: () => save("src/mappings/stripe/quotes.ts", "1") },
    { how: "that is deleted", change: () => remove(rule) },
    { how: "that moves", change: () => rename(rule, "src/mappings/paddle.ts") },
    {
      how: "by a new folder in the place of its folder",
      change: () => [save("new/stripe.ts", "22"), remove("src/mappings"), rename("new", "src/mappings")],
    },
  ])("$how rebuilds, and so does each save after it", async ({ change }) => {
    save(rule, "1");
    const { printed, restarts, restart } = watching();
    change();
    await restarts(1);
    replace(rule, "333");
    await restarts(2);
    save(rule, "4444");
    await restarts(3);
    expect(printed).toEqual([REBUILT, REBUILT, REBUILT]);
    expect(restart.mock.calls).toEqual([[{}], [{}], [{}]]);
  });

  it("in several quick steps rebuilds once", async () => {
    const { restarts } = watching();
    for (let n = 0; n < 20; n++) {
      (n % 2 ? save : replace)("src/index.ts", "x".repeat(n));
      await new Promise((resolve) => realTimeout(resolve, 15));
      await vi.advanceTimersByTimeAsync(150);
    }
    await restarts(1);
  });

  it("without a change reads the files every thirty seconds only", async () => {
    const { restarts, reads } = watching();
    await aWhile();
    const before = reads();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads() - before).toBe(2);
    save("src/index.ts", "22");
    await restarts(1);
    await aWhile();
    const after = reads();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads() - after).toBe(2);
  });

  it("on a file system without events rebuilds within thirty seconds, and then at once", async () => {
    const silent = () => Object.assign(new EventEmitter(), { close: () => {} }) as unknown as FSWatcher;
    const { restarts, printed } = watching(undefined, silent);
    await aWhile();
    replace("src/index.ts", "22");
    await vi.advanceTimersByTimeAsync(32_000);
    expect(printed).toEqual([REBUILT]);
    replace("src/index.ts", "333");
    await restarts(2);
  });

  it("where folders cannot be watched rebuilds at once", async () => {
    const { restarts } = watching(undefined, () => {
      throw new Error("ENOSPC");
    });
    replace("src/index.ts", "22");
    await restarts(1);
    replace("src/index.ts", "333");
    await restarts(2);
  });

  it("during a rebuild rebuilds again", async () => {
    const { restart, restarts } = watching();
    restart.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      replace("src/index.ts", "333");
    });
    replace("src/index.ts", "22");
    await restarts(2);
  });

  it("during the start rebuilds", async () => {
    const src = join(folder, "src");
    const config = join(folder, "wrangler.toml");
    const running = { src: versionOf({ src, config }), vars: {} };
    save("src/index.ts", "22");
    const restart = vi.fn(async () => {});
    const print = () => {};
    stop = rebuildOnChange({ restart }, (vars) => ({ bridgeVars: vars, emailVars: {} }), running, {
      src,
      config,
      devVars: join(folder, ".dev.vars"),
      log: print,
      fail: print,
      watch,
      read: versionOf,
    });
    await aWhile();
    expect(restart).toHaveBeenCalledOnce();
  });

  it("that cannot be built is reported once, and the next save is live", async () => {
    const { restart, printed, restarts } = watching();
    restart.mockRejectedValueOnce(new Error("no TypeScript"));
    replace("src/index.ts", "22");
    await restarts(1);
    expect(printed).toEqual([expect.stringMatching(/^Not rebuilt.*\nno TypeScript$/)]);
    replace("src/index.ts", "333");
    await restarts(2);
    expect(printed[1]).toBe(REBUILT);
  });
});

describe("a save of .dev.vars", () => {
  it("restarts the Workers with it, and prints no value", async () => {
    const { restart, printed, restarts } = watching();
    replace(".dev.vars", "STRIPE_WEBHOOK_SECRET=whsec_new\n");
    await restarts(1);
    expect(printed).toEqual(["Restarted with the change of .dev.vars."]);
    expect(restart.mock.calls).toEqual([[withSecret("whsec_new")]]);
  });

  it("without a change, empty, or of another file beside it restarts nothing", async () => {
    const { restarts } = watching();
    replace(".dev.vars", "# a comment\nSTRIPE_WEBHOOK_SECRET=whsec_old\n");
    await restarts(0);
    save(".dev.vars", "");
    save("notes", "x");
    await restarts(0);
  });

  it("that came with a broken source file is live with the next good save", async () => {
    const { restart, restarts } = watching();
    restart.mockRejectedValueOnce(new Error("no TypeScript"));
    replace(".dev.vars", "STRIPE_WEBHOOK_SECRET=whsec_new\n");
    await restarts(1);
    save("src/index.ts", "22");
    await restarts(2);
    expect(restart.mock.calls).toEqual([[withSecret("whsec_new")], [withSecret("whsec_new")]]);
  });

  it("which makes a new API key necessary restarts once, with that key", async () => {
    const { restart, restarts } = watching((vars) => {
      vars.EMAIL_API_KEY = "ms_new";
      save(".dev.vars", "STRIPE_WEBHOOK_SECRET=whsec_new\nEMAIL_API_KEY=ms_new\n");
      return { bridgeVars: vars, emailVars: {} };
    });
    save(".dev.vars", "STRIPE_WEBHOOK_SECRET=whsec_new\n");
    await restarts(1);
    const bridgeVars = { STRIPE_WEBHOOK_SECRET: "whsec_new", EMAIL_API_KEY: "ms_new" };
    expect(restart.mock.calls).toEqual([[{ bridgeVars, emailVars: {} }]]);
  });
});
