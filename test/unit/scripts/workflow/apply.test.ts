import { beforeEach, describe, expect, it } from "vitest";
import { applyFile, planFile, type World } from "../../../../scripts/workflow/file/apply.ts";
import { readCurrent } from "../../../../scripts/workflow/file/current.ts";
import type { Names } from "../../../../scripts/workflow/file/filter.ts";
import type { Spec } from "../../../../scripts/workflow/file/spec.ts";
import { writeWorkflow } from "../../../../scripts/workflow/file/write.ts";
import { createRandom } from "../../../workerd/simulation/random.ts";
import { randomSpec } from "./random-spec.ts";
import { type Crash, type Kept, standIn } from "./stand-in.ts";

const TRIAL = `name: Trial nurture
description: The first days
list: News
trigger: { event: trialStarted }
steps:
  - wait: 3 d
  - branch:
      - filter: { all: [plan: { equals: pro }] }
        steps:
          - send: { subject: For pros, lmx: <H1>Pro</H1>, fallbacks: { contact.firstName: there } }
          - goto: last
      - filter: { any: [seats: { greaterThan: 5 }, invited: isTrue], appliesDownstream: true }
      - steps:
          - wait: 12 h
          - send: { subject: For all, lmx: ./all.lmx }
  - experiment:
      percent: 40
      paths:
        - steps: [wait: 1 h]
        - control: true
  - name: last
    send: { subject: Goodbye, lmx: <H1>Bye</H1> }
`;
const CHANGED = `name: Trial nurture
trigger: { event: trialStarted, reEligible: true }
steps:
  - send: { subject: Goodbye, lmx: <H1>Bye</H1> }
  - wait: 3 d
  - branch:
      - filter: { all: [plan: { equals: team }] }
        steps:
          - send: { subject: For all, lmx: <H1>All</H1> }
          - wait: 12 h
      - filter: everyone
`;
const files: Record<string, string> = { "all.lmx": "---\nfromName: Acme\n---\n<H1>All</H1>" };
const names: Names = { lists: new Map([["News", "lst_1"]]), segments: new Map() };

let said: string[];
let acts: string[];
beforeEach(() => {
  said = [];
  acts = [];
});

const worldOf = (text: string, all: Map<string, Kept>, crash?: Crash) => {
  const { api, asked } = standIn(all, crash ? { crash } : {});
  const world: World = {
    api,
    load: (path) => (path === "trial.yaml" ? text : (files[path] ?? "")),
    pause: async (id) => {
      acts.push(`pause ${id}`);
      (all.get(id) as Kept).status = "PausedAndQueueing";
    },
    resume: async (id) => {
      acts.push(`resume ${id}`);
      (all.get(id) as Kept).status = "Sending";
    },
    say: (line) => said.push(line),
  };
  return { world, asked };
};
const apply = (text: string, all: Map<string, Kept>, options = {}, crash?: Crash) =>
  applyFile("trial.yaml", worldOf(text, all, crash).world, options);

const valid = (spec: Spec): Spec => {
  const messages = Object.entries(spec.messages).map(([id, mail]) => [
    id,
    mail.lmx === "./mail.lmx" ? { ...mail, lmx: "<H1>A file</H1>" } : mail,
  ]);
  return { ...spec, messages: Object.fromEntries(messages) };
};

const exported = async (all: Map<string, Kept>): Promise<string> => {
  const [one, ...more] = all.values();
  expect(more).toEqual([]);
  return writeWorkflow((await readCurrent(standIn(all).api, one?.id ?? "")).spec, names);
};

