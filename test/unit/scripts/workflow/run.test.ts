import { describe, expect, it } from "vitest";
import { parse } from "../../../../scripts/lib/command.ts";
import { Refused } from "../../../../scripts/lib/team-service.ts";
import type { Status } from "../../../../scripts/workflow/answers.ts";
import type { Service } from "../../../../scripts/workflow/files.ts";
import { run } from "../../../../scripts/workflow/run.ts";
import { WORKFLOWS } from "../../../../scripts/workflow/usage.ts";
import { type Kept, standIn } from "./stand-in.ts";

const listed = (id: string, name: string, status = "Sending") => ({
  id,
  name,
  status,
  waiting: 3,
  createdAt: "2026-11-22T12:00:00.000Z",
  updatedAt: "2026-11-22T12:00:00.000Z",
});
const TRIAL = listed("wfl_1", "Trial");

type Answers = Record<string, unknown>;
type Ran = { ok: boolean; printed: string; asked: { path: string; body?: unknown }[]; saved: Record<string, string> };

const command = async (line: string[], answers: Answers = {}, all = new Map<string, Kept>()): Promise<Ran> => {
  const ran: Ran = { ok: false, printed: "", asked: [], saved: {} };
  const given: Answers = { "GET ?perPage=50": { pagination: { nextCursor: null }, data: [TRIAL] }, ...answers };
  const service: Service = {
    hasKey: all.size > 0,
    api: () => standIn(all).api,
    async admin<T>(method: string, path: string, body?: object): Promise<T> {
      const key = `${method} ${path}`;
      if (key !== "GET ?perPage=50") ran.asked.push({ path: key, ...(body === undefined ? {} : { body }) });
      const answer = given[key];
      if (answer instanceof Error) throw answer;
      if (answer === undefined && key.endsWith("/status"))
        throw new Refused("No such workflow.", { code: "workflow_not_found" });
      if (answer === undefined) throw new Error(`nothing at ${key}`);
      return answer as T;
    },
  };
  ran.ok = await run(parse(WORKFLOWS, line), {
    service,
    print: (text) => (ran.printed += `${text}\n`),
    clear: () => {},
    load: (path) => ran.saved[path] ?? "",
    save: (path, text) => {
      ran.saved[path] = text;
    },
    sleep: async () => {
      throw new Error("the second look");
    },
  });
  return ran;
};

const none = { passed: 0, passedLastDay: 0, left: {}, edges: [] };
const status: Status = {
  id: "wfl_1",
  name: "Trial",
  status: "PausedAndQueueing",
  pausedAt: "2026-11-22T12:00:00.000Z",
  workflowRevisionId: "rev_1",
  queuesUntil: "2026-11-23T12:00:00.000Z",
  entered: 9,
  active: 3,
  sweeping: false,
  passedSince: null,
  ended: { completed: 4, no_branch: 2, fault: 0 },
  dropped: { entered_before: 5 },
  nodes: [
    { nodeId: "t", typeName: "EventTrigger", text: "the start", waiting: 0, due: 0, nextWake: null, ...none },
    { nodeId: "b", typeName: "BranchNode", text: "the branch", waiting: 0, due: 0, nextWake: null, ...none },
    { nodeId: "f", typeName: "AudienceFilter", text: "the filter", waiting: 0, due: 0, nextWake: null, ...none },
    {
      nodeId: "w",
      typeName: "TimerAction",
      text: "the timer of 3 days",
      waiting: 3,
      due: 1,
      nextWake: "2026-11-24T08:00:00.000Z",
      ...none,
      passed: 6,
    },
    {
      nodeId: "e",
      typeName: "SendEmailAction",
      text: 'the mail "Hi"',
      waiting: 0,
      due: 0,
      nextWake: null,
      ...none,
      mails: { queued: 0, held: 0, sent: 4, notSent: 1, failed: 0, unknown: 0 },
    },
    { nodeId: "x", typeName: "ExitAction", text: "the end", waiting: 0, due: 0, nextWake: null, ...none },
  ],
};

