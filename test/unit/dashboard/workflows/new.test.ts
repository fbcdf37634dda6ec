import { describe, expect, it } from "vitest";
import { keyed } from "../../../../src/dashboard/app/pages/workflows/new/beginning.ts";
import { canGoOn, type Part, type Piece, piecesOf } from "../../../../src/dashboard/app/pages/workflows/new/pieces.ts";
import { type Chosen, TEMPLATES, type Template } from "../../../../src/dashboard/app/pages/workflows/new/templates.ts";
import type { ShortNode } from "../../../../src/lib/contract/workflows/nodes.ts";
import { changedNode } from "../../../../src/lib/contract/workflows/requests.ts";
import { compileMessage } from "../../../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../../src/lib/lmx/message/message-source.ts";
import { emptyGraph } from "../../../../src/lib/workflow-graph/create.ts";
import { insertNode } from "../../../../src/lib/workflow-graph/insert.ts";
import type { Graph } from "../../../../src/lib/workflow-graph/types.ts";
import { updateNode } from "../../../../src/lib/workflow-graph/update.ts";

const chosen: Chosen = {
  event: "trialStarted",
  property: "userGroup",
  type: "string",
  value: "customer",
  list: "lst_1",
};

const service = () => {
  let n = 0;
  const id = (prefix: string) => `${prefix}_${++n}`;
  let graph: Graph = emptyGraph(id);
  const mails = new Map<string, string>();
  const made: string[] = [];
  const seen = () => ({
    workflow: {
      rootNodeId: graph.root,
      nodes: Object.fromEntries(
        Object.entries(graph.nodes).map(([at, one]) => [
          at,
          (one.typeName === "SendEmailAction"
            ? { ...one, subject: mails.get(one.emailMessageId) ?? "" }
            : one) as unknown as ShortNode,
        ]),
      ),
    },
    filled: new Set(
      Object.entries(graph.nodes).flatMap(([at, one]) =>
        one.typeName === "AudienceFilter" && one.audienceFilter !== null ? [at] : [],
      ),
    ),
  });
  const make = (part: Part): void => {
    made.push(part.make);
    if (part.make === "mail") {
      mails.set(part.emailMessageId, part.mail.subject);
      return;
    }
    if (part.make === "fields") {
      const request = { workflowId: "w", nodeId: part.nodeId, expectedRevisionId: "r", payload: part.payload };
      const edit = updateNode(graph, part.nodeId, changedNode.parse(request).payload as never);
      if ("refusal" in edit) throw new Error(edit.refusal.message);
      graph = edit.graph;
      return;
    }
    const placement = { insertMode: "between", fromNodeId: part.from, toNodeId: part.to } as const;
    const edit = insertNode(graph, part.type, placement, id);
    if ("refusal" in edit) throw new Error(edit.refusal.message);
    graph = edit.graph;
  };
  return { seen, make, made, graph: () => graph };
};

const next = (pieces: readonly Piece[]): Part | undefined => pieces.find(({ isDone }) => !isDone)?.part;

const build = (template: Template, { seen, make }: ReturnType<typeof service>, most = 100): number => {
  for (let count = 0; count < most; count += 1) {
    const part = next(piecesOf(template, chosen, seen()));
    if (!part) return count;
    make(part);
  }
  return most;
};

describe.each(TEMPLATES.map((one) => [one.id, one] as const))("the template %s", (_, template) => {
  it("is made whole, and then has nothing left to make", () => {
    const one = service();
    build(template, one);
    const pieces = piecesOf(template, chosen, one.seen());
    expect(pieces.every(({ isDone }) => isDone)).toBe(true);
    expect(pieces.some(({ text }) => text.startsWith("the mail"))).toBe(template.starts !== "nothing");
  });

  it("is the same after a break anywhere, and nothing is made twice", () => {
    const whole = service();
    const parts = build(template, whole);
    for (let stop = 0; stop < parts; stop += 1) {
      const broken = service();
      build(template, broken, stop);
      const left = piecesOf(template, chosen, broken.seen());
      expect(left.some(({ isDone }) => !isDone)).toBe(true);
      expect(canGoOn(broken.seen(), left), `after ${stop} parts`).toBe(true);
      build(template, broken);
      expect(broken.graph()).toEqual(whole.graph());
      expect(broken.made).toEqual(whole.made);
    }
  });

  it("has mails that compile, whose variables have fallbacks", () => {
    const texts = JSON.stringify(template.steps(chosen));
    const mails = [...texts.matchAll(/"mail":(\{.*?"fallbacks":\{.*?\}\})/g)].map(([, text]) => JSON.parse(text ?? ""));
    for (const { subject, lmx, fallbacks } of mails) {
      const source = { ...emptySource, subject, lmx, contactPropertiesFallbacks: fallbacks };
      const { problems } = compileMessage(source, "workflow", {});
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    }
    expect(mails.length > 0).toBe(template.starts !== "nothing");
  });
});

