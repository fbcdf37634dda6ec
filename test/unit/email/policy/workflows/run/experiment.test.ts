import { describe, expect, it } from "vitest";
import { share, variantOf } from "../../../../../../src/email/policy/workflows/run/experiment.ts";
import type { NodeOf } from "../../../../../../src/lib/workflow-graph/types.ts";
import { graphOf } from "./graphs.ts";

const CONTACTS = Array.from({ length: 10_000 }, (_, i) => `con_${i}`);

const variants = (samplingRate: number, ...ids: string[]) =>
  graphOf(
    ["t", "SignupTrigger", ["n"]],
    ["n", "ExperimentBranchNode", [...ids, "control"], { samplingRate }],
    ...ids.map((id): Parameters<typeof graphOf>[number] => [id, "VariantNode", ["x"]]),
    ["control", "VariantNode", ["x"], { isControl: true }],
  );

const choose = (samplingRate: number, ...ids: string[]) => {
  const graph = variants(samplingRate, ...ids);
  const experiment = graph.nodes.n as NodeOf<"ExperimentBranchNode">;
  return CONTACTS.map((contact) => variantOf(graph, "n", experiment, contact));
};

const count = (chosen: (string | undefined)[], id: string) => chosen.filter((one) => one === id).length;

describe("an experiment", () => {
  it("samples its rate, and shares the sampled contacts evenly among the variants", () => {
    const chosen = choose(60, "a", "b", "c");
    // 4 standard deviations of a binomial distribution over 10 000 contacts.
    expect(Math.abs(count(chosen, "control") - 4000)).toBeLessThan(200);
    for (const id of ["a", "b", "c"]) expect(Math.abs(count(chosen, id) - 2000)).toBeLessThan(160);
  });

  it("gives everyone the control at 0, and nobody at 100", () => {
    expect(count(choose(0, "a"), "control")).toBe(CONTACTS.length);
    expect(count(choose(100, "a"), "control")).toBe(0);
  });

  it("keeps the variant of each contact when a variant is added, but for the share of the new one", () => {
    const before = choose(100, "a", "b");
    const after = choose(100, "a", "b", "c");
    const moved = after.filter((id, i) => id !== before[i]);
    expect(new Set(moved)).toEqual(new Set(["c"]));
    expect(Math.abs(moved.length - 3333)).toBeLessThan(200);
  });

  it("does not depend on the order of its variants", () => {
    expect(choose(70, "b", "a")).toEqual(choose(70, "a", "b"));
  });

  it("chooses independently in each experiment", () => {
    const both = CONTACTS.filter((contact) => share("nod_1", contact) < 0.5 && share("nod_2", contact) < 0.5);
    expect(Math.abs(both.length - 2500)).toBeLessThan(180);
  });
});