const kept: Kept = {
  id: "wfl_1",
  name: "Trial",
  description: "",
  list: null,
  status: "Paused",
  revision: 1,
  waiting: {},
  messages: {},
  graph: {
    root: "t",
    exit: "x",
    lastK: 6,
    nodes: {
      t: { typeName: "SignupTrigger", k: 1, nextNodeIds: ["b"] },
      b: { typeName: "BranchNode", k: 2, nextNodeIds: ["f"] },
      f: {
        typeName: "AudienceFilter",
        k: 3,
        nextNodeIds: ["w"],
        audienceFilter: null,
        audienceSegmentId: null,
        appliesDownstream: false,
      },
      w: { typeName: "TimerAction", k: 4, nextNodeIds: ["x"], amount: 3, unit: "d" },
      x: { typeName: "ExitAction", k: 6, nextNodeIds: [] },
    },
  },
};

describe("npm run workflow", () => {
  it("lists workflows", async () => {
    expect((await command([])).printed).toMatch(/Trial +Sending +3 +wfl_1/);
    const none = { "GET ?perPage=50": { pagination: { nextCursor: null }, data: [] } };
    expect((await command(["list"], none)).printed).toContain("This team has no workflow");
  });

  it("lists who waits at each step, also where the first answer has none of them", async () => {
    const ada = {
      contact: { id: "con_1", email: "ada@example.com", userId: null },
      run: 1,
      why: "",
      since: "2026-11-22T08:00:00.000Z",
      until: "2026-11-24T08:00:00.000Z",
    };
    const path = "GET /wfl_1/nodes/w/contacts?perPage=50";
    const { printed } = await command(["here", "trial"], {
      "GET /wfl_1/status": status,
      [path]: { data: [], next: "c2", searchedTo: "2026-11-23T08:00:00.000Z" },
      [`${path}&cursor=c2`]: { data: [ada], next: null, searchedTo: null },
    });
    expect(printed.trimEnd().split("\n")).toEqual([
      "the timer of 3 days: 3",
      "  ada@example.com  since 2026-11-22 08:00 UTC  next step 2026-11-24 08:00 UTC",
      "  and 2 more",
    ]);
    const empty = { ...status, nodes: status.nodes.map((node) => ({ ...node, waiting: 0 })) };
    expect((await command(["here", "trial"], { "GET /wfl_1/status": empty })).printed).toContain(
      "Nobody is in Trial now.",
    );
  });

  it("names a misspelled command's neighbor, a missing argument, and an unknown workflow's alternatives", async () => {
    await expect(command(["explian"])).rejects.toThrow("Unknown command 'explian'\nDid you mean explain?");
    await expect(command(["start"])).rejects.toThrow("Missing required argument 'workflow'");
    await expect(command(["explain", "trial"])).rejects.toThrow("Missing required argument 'contact'");
    await expect(command(["apply"])).rejects.toThrow("Missing required argument 'file'");
    await expect(command(["start", "wfl_9"])).rejects.toThrow(/no workflow "wfl_9"[\s\S]*wfl_1 +Trial/);
    await expect(command(["start", "other"])).rejects.toThrow(/no workflow "other"[\s\S]*wfl_1 +Trial/);
    const twice = { "GET ?perPage=50": { pagination: { nextCursor: null }, data: [TRIAL, listed("wfl_2", "Trial")] } };
    await expect(command(["start", "Trial"], twice)).rejects.toThrow(
      /2 workflows have the name[\s\S]*wfl_1[\s\S]*wfl_2/,
    );
  });

  it("finds a workflow on a later page, by its exact name before one that differs in case", async () => {
    const pages = {
      "GET ?perPage=50": { pagination: { nextCursor: "c 1" }, data: [listed("wfl_2", "TRIAL")] },
      "GET ?perPage=50&cursor=c%201": { pagination: { nextCursor: null }, data: [listed("wfl_3", "trial")] },
      "POST /wfl_3/stop": { id: "wfl_3", status: "Paused" },
    };
    expect((await command(["stop", "trial"], pages)).printed).toContain("trial is Paused.");
  });

  it.each([
    ["apply s.yaml --dry-run", "Unknown option '--dry-run'\nIt is an option of start, resume."],
    ["pause trial --dry-run", "Unknown option '--dry-run'\nIt is an option of start, resume."],
    ["stop trial --dry-run", "Unknown option '--dry-run'"],
    ["remove trial ada@example.com --dry-run", "Unknown option '--dry-run'"],
    ["start trial --discard", "Unknown option '--discard'\nIt is an option of apply."],
    ["plan trial.yaml --discard", "Unknown option '--discard'"],
    ["apply trial.yaml --json", "Unknown option '--json'"],
    ["dry-run trial --contact ada@example.com", "Unknown option '--contact'\nIt is an option of simulate."],
    ["list --days 3", "Unknown option '--days'\nIt is an option of simulate, dry-run."],
    ["list trial", "Too many arguments for 'list'. Expected 0 arguments but got 1"],
    ["stop Welcome back", "Put a name with spaces in quotes."],
    ["explain Welcome back ada@example.com", "Put a name with spaces in quotes."],
    ["simulate Welcome back plan=pro", "The event property back: expected name=value."],
    ["apply a.yaml b.yaml", "Too many arguments for 'apply'. Expected 1 argument but got 2"],
    ["strat trial", "Unknown command 'strat'\nDid you mean start?"],
    ["explain trial ..", '".." names no contact'],
    ["remove trial .", '"." names no contact'],
  ])("refuses %s before any request", async (line, message) => {
    await expect(command(line.split(" "), { "GET ?perPage=50": new Error("asked") })).rejects.toThrow(message);
  });

  it("starts a workflow, and says everything that it lacks", async () => {
    const warnings = [{ nodeId: null, code: "no_mail", message: "It sends no mail." }];
    const started = { id: "wfl_1", status: "Sending", problems: [], warnings };
    const ok = await command(["start", "trial"], { "POST /wfl_1/start": started });
    expect(ok).toMatchObject({ ok: true, asked: [{ path: "POST /wfl_1/start", body: { dryRun: false } }] });
    expect(ok.printed).toBe("Trial is Sending.\nWarnings:\n  It sends no mail.\n");

    const problems = [
      { nodeId: "nod_1", code: "no_subject", message: "The mail has no subject." },
      { nodeId: null, code: "no_trigger", message: "Choose a trigger." },
    ];
    const refusal = new Refused("It cannot start.", { code: "workflow_not_ready", problems, warnings: [] });
    const refused = await command(["start", "trial"], { "POST /wfl_1/start": refusal });
    expect(refused.ok).toBe(false);
    expect(refused.printed).toBe(
      "Trial cannot start.\nProblems:\n  nod_1: The mail has no subject.\n  Choose a trigger.\n",
    );
    const dry = await command(["resume", "trial", "--dry-run"], { "POST /wfl_1/resume": { ...started, problems } });
    expect(dry).toMatchObject({ ok: false, asked: [{ body: { dryRun: true } }] });
    expect(dry.printed).toContain("Trial cannot start yet. Nothing was changed.");
    await expect(
      command(["start", "trial"], { "POST /wfl_1/start": new Refused("No such team.", { code: "team_not_found" }) }),
    ).rejects.toThrow("No such team.");
  });

  it("pauses, and says until when new contacts are queued", async () => {
    const paused = { id: "wfl_1", status: "PausedAndQueueing", pausedAt: "", queuesUntil: "2026-11-23T12:00:00.000Z" };
    const answers = { "GET /wfl_1/status": status, "POST /wfl_1/pause": paused };
    const { printed } = await command(["pause", "wfl_1"], { ...answers, "GET ?perPage=50": new Error("the list") });
    expect(printed).toBe("Trial is PausedAndQueueing. New contacts are queued until 2026-11-23T12:00:00.000Z.\n");
  });

  it("shows the status as a tree with reasons in words", async () => {
    const answers = { "GET /wfl_1/status": status };
    const { printed } = await command(["status", "trial"], answers, new Map([["wfl_1", kept]]));
    expect(printed.split("\n").map((line) => line.trimEnd())).toEqual([
      "Trial (wfl_1): PausedAndQueueing, new contacts are queued until 2026-11-23 12:00 UTC",
      "9 entered, 3 in it now",
      "Ended: 4 completed, 2 no branch",
      "Did not enter: 5 entered before",
      "",
      "step                 waiting  due  next                  passed  mails",
      "───────────────────  ───────  ───  ────────────────────  ──────  ─────",
      "the start",
      "the branch",
      "  the filter",
      "the timer of 3 days  3        1    2026-11-24 08:00 UTC  6",
      "the end",
      "",
    ]);
    expect((await command(["status", "trial"], answers)).printed).toContain('the mail "Hi"');
    expect((await command(["status", "trial"], answers)).printed).toContain("4 sent, 1 not sent");
  });

  it("prints the answer for programs, and looks again with --watch", async () => {
    const answers = { "GET /wfl_1/status": status };
    expect(JSON.parse((await command(["status", "trial", "--json"], answers)).printed)).toEqual(status);
    await expect(command(["status", "trial", "--watch"], answers)).rejects.toThrow("the second look");
  });

  it("explains and removes a contact", async () => {
    const story = {
      contact: { id: "con_1", email: "ada@example.com", userId: null },
      runs: [
        {
          run: 1,
          enteredAt: "2026-11-20T08:00:00.000Z",
          code: "waiting",
          text: "It waits.",
          lines: [{ at: "2026-11-20T08:00:00.000Z", nodeId: "w", text: "came to the timer" }],
        },
      ],
      entry: { code: "entered_before", text: "It entered before." },
    };
    const path = "/wfl_1/contacts/ada%40example.com";
    const explained = await command(["explain", "trial", "ada@example.com"], { [`GET ${path}`]: story });
    expect(explained.printed).toBe(
      "ada@example.com (con_1)\n\nEntered 2026-11-20 08:00 UTC. It waits.\n  2026-11-20 08:00 UTC  came to the timer\n\nIt entered before.\n",
    );
    const removed = await command(["remove", "trial", "ada@example.com"], { [`POST ${path}/remove`]: { removed: 1 } });
    expect(removed.printed).toBe("The contact is out of Trial.\n");
  });

  it("simulates with properties, an event and assumptions in their types", async () => {
    const line = ["simulate", "trial", "--property", "seats=5", "--property", "plan=pro", "--event", "trialStarted"];
    const more = ["plan=pro", 'code="7"', "--assume", "3:plan=team", "--assume", "3:active=true", "--days", "60"];
    const lines = [{ at: "2026-11-23T12:00:00.000Z", day: 1, nodeId: "w", text: "goes on" }];
    const mails = [{ at: "2026-11-23T12:00:00.000Z", subject: "Hi" }];
    const answer = { entered: true, lines, mails, end: { code: "completed", text: "It came to the end." } };
    const { asked, printed } = await command([...line, ...more], { "POST /wfl_1/simulate": answer });
    expect(asked[0]?.body).toEqual({
      properties: { email: "invented.contact@example.com", seats: 5, plan: "pro" },
      event: { name: "trialStarted", properties: { plan: "pro", code: "7" } },
      assume: { "3": { plan: "team", active: true } },
      days: 60,
    });
    expect(printed).toContain("day   1  2026-11-23 12:00 UTC  goes on");
    expect(printed).toContain('1 mail\n  2026-11-23 12:00 UTC  "Hi"');
    for (const [more, body] of [
      [["--property", "email=bo@example.com"], { properties: { email: "bo@example.com" } }],
      [["--property", "email="], { properties: {} }],
      [["--contact", "bo@example.com"], { contact: "bo@example.com", properties: {} }],
    ] as const) {
      const ran = await command(["simulate", "trial", ...more], { "POST /wfl_1/simulate": answer });
      expect(ran.asked).toEqual([{ path: "POST /wfl_1/simulate", body }]);
    }
    const not = {
      entered: false,
      reason: { code: "unsubscribed", text: "It is unsubscribed." },
      lines: [],
      mails: [],
      end: null,
    };
    const refused = await command(["simulate", "trial"], { "POST /wfl_1/simulate": not });
    expect(refused.printed).toBe("It is unsubscribed.\n");
  });

  it.each([
    [["simulate", "trial", "--property", "plan"], "--property plan: expected name=value."],
    [["simulate", "trial", "plan=pro"], "plan=pro: of which event? Add --event name."],
    [["simulate", "trial", "--assume", "plan=pro"], "--assume plan=pro: expected days:name=value, such as 3:plan=pro."],
    [["dry-run", "trial", "--days", "soon"], "--days soon: expected a number of days."],
  ])("refuses %j", async (line, message) => {
    await expect(command(line)).rejects.toThrow(message);
  });

  it("prints a dry run and a difference", async () => {
    const dry = {
      from: "2026-11-15T12:00:00.000Z",
      until: "2026-11-22T12:00:00.000Z",
      events: 9,
      entered: 2,
      notEntered: { unsubscribed: 1 },
      mails: [
        { nodeId: "e", subject: "Hi", count: 2, notSent: 0 },
        { nodeId: "f", subject: "", count: 0, notSent: 1 },
      ],
      ended: { completed: 1 },
      waiting: [{ nodeId: "w", text: "the timer of 3 days", count: 1 }],
      contacts: [{ id: "con_1", email: "ada@example.com", text: "waits" }],
      notes: ["Filters see contacts as they are now."],
    };
    const { asked, printed } = await command(["dry-run", "trial", "--days", "7"], { "POST /wfl_1/dry-run": dry });
    expect(asked[0]?.body).toEqual({ days: 7 });
    expect(printed).toBe(
      [
        "2026-11-15 12:00 UTC to 2026-11-22 12:00 UTC: 9 events would have started 2 runs",
        "Would not have entered: 1 unsubscribed",
        "Ended: 1 completed",
        "Waiting at the timer of 3 days: 1",
        "",
        "mail          sent  not sent",
        "────────────  ────  ────────",
        "Hi            2",
        "(no subject)        1",
        "",
        "  ada@example.com  waits",
        "",
        "Filters see contacts as they are now.",
        "",
      ].join("\n"),
    );
    const version = (revision: string) => ({ revision, at: "2026-11-22T12:00:00.000Z", ran: false });
    const difference = {
      from: version("rev_1"),
      to: version("rev_2"),
      waiting: 40,
      looked: 40,
      next: null,
      changes: [{ nodeId: "nod_1", text: "The timer takes 5 days now, before 3 days." }],
      impact: [{ nodeId: "nod_1", code: "later", text: "37 go on later", contacts: 37 }],
      text: "37 contacts wait on what changes: 37 go on later.",
    };
    const ask = async (answer: object) => {
      const part = { ...difference, text: "A part.", looked: 20, next: "c2" };
      const answers = { "GET /wfl_1/diff?from=rev_1": part, "GET /wfl_1/diff?from=rev_1&cursor=c2": answer };
      return (await command(["diff", "trial", "--from", "rev_1"], answers)).printed;
    };
    expect((await ask(difference)).replaceAll(/ +$/gm, "")).toBe(
      [
        "From rev_1 of 2026-11-22 12:00 UTC to rev_2 of 2026-11-22 12:00 UTC",
        "",
        "node   change",
        `─────  ${"─".repeat(42)}`,
        "nod_1  The timer takes 5 days now, before 3 days.",
        "",
        "nod_1  37 go on later",
        "",
        "40 contacts in the workflow. 37 contacts wait on what changes: 37 go on later.",
        "",
      ].join("\n"),
    );
    expect(await ask({ ...difference, changes: [], impact: [] })).toContain("UTC: nothing is different.");
  });

  it("exports, plans and applies files", async () => {
    const all = new Map([["wfl_1", structuredClone(kept)]]);
    const { saved, printed } = await command(["export", "trial", "trial.json"], {}, all);
    expect(printed).toContain("npm run workflow -- apply trial.json");
    expect(JSON.parse(saved["trial.json"] ?? "")).toEqual({
      name: "Trial",
      trigger: "signup",
      steps: [{ branch: [{ filter: "everyone" }] }, { wait: "3 d" }],
    });
    expect((await command(["export", "trial"], {}, all)).printed).toContain("  - wait: 3 d");
  });
});