describe("apply", () => {
  it("creates the workflow of a file, and has nothing to do the second time", async () => {
    const all = new Map<string, Kept>();
    expect((await apply(TRIAL, all)).changed).toBe(true);
    await expect(await exported(all)).toMatchFileSnapshot("trial.txt");
    const { world, asked } = worldOf(TRIAL, all);
    expect((await applyFile("trial.yaml", world, {})).changed).toBe(false);
    expect(said.at(-1)).toBe("Nothing to do: the workflow is as the file says.");
    expect(asked.filter((name) => !/^(get|list)/.test(name))).toEqual([]);
  });

  it("finishes what an apply began that was killed at any request, before it or after it", async () => {
    const goal = async (text: string, all: Map<string, Kept>) => {
      await apply(text, all);
      return exported(all);
    };
    const fresh = await goal(TRIAL, new Map());
    const start = new Map<string, Kept>();
    await apply(TRIAL, start);
    const later = await goal(CHANGED, structuredClone(start));
    let kills = 0;
    for (const [text, from, expected] of [
      [TRIAL, new Map<string, Kept>(), fresh],
      [CHANGED, start, later],
    ] as const) {
      for (const when of ["before", "after"] as const) {
        for (let at = 0; ; at++) {
          const all = structuredClone(from);
          const killed = await apply(text, all, {}, { at, when }).catch((error: Error) => error);
          if (!(killed instanceof Error)) break;
          expect(killed.message).toBe("killed");
          await apply(text, all);
          expect(await exported(all), `${when} request ${at}`).toBe(expected);
          kills++;
        }
      }
    }
    expect(kills).toBeGreaterThan(120);
  });

  it("turns any workflow into any other one, and keeps the contacts who wait at timers that stay", async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = createRandom(seed);
      const [wanted, current] = [valid(randomSpec(random)), valid(randomSpec(random))];
      const all = new Map<string, Kept>();
      const first = await apply(writeWorkflow({ ...current, name: "Trial" }, names), all);
      const text = writeWorkflow({ ...wanted, name: "Trial" }, names);
      const done = await apply(text, all).catch((error: Error) => error);
      if (done instanceof Error) {
        expect(done.message, `seed ${seed}`).toMatch(/the API cannot take/);
        continue;
      }
      expect(done.id).toBe(first.id);
      expect(await apply(text, all), `seed ${seed}`).toMatchObject({ changed: false });
    }
  });

  it("moves a step without a delete, so that contacts stay where they wait", async () => {
    const all = new Map<string, Kept>();
    const [before, after] = [
      "name: T\ntrigger: signup\nsteps: [wait: 1 d, send: { subject: A }, wait: 2 d, send: { subject: B }]",
      "name: T\ntrigger: signup\nsteps: [wait: 2 d, send: { subject: B }, wait: 1 d, send: { subject: A }]",
    ];
    const { id } = await apply(before, all);
    const one = all.get(id) as Kept;
    const timers = Object.entries(one.graph.nodes).filter(([, { typeName }]) => typeName === "TimerAction");
    for (const [node] of timers) one.waiting[node] = 7;
    await apply(after, all);
    expect(one.waiting).toEqual(Object.fromEntries(timers.map(([node]) => [node, 7])));
    for (const [node, timer] of timers)
      expect(one.graph.nodes[node]).toMatchObject({ ...timer, nextNodeIds: expect.anything() });
  });
});

