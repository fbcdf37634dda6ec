import { describe, expect, it } from "vitest";
import bounds from "./loops.json" with { type: "json" };
import { unboundedLoopsOf } from "./loops.ts";
import { parse, sources } from "./source.ts";

/** Outside calls of one event: the free plan has 50, and some are of other work. */
const CALLS = 40;

const found = sources.filter(({ file }) => !file.startsWith("dashboard/app/")).flatMap(unboundedLoopsOf);
const named = Object.values(bounds).flatMap((group) => Object.keys(group));
const nameOf = ({ file, name }: { file: string; name: string }) => `${file} ${name}`;

describe("loops of the Workers that await", () => {
  it("end after a number in their head, or test/unit/loops.json has their bound", () => {
    const open = found.filter((loop) => !named.includes(nameOf(loop)));
    expect(open.map(({ file, name, line }) => `${file}:${line} ${name}`)).toEqual([]);
  });

  it("are all of the list", () => {
    expect(named.filter((name) => !found.some((loop) => nameOf(loop) === name))).toEqual([]);
  });

  it(`make at most ${CALLS} outside calls in an event`, () => {
    expect(Object.entries(bounds.calls).filter(([, [most]]) => Number(most) > CALLS)).toEqual([]);
  });
});

/** Async functions that the planted loops name. */
const SENDS = "const send = async (row) => row;\nclass Sender { async #send(row) { return row; } }";

describe("a loop without a bound", () => {
  it.each([
    ["over rows", "for (const { id } of due) await check(id);"],
    ["over rows, in a block", "for (const row of rows) {\n  log(row);\n  await send(row);\n}"],
    ["until all is done", "while (rows.length > 0) await send(rows.pop());"],
    ["over pages", "for (let next = first; next; next = await read(next)) show(next);"],
    ["that ends nowhere", "for (;;) await step();"],
    ["over a stream", "for await (const piece of body) keep(piece);"],
    ["of calls at once", "await Promise.all(teams.map((team) => call(team)));"],
    ["of spread calls", "await Promise.all([...teams].map(async (team) => call(team)));"],
    ["of calls that are awaited later", "const calls = teams.map(async (team) => call(team));"],
    ["until nothing is left", "while (rows.length >= 1) await send(rows.pop());"],
    ["until a set is empty", "while (1 <= open.size) await send(open);"],
    ["of calls for each", "rows.forEach(async (row) => call(row));"],
    ["of an async function for each", "rows.forEach(send);"],
    ["of an async method for each", "const calls = rows.map(this.#send);"],
    ["of calls at once, by an async function", "await Promise.all(rows.map(send));"],
    ["of calls without an await", "for (const row of rows) void send(row);"],
    ["of calls without an await, for each", "rows.forEach((row) => void send(row));"],
    ["with a bound that is data", "for (let n = 0; n < rows.length; n++) await send(rows[n]);"],
  ])("is found: %s", (_what, text) => {
    const whole = `const work = async () => {\n${text}\n};\n${SENDS}`;
    const lines = unboundedLoopsOf({ file: "x.ts", text: whole, tree: parse(whole) }).map(({ line }) => line);
    expect(lines).toEqual([2]);
  });

  it.each([
    ["with a number in its head", "for (let n = 0; n < MOST; n++) await step();"],
    ["with a number among others", "while (starts < MAX_STARTS && rows.length > 0) await send(rows.pop());"],
    ["with a budget", "for (; budget.left > 0; budget.left--) await step();"],
    ["over a slice", "for (const row of rows.slice(0, SLICE)) await send(row);"],
    ["over a list in the code", "for (const fresh of [false, true]) await ask(fresh);"],
    ["over a constant", "for (const name of NAMES) await ask(name);"],
    ["of a few lanes", "await Promise.all(Array.from({ length: LANES }, lane));"],
    ["of two calls", "const [a, b] = await Promise.all([first(), second()]);"],
    ["of an async function over a slice", "rows.slice(0, SLICE).forEach(send);"],
    ["of a function that is not async", "rows.forEach(show);"],
    ["of work that was begun", "for (const work of begun) void work;"],
    ["that fills up to a number", "while (rows.length < MOST) rows.push(await next());"],
    ["without a call", "for (const row of rows) show(row);"],
    ["with a call in a function of its own", "for (const row of rows) later(async () => await send(row));"],
  ])("is not what ends %s", (_what, text) => {
    const whole = `const work = async () => {\n${text}\n};\n${SENDS}`;
    expect(unboundedLoopsOf({ file: "x.ts", text: whole, tree: parse(whole) })).toEqual([]);
  });
});
