import { readFileSync, writeFileSync } from "node:fs";
import { localSettings } from "./dev-vars.ts";
import { adminOf } from "./domains/api.ts";
import { print, runCommand } from "./lib/cli.ts";
import { HELP } from "./template/help.ts";
import { OPTIONS, run } from "./template/run.ts";

await runCommand({
  name: "template",
  help: HELP,
  options: OPTIONS,
  arguments: 2,
  main: (values, args) =>
    run(args, values, {
      admin: adminOf(values, localSettings()),
      print,
      read: (path) => readFileSync(path, "utf8"),
      update: (path, text) => writeFileSync(path, text),
      save: (path, text) => writeFileSync(path, text, { flag: values.overwrite ? "w" : "wx" }),
    }),
});