describe("a workflow that was changed by hand before it was whole", () => {
  const welcome = TEMPLATES.find(({ id }) => id === "welcome") as Template;
  const from = (parts: number) => {
    const one = service();
    build(welcome, one, parts);
    return one;
  };
  const isOffered = (one: ReturnType<typeof service>) => canGoOn(one.seen(), piecesOf(welcome, chosen, one.seen()));
  const nodeOf = (one: ReturnType<typeof service>, type: string): string =>
    Object.entries(one.graph().nodes).find(([, { typeName }]) => typeName === type)?.[0] ?? "";

  it("does not go on where a step was added between, above or below", () => {
    for (const page of ["above", "below"]) {
      const one = from(5);
      expect(isOffered(one)).toBe(true);
      const { root, nodes } = one.graph();
      const at = page === "above" ? root : nodeOf(one, "TimerAction");
      one.make({ make: "node", from: at, to: nodes[at]?.nextNodeIds[0] ?? "", type: "AudienceFilter" });
      expect(isOffered(one), page).toBe(false);
    }
  });

  it("does not go on where a field was given by hand that it would overwrite, and does where the field is as it was made", () => {
    const one = from(4);
    expect(isOffered(one)).toBe(true);
    one.make({ make: "fields", nodeId: nodeOf(one, "TimerAction"), payload: { amount: 9, unit: "d" } });
    expect(isOffered(one)).toBe(false);
  });

  it("is not asked about again when nothing is missing", () => {
    const one = from(100);
    expect(piecesOf(welcome, chosen, one.seen()).every(({ isDone }) => isDone)).toBe(true);
    expect(isOffered(one)).toBe(true);
  });
});

describe("the key of the request that creates a workflow", () => {
  let n = 0;
  const makeKey = () => `new ${++n}`;
  const begun = { template: "experiment", name: "One", chosen, key: "first" };

  it("stays for the same request, and is another one for each other request", () => {
    const one = keyed(begun, makeKey);
    expect(one.key).toBe("first");
    expect(keyed(one, makeKey).key).toBe("first");
    expect(keyed({ ...one, chosen: { ...chosen, event: "other" } }, makeKey).key).toBe("first");
    const keys = [
      keyed({ ...one, name: "Two" }, makeKey).key,
      keyed({ ...one, chosen: { ...chosen, list: "lst_2" } }, makeKey).key,
      keyed({ ...one, template: "welcome" }, makeKey).key,
    ];
    expect(new Set([...keys, "first"]).size).toBe(4);
  });
});

describe("a template", () => {
  it("of a change has a subject that compiles for any value, also one that looks like a variable", () => {
    const change = TEMPLATES.find(({ id }) => id === "change") as Template;
    for (const value of ["pro", "{pro}", "a } b", "{contact.", "x".repeat(500), ""]) {
      const [step] = change.steps({ ...chosen, value });
      if (step?.do !== "send") throw new Error("The first step sends.");
      const { subject, lmx, fallbacks = {} } = step.mail;
      const source = { ...emptySource, subject, lmx, contactPropertiesFallbacks: fallbacks };
      const { problems } = compileMessage(source, "workflow", {});
      expect(
        problems.filter(({ severity }) => severity === "error"),
        value,
      ).toEqual([]);
      expect(subject.length).toBeLessThan(200);
    }
  });

  it("of a change watches a property by its type, and lets a customer of each type leave a trial", () => {
    const change = TEMPLATES.find(({ id }) => id === "change") as Template;
    const trial = TEMPLATES.find(({ id }) => id === "trial") as Template;
    for (const [type, value] of [
      ["string", "pro"],
      ["number", "3"],
      ["boolean", ""],
      ["date", ""],
    ] as const) {
      const given: Chosen = { ...chosen, property: "own", type, value };
      const payload = piecesOf(change, given, service().seen())[0]?.part;
      const asked = { workflowId: "w", nodeId: "n", expectedRevisionId: "r" };
      expect(payload?.make === "fields" && changedNode.safeParse({ ...asked, payload: payload.payload }).success).toBe(
        true,
      );
      const filter = trial.steps(given).find((step) => step.do === "filter");
      expect(
        filter?.do === "filter" &&
          changedNode.safeParse({ ...asked, payload: { audienceFilter: filter.filter } }).success,
      ).toBe(true);
    }
  });
});
