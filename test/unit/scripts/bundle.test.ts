import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/bundle.ts";

const folder = import.meta.dirname;
const entry = { text: 'import { freePort } from "../../port.ts";\nexport default freePort;\n', folder };
const replaced = join(folder, "../../../scripts/lib/memory.ts");

describe("a bundle", () => {
  it("refuses a replacement of a module that nothing imports", async () => {
    await expect(bundle(entry, { "./moved.ts": replaced })).rejects.toThrow("No import is written as ./moved.ts.");
  });
});
