import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { isolated } from "../../../bench.ts";
import { told } from "./bench.ts";
import { ends } from "./ends.ts";
import { entries } from "./entries.ts";
import { mails } from "./mails.ts";
import { createWorld, play, type Scenario } from "./scenario.ts";

isolated();

const golden = (name: string) => join(import.meta.dirname, `../../../../../fixtures/email/workflows/${name}.txt`);

const explained = async (scenarios: Record<string, Scenario>): Promise<string> => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const world = await createWorld();
  const said: string[] = [];
  for (const [name, scenario] of Object.entries(scenarios)) {
    const workflow = await play(world, name, scenario);
    said.push(`## ${name}`, ...told(await world.explain(workflow, name)), "");
  }
  return said.join("\n").replaceAll(/\b(msg|lst|nod)_[a-zA-Z0-9]{20}\b/g, "$1_…");
};

it.each([
  ["explain-ends", ends],
  ["explain-mails", mails],
  ["explain-entries", entries],
])("says what happened to a contact: %s", async (name, scenarios) => {
  await expect(await explained(scenarios)).toMatchFileSnapshot(golden(name));
});
