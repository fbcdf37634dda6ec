import { readFileSync, writeFileSync } from "node:fs";
import { localSettings } from "./dev-vars.ts";
import { adminOf } from "./domains/api.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";
import { run } from "./template/run.ts";
import { TEMPLATE } from "./template/usage.ts";

await runCommand(TEMPLATE, (line) =>
  run(line, {
    admin: adminOf(line.values, localSettings()),
    print,
    read: (path) => readFileSync(path, "utf8"),
    update: (path, text) => writeFileSync(path, text),
    save: (path, text) => writeFileSync(path, text, { flag: line.values.overwrite ? "w" : "wx" }),
  }),
);
