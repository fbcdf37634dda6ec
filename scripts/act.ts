import { act } from "./act/act.ts";
import { ACT } from "./act/usage.ts";
import { localSettings } from "./dev-vars.ts";
import { print } from "./lib/cli.ts";
import { runCommand } from "./lib/command.ts";

await runCommand(ACT, async (line) => print(await act(line, localSettings())));