describe("a workflow that is in use", () => {
  const withContacts = async () => {
    const all = new Map<string, Kept>();
    const { id } = await apply(TRIAL, all);
    const one = all.get(id) as Kept;
    for (const [node, { typeName }] of Object.entries(one.graph.nodes))
      if (typeName === "TimerAction") one.waiting[node] = 4;
    return { all, one };
  };

  it("is not changed while it sends, and the error names the ways out", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    const before = await exported(all);
    await expect(apply(CHANGED, all)).rejects.toThrow(/npm run workflow -- pause "Trial nurture".*--pause-and-resume/);
    expect(await exported(all)).toBe(before);
    expect(acts).toEqual([]);
  });

  it("is renamed while it sends", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    await apply(TRIAL.replace("Trial nurture", "Nurture"), all, { workflow: one.id });
    expect(one).toMatchObject({ name: "Nurture", status: "Sending" });
  });

  it("is paused and resumed around the change where that is asked for", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    await apply(TRIAL.replace("3 d", "5 d"), all, { pauseAndResume: true });
    expect(acts).toEqual([`pause ${one.id}`, `resume ${one.id}`]);
    expect(await exported(all)).toContain("wait: 5 d");
  });

  it("stays paused where an apply was killed in the pause, and says how to go on", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    const text = TRIAL.replace("3 d", "5 d");
    const { world, asked } = worldOf(text, structuredClone(all));
    await applyFile("trial.yaml", world, { pauseAndResume: true });
    const killed = await apply(text, all, { pauseAndResume: true }, { at: asked.length - 1, when: "after" }).catch(
      (error: Error) => error.message,
    );
    expect(killed).toBe(
      'killed\nThe workflow is paused now. To finish the change: npm run workflow -- apply trial.yaml, then npm run workflow -- resume "Trial nurture"',
    );
    expect(one.status).toBe("PausedAndQueueing");
    acts = [];
    await apply(text, all, { pauseAndResume: true });
    expect([one.status, acts]).toEqual(["PausedAndQueueing", []]);
    expect(said.at(-1)).toBe(
      'The workflow was paused before, and stays paused. To resume it: npm run workflow -- resume "Trial nurture"',
    );
  });

  it.each(["Paused", "PausedAndQueueing", "Draft"] as const)(
    "is not started by apply where it was %s",
    async (status) => {
      const { all, one } = await withContacts();
      one.status = status;
      await apply(TRIAL.replace("3 d", "5 d"), all, { pauseAndResume: true });
      expect([one.status, acts]).toEqual([status, []]);
      expect(await exported(all)).toContain("wait: 5 d");
    },
  );

  it("is neither paused nor changed where another person paused it meanwhile", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    const { world } = worldOf(TRIAL.replace("3 d", "5 d"), all);
    const { get } = world.api.workflows;
    let reads = 0;
    const slow: typeof get = async (request) => {
      if (++reads === 2) one.status = "Paused";
      return get(request);
    };
    const api = { ...world.api, workflows: { ...world.api.workflows, get: slow } };
    await expect(applyFile("trial.yaml", { ...world, api }, { pauseAndResume: true })).rejects.toThrow(
      "Another person changed or paused the workflow in the meantime. Nothing was changed: apply again.",
    );
    expect([one.status, acts]).toEqual(["Paused", []]);
  });

  it("keeps contacts who would leave it, unless --discard lets them go", async () => {
    const { all, one } = await withContacts();
    one.status = "Sending";
    const shorter = TRIAL.replace("        - steps: [wait: 1 h]\n", "        - {}\n");
    const before = await exported(all);
    await expect(apply(shorter, all, { pauseAndResume: true })).rejects.toThrow(
      "4 contacts wait at what the change deletes",
    );
    expect(await exported(all)).toBe(before);
    expect(one.status).toBe("Sending");
    await apply(shorter, all, { pauseAndResume: true, discard: true });
    expect(await exported(all)).not.toContain("1 h");
    expect(Object.values(one.waiting)).toEqual([4, 4]);
  });
});

describe("a file that the service would refuse in the middle", () => {
  const file = (trigger: string, steps: string) => `name: Trial nurture\ntrigger: ${trigger}\nsteps:\n  - ${steps}\n`;
  const cases: [what: string, text: string, message: string][] = [
    [
      "a filter on a misspelled property",
      file("signup", "filter: { all: [plann: { equals: pro }] }"),
      'trial.yaml:4:28 steps[0].filter.all[0].plann: There is no contact property "plann". Is "plan" meant? GET /v1/contacts/properties lists them.',
    ],
    [
      "a filter with an operator of another type",
      file("signup", "filter: { any: [plan: { equals: pro }, seats: { contains: 5 }] }"),
      'trial.yaml:4:51 steps[0].filter.any[1].seats: operator: "contains" does not fit "seats"',
    ],
    [
      "a trigger on an unknown property",
      file("{ property: seat, is: { greater_than: 5 } }", "wait: 1 d"),
      'trial.yaml:2:22 trigger.property: there is no contact property "seat": did you mean seats?',
    ],
    [
      "a trigger with an operator of another type",
      file("{ property: seats, is: { contains: 5 } }", "wait: 1 d"),
      "trial.yaml:2:33 trigger.is: operator: is no operator for a number",
    ],
    [
      "LMX that does not compile",
      file("signup", "send: { subject: Hi, lmx: <Blink> }"),
      "trial.yaml:4:31 steps[0].send.lmx: line 1, column 1: ",
    ],
    [
      "LMX that does not compile in a file of its own",
      file("signup", "send: { subject: Hi, lmx: ./broken.lmx }"),
      "broken.lmx:4:1 ",
    ],
    [
      "a component that does not exist",
      file("signup", 'send: { subject: Hi, lmx: <Component componentId="cmp_9" /> }'),
      "steps[0].send.lmx: line 1, column 1: There is no component cmp_9",
    ],
    [
      "a line break in a subject",
      file("signup", 'send: { subject: "Hi\\r\\nBcc: eve@example.com" }'),
      "trial.yaml:4:22 steps[0].send.subject: ",
    ],
    [
      "LMX that is too large",
      file("signup", `send: { lmx: "<Paragraph>${"x".repeat(100_000)}</Paragraph>" }`),
      "trial.yaml:4:18 steps[0].send.lmx: must be at most 100000 bytes.",
    ],
    [
      "a sender with a domain",
      file("signup", "send: { fromEmail: ada@example.com }"),
      "trial.yaml:4:24 steps[0].send.fromEmail: must be only the part before the @",
    ],
  ];
  it.each(cases)("is refused before the first change, with file, line and key: %s", async (_, text, message) => {
    files["broken.lmx"] = "---\nfromName: Acme\n---\n<Blink>";
    const all = new Map<string, Kept>();
    const { id } = await apply(TRIAL, all);
    const one = all.get(id) as Kept;
    one.status = "Sending";
    const before = structuredClone(one);
    for (const act of [applyFile, planFile]) {
      const { world, asked } = worldOf(text, all);
      await expect(act("trial.yaml", world, { discard: true, pauseAndResume: true })).rejects.toThrow(message);
      expect(asked.filter((name) => !/^(get|list)/.test(name))).toEqual([]);
    }
    expect([one, acts]).toEqual([before, []]);
  });

  it("is not one with a component that the team has", async () => {
    const all = new Map<string, Kept>();
    await apply(file("signup", 'send: { subject: Hi, lmx: <Component componentId="cmp_1" /> }'), all);
    expect(all.size).toBe(1);
  });
});

