import { localSettings } from "./dev-vars.ts";
import { adminOf } from "./domains/api.ts";
import { run } from "./domains/run.ts";
import { DOMAINS } from "./domains/usage.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";

await runCommand(DOMAINS, (line) =>
  run(line, {
    admin: adminOf(line.values, localSettings()),
    print,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }),
);
