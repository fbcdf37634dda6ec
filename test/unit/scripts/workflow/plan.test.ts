import { describe, expect, it } from "vitest";
import { planOf } from "../../../../scripts/workflow/file/plan.ts";
import { pairsOfSame } from "../../../../scripts/workflow/file/spec.ts";
import { faultOf } from "../../../../src/lib/workflow-graph/validate.ts";
import { createRandom } from "../../../workerd/simulation/random.ts";
import { randomSpec } from "./random-spec.ts";

/** WORKFLOW_FILES=10000 makes the long run. */
const SEEDS = Number(process.env.WORKFLOW_FILES || 300);

describe("the plan from one workflow to another", () => {
  it(`gives the wanted shape and fields, and plans nothing for the result, for ${SEEDS} random pairs`, () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = createRandom(seed);
      const [wanted, current] = [randomSpec(random), randomSpec(random)];
      try {
        const { graph, pairs } = planOf(wanted, current);
        expect(faultOf(graph)).toBeUndefined();
        expect(pairsOfSame(wanted.graph, graph)?.size).toBe(pairs.size);
      } catch (error) {
        if (/the API cannot take/.test(String(error))) continue;
        throw new Error(`seed ${seed}: ${(error as Error).stack}`);
      }
    }
  });
});
