import { describe, expect, it } from "vitest";
import type { Names } from "../../../../scripts/workflow/file/filter.ts";
import { FileError } from "../../../../scripts/workflow/file/problem.ts";
import { readWorkflow } from "../../../../scripts/workflow/file/read.ts";
import { threadTime } from "../../../thread-time.ts";

const names: Names = { lists: new Map([["News", "lst_1"]]), segments: new Map([["Active", "seg_1"]]) };
const load = (path: string): string => {
  if (path === "mails/bad.lmx") return "---\nsubjekt: Hi\n---\n<H1>Hi</H1>";
  throw new Error(`There is no file ${path}.`);
};
const read = (text: string) => readWorkflow("mails/trial.yaml", text, { names, load });
const faults = (text: string): string[] => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FileError) return error.message.split("\n");
    throw error;
  }
  return [];
};
const file = (steps: string, more = "") => `name: Trial\n${more}steps:\n${steps}\n`;

describe("a workflow file with a fault", () => {
  it.each<[what: string, text: string, expected: string[]]>([
    [
      "that is no YAML",
      "name: [",
      ["mails/trial.yaml:1:8 Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
    ["that is empty", "", ["mails/trial.yaml:1:1 the file is empty"]],
    ["without steps", "name: Trial", ["mails/trial.yaml:1:1 steps: is missing"]],
    [
      "with a misspelled key",
      file("  - send: { subjet: Hi }"),
      ["mails/trial.yaml:3:21 steps[0].send.subjet: is no key here: did you mean subject?"],
    ],
    [
      "with two kinds in a step",
      file("  - wait: 3 d\n    goto: exit"),
      ["mails/trial.yaml:3:5 steps[0]: must have exactly one of wait, filter, send, branch, experiment, goto"],
    ],
    [
      "with a time that is none",
      file("  - wait: three days"),
      ['mails/trial.yaml:3:11 steps[0].wait: "three days" must be a time such as 3 d, 12 h or 30 m'],
    ],
    [
      "with a timer that is too long",
      file("  - wait: 731 d"),
      ["mails/trial.yaml:3:11 steps[0].wait: a timer waits at most 730 days, and 731 d is longer"],
    ],
    [
      "with an unknown operator",
      file("  - filter: { all: [plan: { is: pro }] }"),
      [
        "mails/trial.yaml:3:27 steps[0].filter.all[0].plan: operator must be one of any, empty, notEmpty, equals, notEquals, contains, notContains, greaterThan, lessThan, isTrue, isFalse, dateEmpty, dateNotEmpty, after, before, between",
      ],
    ],
    [
      "with an unknown segment",
      file("  - filter: { segment: Lost }"),
      ['mails/trial.yaml:3:24 steps[0].filter.segment: there is no segment "Lost"'],
    ],
    [
      "with an unknown list",
      file("  []", "list: Other\n"),
      ['mails/trial.yaml:2:7 list: there is no mailing list "Other"'],
    ],
    [
      "with a goto to nowhere",
      file("  - goto: last"),
      ['mails/trial.yaml:3:11 steps[0].goto: there is no step with the name "last"'],
    ],
    [
      "with a step after a goto",
      file("  - goto: exit\n  - wait: 1 d"),
      [
        "mails/trial.yaml:4:5 steps[1]: stands after a goto, so no contact comes here",
        "mails/trial.yaml:4:5 steps[1]: no step leads here",
      ],
    ],
    [
      "with a goto that leads back",
      file("  - wait: 1 d\n    name: top\n  - goto: top"),
      ["mails/trial.yaml:3:3 steps: there is a cycle: a goto may not lead back to a step above it"],
    ],
    [
      "with a goto that leads to itself",
      file("  - name: here\n    goto: here"),
      [
        "mails/trial.yaml:3:11 steps[0].name: a goto has no name: give the name to the step that it leads to",
        'mails/trial.yaml:4:11 steps[0].goto: there is no step with the name "here"',
      ],
    ],
    [
      "with 299 timers",
      file("  - wait: 1 d\n".repeat(299)),
      ["mails/trial.yaml:3:3 steps: make 301 nodes with the trigger and the exit, and a workflow has at most 300"],
    ],
    [
      "with too many paths",
      file(`  - branch: [${"{},".repeat(298)}]`),
      ["mails/trial.yaml:3:3 steps: make 301 nodes with the trigger and the exit, and a workflow has at most 300"],
    ],
    ["with an alias of nothing", file("  - wait: *long"), ["mails/trial.yaml:3:11 *long: there is no &long above it"]],
    [
      "with an alias inside its own part",
      file("  - &a { branch: [{ steps: [*a] }] }"),
      ["mails/trial.yaml:3:29 *a stands inside &a"],
    ],
    [
      "with aliases that multiply",
      `a: &a [x, x, x, x, x, x, x, x, x]\n${["b", "c", "d", "e", "f"]
        .map((name, i) => `${name}: &${name} [${`*${"abcde"[i]},`.repeat(9)}]\n`)
        .join("")}`,
      ["mails/trial.yaml:2:8 the aliases make the file too large: write less of them"],
    ],
    [
      "that is nested too deeply",
      file(`  - ${"{ branch: [{ steps: [".repeat(20_000)}`),
      ["mails/trial.yaml:1:1 the file is nested too deeply"],
    ],
    [
      "with two operators in a condition",
      file("  - filter: { all: [plan: { equals: pro, contains: p }] }"),
      ["mails/trial.yaml:3:27 steps[0].filter.all[0].plan: must have one operator, and has equals and contains"],
    ],
    [
      "with two conditions in one",
      file("  - filter: { all: [{ plan: { equals: pro }, seats: { equals: 5 } }] }"),
      ["mails/trial.yaml:3:29 steps[0].filter.all[0].plan: must be one condition: begin the next one with a dash"],
    ],
    [
      "with two operators in a comparison",
      file("  []", "trigger: { property: plan, is: { equal: pro, contains: p } }\n"),
      ["mails/trial.yaml:2:32 trigger.is: must have one operator, and has equal and contains"],
    ],
    [
      "with a name twice",
      file("  - { name: a, wait: 1 d }\n  - { name: a, wait: 1 d }"),
      ['mails/trial.yaml:4:13 steps[1].name: "a" is the name of another step: names are unique'],
    ],
    [
      "with a mail file that is missing",
      file("  - send: { lmx: ./none.lmx }"),
      ["mails/trial.yaml:3:18 steps[0].send.lmx: There is no file mails/none.lmx."],
    ],
    [
      "with a fault in its mail file",
      file("  - send: { lmx: ./bad.lmx }"),
      ['mails/bad.lmx:2:1 There is no key "subjekt": did you mean subject?'],
    ],
    [
      "with a fallback that is no variable",
      file("  - send: { fallbacks: { plan: x } }"),
      [
        "mails/trial.yaml:3:32 steps[0].send.fallbacks.plan: must be a variable such as contact.firstName or event.plan",
      ],
    ],
    [
      "with a number in the place of a text",
      file("  - send: { fallbacks: { event.plan: 3 } }"),
      ["mails/trial.yaml:3:38 steps[0].send.fallbacks.event.plan: must be a text; write numbers in quotes"],
    ],
    [
      "with two controls",
      file("  - experiment: { percent: 50, paths: [{ control: true }, { control: true }] }"),
      ["mails/trial.yaml:3:5 steps[0]: has two controls"],
    ],
    [
      "with a percentage over 100",
      file("  - experiment: { percent: 150, paths: [{ control: true }, {}] }"),
      ["mails/trial.yaml:3:28 steps[0].experiment.percent: must be a number from 0 to 100"],
    ],
    [
      "with an event that has no valid name",
      file("  []", 'trigger: { event: "" }\n'),
      ["mails/trial.yaml:2:19 trigger.event: must not be empty"],
    ],
    [
      "with an unknown comparison",
      file("  []", "trigger: { property: plan, is: { same: pro } }\n"),
      [
        "mails/trial.yaml:2:32 trigger.is: must be one of any, contains, not_contains, empty, not_empty, equal, not_equal, greater_than, less_than, true, false, numeric_equal, numeric_not_equal, after, before, between",
      ],
    ],
  ])("%s: the message has line and key", (_, text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  it("has all of its faults named at once", () => {
    expect(faults(file("  - wait: long\n  - filter: { segment: Lost }\n  - goto: nowhere"))).toHaveLength(3);
  });
});

it("50 000 steps are refused at once", () => {
  const ms = threadTime(() => expect(faults(file("  - wait: 1 d\n".repeat(50_000)))).toHaveLength(1));
  expect(ms).toBeLessThan(15_000);
});

describe("a workflow file", () => {
  it("may repeat a part with an alias", () => {
    const { graph } = read(file("  - &day { wait: 1 d }\n  - *day"));
    expect(Object.values(graph.nodes).filter(({ typeName }) => typeName === "TimerAction")).toHaveLength(2);
  });

  it("may be JSON", () => {
    const text = JSON.stringify({ name: "Trial", list: "News", trigger: "signup", steps: [{ wait: "2 hours" }] });
    const { name, list, graph } = read(text);
    expect({ name, list }).toEqual({ name: "Trial", list: "lst_1" });
    expect(Object.values(graph.nodes)).toContainEqual(
      expect.objectContaining({ typeName: "TimerAction", amount: 2, unit: "h" }),
    );
  });

  it("writes dates and numbers of a trigger as the API stores them", () => {
    const { graph } = read(
      file("  []", "trigger: { property: seats, was: { less_than: '5' }, is: { after: 2026-11-22 } }\n"),
    );
    expect(graph.nodes[graph.root]).toMatchObject({
      contactPropertyQuery: {
        key: "seats",
        was: { operator: "less_than", value: 5 },
        is: { operator: "after", value: "2026-11-22T00:00:00.000Z" },
      },
    });
  });
});
