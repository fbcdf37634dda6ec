import { expect, inject, it } from "vitest";
import type { Graph } from "../../../../../src/lib/workflow-graph/types.ts";
import { faultOf } from "../../../../../src/lib/workflow-graph/validate.ts";
import { createRandom } from "../../../simulation/random.ts";
import { isolated } from "../../bench.ts";
import { ask, setTo, teamWithWorkflow } from "./bench.ts";

isolated();

/** FUZZ_RUNS=10000 makes the long run: two minutes. */
const { runs, seed } = inject("fuzz");

const TYPES = ["AudienceFilter", "BranchNode", "ExperimentBranchNode", "TimerAction", "SendEmailAction", "VariantNode"];
const PAYLOADS: object[] = [
  { typeName: "EventTrigger", eventName: "a" },
  { typeName: "SignupTrigger" },
  { amount: 5, unit: "m" },
  { amount: -1 },
  { samplingRate: 100 },
  { isControl: true },
  { audienceSegmentId: "seg_1" },
  { audienceSegmentId: "seg_none" },
  { audienceFilter: { match: "all", conditions: [{ type: "property", key: "vip", operator: "isTrue" }] } },
  { contactPropertyQuery: { key: "plan", is: { operator: "any", value: "" }, was: { operator: "empty", value: "" } } },
];

it(`${runs} random requests never give an invalid graph and never a fault, and a refused one changes nothing`, async () => {
  const team = await teamWithWorkflow();
  const random = createRandom(seed ?? 7).next;
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const stored = async () => {
    const [row] = await team.rows("SELECT revision, graph FROM workflows");
    return {
      revision: String(row?.revision),
      graph: JSON.parse(String(row?.graph)) as Graph,
      text: String(row?.graph),
    };
  };
  const statuses = new Map<number, number>();
  let before = await stored();
  let sending = false;
  for (let n = 0; n < runs; n++) {
    if (random() < 0.02) {
      sending = !sending;
      await setTo(team, sending ? "Sending" : "Paused");
    }
    const ids = [...Object.keys(before.graph.nodes), "nod_none"];
    const [a, b] = [pick(ids), pick(ids)];
    const to = random() < 0.7 ? pick(before.graph.nodes[a]?.nextNodeIds ?? []) : b;
    const expectedRevisionId = random() < 0.05 ? "rev_old" : before.revision;
    const place = pick([
      { insertMode: "between", fromNodeId: a, toNodeId: to },
      { insertMode: "before", toNodeId: a },
      { insertMode: "after", fromNodeId: a },
      { insertMode: "after", toNodeId: a },
    ]);
    const [method, path, body] = pick<[string, string, object]>([
      ["POST", "/nodes", { ...place, nodeTypeName: pick(TYPES) }],
      ["POST", "/nodes", { ...place, nodeTypeName: pick(TYPES) }],
      ["POST", `/nodes/${a}/add-branch`, {}],
      ["POST", `/nodes/${a}/reroute`, { newTargetNodeId: b }],
      ["POST", `/nodes/${a}`, { payload: pick(PAYLOADS) }],
      ["DELETE", `/nodes/${a}`, { queuedContactPolicy: pick(["fail", "discard"]) }],
      ["DELETE", `/nodes/${random() < 0.3 ? a : (ids.at(-3) ?? a)}/recursive`, { dryRun: random() < 0.5 }],
    ]);
    const { status, text } = await ask(team, method, `/wfl_1${path}`, { expectedRevisionId, ...body });
    const what = `request ${n}: ${method} ${path} ${JSON.stringify(body)}: ${text.slice(0, 300)}`;
    expect([200, 400, 404, 409, 501], what).toContain(status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const after = await stored();
    expect(faultOf(after.graph), what).toBeUndefined();
    if (status !== 200) expect([after.revision, after.text], what).toEqual([before.revision, before.text]);
    if (after.revision === before.revision) expect(after.text, what).toBe(before.text);
    before = after;
  }
  const sent = Object.values(before.graph.nodes).flatMap((one) =>
    one.typeName === "SendEmailAction" ? one.emailMessageId : [],
  );
  const open = await team.rows(
    "SELECT id FROM email_messages WHERE workflow IS NOT NULL AND removed_at IS NULL ORDER BY id",
  );
  expect(open.map(({ id }) => id)).toEqual(sent.toSorted());
  for (const status of [200, 400, 404, 409]) expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(runs / 100);
}, 600_000);
