import { describe, expect, it } from "vitest";
import { type Io, run, type Shown } from "../../../scripts/import/run.ts";

const shown: Shown = {
  ...{ id: "imp_1", state: "ready", columns: ["E-mail", "Work mail", "Plan"], rows: 2 },
  preview: [["", "ada@example.com", "pro"]],
  mapping: { "E-mail": "email", "Work mail": null, Plan: null },
  ...{ processed: 0, created: 0, updated: 0, unchanged: 0, refused: 0 },
};

/** A service that takes the file, runs for one question, and then is done. */
const service = (end: Partial<Shown> = { created: 2 }, refuses = false) => {
  const asked: unknown[] = [];
  const printed: string[] = [];
  let questions = 0;
  const io: Io = {
    upload: async (path, query) => {
      asked.push(["upload", path, query]);
      return shown;
    },
    ask: async (method, path, body) => {
      asked.push([method, path, ...(body ? [body] : [])]);
      if (refuses && path.endsWith("/start")) throw new Error("mapping: one column must become email or userId.");
      if (method === "POST") return shown;
      questions += 1;
      return questions === 1
        ? { ...shown, state: "running", processed: 1, created: 1 }
        : { ...shown, state: "done", processed: 2, ...end };
    },
    saveOutcome: async (id, path) => void asked.push(["save", id, path]),
    print: (text) => printed.push(text),
    progress: (text) => printed.push(text),
    sleep: async () => {},
  };
  return { io, asked, text: () => printed.join("\n") };
};

describe("npm run import", () => {
  it("shows what each column becomes, and imports nothing without --start", async () => {
    const { io, asked, text } = service();
    expect(await run(["a/people.csv"], { encoding: "windows-1252" }, io)).toBe(true);
    expect(asked).toEqual([
      ["upload", "a/people.csv", "?name=people.csv&encoding=windows-1252"],
      ["POST", "/imp_1/cancel"],
    ]);
    expect(text()).toMatch(/Work mail +\(ignored\) +ada@example.com/);
    expect(text()).toContain("Nothing was imported.");
  });

  it("starts with the mapping and the options, shows progress, and saves the outcome", async () => {
    const { io, asked, text } = service();
    const values = { start: true, map: ["Work mail=email", "Plan=plan"], create: ["plan=string"], list: ["lst_1"] };
    expect(await run(["people.csv"], { ...values, "only-new": true, "trigger-workflows": true }, io)).toBe(true);
    expect(asked[1]).toEqual([
      "POST",
      "/imp_1/start",
      {
        mapping: { "E-mail": null, "Work mail": "email", Plan: "plan" },
        ...{ createProperties: { plan: "string" }, mailingLists: ["lst_1"], dryRun: false },
        ...{ updateExisting: false, triggerWorkflows: true },
      },
    ]);
    expect(asked.at(-1)).toEqual(["save", "imp_1", "people.outcome.csv"]);
    expect(text()).toContain("1 of 2 rows: 1 created");
    expect(text()).toContain("2 created, 0 updated, 0 unchanged, 0 refused. Every row: people.outcome.csv");
  });

  it("fails where rows were refused, and cancels the file of a dry run", async () => {
    const { io, asked } = service({ created: 1, refused: 1 });
    expect(await run(["people.csv"], { "dry-run": true, outcome: "o.csv" }, io)).toBe(false);
    expect(asked.slice(-2)).toEqual([
      ["save", "imp_1", "o.csv"],
      ["POST", "/imp_1/cancel"],
    ]);
  });

  it("cancels the file where the start is refused, and says what is wrong with an option", async () => {
    const { io, asked } = service({}, true);
    await expect(run(["people.csv"], { start: true }, io)).rejects.toThrow("one column must become email");
    expect(asked.at(-1)).toEqual(["POST", "/imp_1/cancel"]);
    await expect(run([], {}, io)).rejects.toThrow("Name the CSV file");
    await expect(run(["a.csv"], { map: ["Plan"] }, io)).rejects.toThrow("--map Plan: expected two names");
  });
});