describe("plan", () => {
  it("of a new workflow has words for everything", async () => {
    const { world } = worldOf(TRIAL, new Map());
    await planFile("trial.yaml", world, {});
    expect(said.join("\n")).not.toContain("undefined");
    expect(said.find((line) => line.startsWith("~"))).toBe(
      '~ the trigger: nothing yet → the trigger: the event "trialStarted", reEligible: false',
    );
  });

  it("prints what is different and the requests, and changes nothing", async () => {
    const all = new Map<string, Kept>();
    await apply(TRIAL, all);
    const before = await exported(all);
    said = [];
    const { world, asked } = worldOf(CHANGED, all);
    await planFile("trial.yaml", world, {});
    await expect(said.join("\n").replaceAll(/(new:)?nod_\d+/g, "nod")).toMatchFileSnapshot("plan.txt");
    expect(await exported(all)).toBe(before);
    expect(asked.filter((name) => !/^(get|list)/.test(name)).every((name) => name === "deleteNode")).toBe(true);
  });

  it("finds the workflow by a name in other letters or another form of Unicode, and says that it is renamed", async () => {
    const all = new Map<string, Kept>();
    const { id } = await apply(TRIAL.replace("Trial nurture", "Café"), all);
    said = [];
    expect(await apply(TRIAL.replace("Trial nurture", "Cafe\u0301"), all)).toMatchObject({ id });
    said = [];
    expect(await apply(TRIAL.replace("Trial nurture", "café"), all)).toMatchObject({ id, changed: true });
    expect(said[0]).toBe('~ the name: "Cafe\u0301" → "café"');
    expect(all.size).toBe(1);
  });

  it("is printed by apply before its first request", async () => {
    const all = new Map<string, Kept>();
    await apply(TRIAL, all);
    const { world, asked } = worldOf(TRIAL.replace("wait: 3 d", "wait: 5 d"), all);
    await planFile("trial.yaml", world, {});
    said = [];
    const at = asked.length;
    await apply(TRIAL.replace("wait: 3 d", "wait: 5 d"), all, {}, { at, when: "before" }).catch(() => {});
    expect(said).toEqual(["~ the timer of 3 days → the timer of 5 days"]);
  });

  it("asks which one where several workflows have the name", async () => {
    const all = new Map<string, Kept>();
    const { id } = await apply(TRIAL, all);
    all.set("wfl_2", { ...(all.get(id) as Kept), id: "wfl_2" });
    await expect(apply(TRIAL, all)).rejects.toThrow(`2 workflows have the name "Trial nurture": ${id}, wfl_2`);
  });
});
