import { beforeEach, describe, expect, it } from "vitest";
import { sampleWorkflow } from "../../../../scripts/start/sample-workflow.ts";
import { type Kept, standIn } from "./stand-in.ts";

let all: Map<string, Kept>;
let acts: string[];
beforeEach(() => {
  all = new Map();
  acts = [];
});

const start = (isFast = false): Promise<string> =>
  sampleWorkflow(
    {
      api: () => standIn(all).api,
      async admin<T>(_method: string, path: string): Promise<T> {
        const [, id = "", act = ""] = path.split("/");
        const one = all.get(id) as Kept;
        one.status = act === "pause" ? "PausedAndQueueing" : "Sending";
        acts.push(act);
        return { id, status: one.status } as T;
      },
    },
    isFast,
  );
const only = (): Kept => [...all.values()][0] as Kept;
const waits = (): string[] =>
  Object.values(only().graph.nodes).flatMap((node) =>
    node.typeName === "TimerAction" ? [`${node.amount} ${node.unit}`] : [],
  );

describe("the sample workflow of npm start", () => {
  it("is created and started, once", async () => {
    expect(await start()).toBe("Trial: Sending");
    const { revision } = only();
    expect(await start()).toBe("Trial: Sending");
    expect({ acts, revision: only().revision, size: all.size }).toEqual({ acts: ["start"], revision, size: 1 });
    expect(waits()).toEqual(["3 d", "4 d"]);
  });

  it("has days of three seconds with --fast, and whole days again without", async () => {
    await start(true);
    expect(waits()).toEqual(["0.15 m", "0.2 m"]);
    await start();
    expect(waits()).toEqual(["3 d", "4 d"]);
    await start(true);
    expect(waits()).toEqual(["0.15 m", "0.2 m"]);
    expect({ acts, status: only().status }).toEqual({
      acts: ["start", "pause", "resume", "pause", "resume"],
      status: "Sending",
    });
  });

  it("stays as it is where a person edited it, also in the other form", async () => {
    await start();
    only().description = "Ours now";
    const before = structuredClone(only());
    expect(await start()).toBe("Trial: Sending, edited");
    expect(await start(true)).toBe("Trial: Sending, edited");
    expect(only()).toEqual(before);
  });

  it("stays paused where a person paused it", async () => {
    await start();
    only().status = "Paused";
    expect(await start()).toBe("Trial: Paused");
    expect(await start(true)).toBe("Trial: Paused");
    expect(only().status).toBe("Paused");
  });

  it("is finished where an earlier start was killed", async () => {
    await start();
    const goal = structuredClone(only().graph);
    only().status = "Draft";
    const [timer = ""] = Object.entries(goal.nodes).flatMap(([id, { typeName }]) =>
      typeName === "TimerAction" ? [id] : [],
    );
    only().graph = { ...goal, nodes: { ...goal.nodes, [timer]: { ...goal.nodes[timer], amount: 1 } as never } };
    expect(await start()).toBe("Trial: Sending");
    expect(only().graph).toEqual(goal);
  });

  it("does not touch a draft of the same name that a person made", async () => {
    await standIn(all).api.workflows.create({ name: "Trial" });
    const before = structuredClone(only());
    expect(await start()).toBe("Trial: Draft");
    expect({ only: only(), acts }).toEqual({ only: before, acts: [] });
  });
});
