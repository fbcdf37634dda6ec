import { describe, expect, it } from "vitest";
import type { Names } from "../../../../scripts/workflow/file/filter.ts";
import { planOf } from "../../../../scripts/workflow/file/plan.ts";
import { readWorkflow } from "../../../../scripts/workflow/file/read.ts";
import { writeWorkflow } from "../../../../scripts/workflow/file/write.ts";
import { createRandom } from "../../../workerd/simulation/random.ts";
import { randomSpec } from "./random-spec.ts";

/** WORKFLOW_FILES=10000 makes the long run. */
const SEEDS = Number(process.env.WORKFLOW_FILES || 300);

const names: Names = {
  lists: new Map([
    ["News", "lst_1"],
    ["lst_1", "lst_1"],
  ]),
  segments: new Map([
    ["Active", "seg_1"],
    ["seg_1", "seg_1"],
  ]),
};
const noFiles = (path: string): string => {
  throw new Error(`${path} is read`);
};

describe("an exported workflow", () => {
  it.each(["yaml", "json"])(`as %s is the same workflow again, for ${SEEDS} random ones`, (form) => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const spec = randomSpec(createRandom(seed));
      const text = writeWorkflow(spec, names, form === "json");
      const where = `seed ${seed}\n${text}`;
      try {
        const again = readWorkflow(`trial.${form}`, text, { names, load: noFiles });
        expect(planOf(again, spec).ops, where).toEqual([]);
      } catch (error) {
        throw new Error(`${where}\n${(error as Error).message}`);
      }
    }
  });
});
