import { describe, expect, it } from "vitest";
import { checkOutcome, open } from "../../../scripts/import/files.ts";
import { run } from "../../../scripts/import/run.ts";
import type { Io, Shown } from "../../../scripts/import/types.ts";
import { IMPORT } from "../../../scripts/import/usage.ts";
import { UsageError } from "../../../scripts/lib/cli.ts";
import { parse } from "../../../scripts/lib/command.ts";
import { type Admin, Refused, Unreachable } from "../../../scripts/lib/team-service.ts";

const shown: Shown = {
  id: "imp_1",
  name: "people.csv",
  state: "ready",
  dryRun: false,
  rows: 2,
  columns: ["E-mail", "Work mail", "Plan"],
  preview: [["", "ada@example.com", "pro\u001b[2J\nx"]],
  mapping: { "E-mail": "email", "Work mail": null, Plan: null },
  processed: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
};

const NO_PROPERTY =
  'there is no contact property "NAME". Create it with createProperties, or use null to ignore the column';

type Answer = Partial<Shown> | { data: Partial<Shown>[] } | Error;
const gone = new Unreachable("Nothing answers at http://127.0.0.1:8788.");
const running = { state: "running", processed: 1, created: 1 } as const;
const done = { state: "done", processed: 2, created: 2 } as const;

const service = (answers: Record<string, Answer[]> = {}) => {
  const given: Record<string, Answer[]> = {
    list: [{ data: [] }],
    upload: [{}],
    get: [running, done],
    start: [running],
    cancel: [{}],
    save: [{}],
    ...answers,
  };
  const asked: unknown[] = [];
  const printed: string[] = [];
  let slept = 0;
  const next = (kind: string): object => {
    const [first, ...others] = given[kind] ?? [];
    if (others.length > 0) given[kind] = others;
    if (first instanceof Error) throw first;
    return { ...shown, ...first };
  };
  const ask = async (method: string, path: string, body?: object): Promise<object> => {
    asked.push([method, path, ...(body && !(body instanceof Blob) ? [body] : [])]);
    if (method === "GET") return next(path === "" ? "list" : "get");
    return next(path.startsWith("?") ? "upload" : (path.split("/").at(-1) ?? ""));
  };
  const io: Io = {
    open: async () => new Blob(["email\n"]),
    checkOutcome: async (path) => {
      if (path.startsWith("nowhere/")) throw new Error(`${path} cannot be written.`);
    },
    width: 80,
    ask: ask as Admin,
    saveOutcome: async (id, path) => {
      asked.push(["save", id, path]);
      next("save");
    },
    print: (text) => printed.push(text),
    progress: (text) => printed.push(text),
    sleep: async (ms) => {
      slept += ms;
    },
  };
  const posts = () => asked.filter((one) => (one as string[])[0] !== "GET");
  return { io, posts, text: () => printed.join("\n"), slept: () => slept };
};

describe("npm run import", () => {
  it("shows what each column becomes, and imports nothing without --start", async () => {
    const { io, posts, text } = service();
    const { args, values } = parse(IMPORT, ["a/people.csv", "--encoding", "windows-1252"]);
    expect(await run(args, values, io)).toBe(true);
    expect(posts()).toEqual([
      ["POST", "?name=people.csv&encoding=windows-1252"],
      ["POST", "/imp_1/cancel"],
    ]);
    expect(text()).toMatch(/Work mail +\(ignored\) +ada@example.com/);
    // A value of the file cannot control the terminal.
    expect(text()).toMatch(/Plan +\(ignored\) +pro\\u001b\[2J\\nx/);
    expect(text()).toContain("Nothing was imported.");
  });

  it("starts with the mapping and the options, shows progress, and saves the outcome", async () => {
    const { io, posts, text } = service();
    const values = { start: true, map: ["Work mail=email", "Plan=plan"], create: ["plan=string"], list: ["lst_1"] };
    expect(await run(["people.csv"], { ...values, "only-new": true, "trigger-workflows": true }, io)).toBe(true);
    expect(posts().slice(1)).toEqual([
      [
        "POST",
        "/imp_1/start",
        {
          mapping: { "E-mail": null, "Work mail": "email", Plan: "plan" },
          createProperties: { plan: "string" },
          mailingLists: ["lst_1"],
          dates: {},
          skipBadCells: false,
          allUnsubscribed: false,
          ignoreConsent: [],
          dryRun: false,
          updateExisting: false,
          triggerWorkflows: true,
        },
      ],
      ["save", "imp_1", "people.outcome.csv"],
    ]);
    expect(text()).toContain("1 of 2 rows: 1 created");
    expect(text()).toContain("2 created, 0 updated, 0 unchanged, 0 refused. Every row: people.outcome.csv");
  });

  it("says which columns say who gets no mail, and what becomes of these people", async () => {
    const consent = [
      { column: "State", to: "subscribed", says: 1, cells: [{ cell: "cleaned", rows: 1, says: "no" as const }] },
      { column: "Gone", to: null, says: 12, cells: [{ cell: "x", rows: 12, says: "no" as const }] },
      { column: "Bounced", to: "unsubscribed", says: 0, cells: [] },
      { column: "Wish", to: null, says: 0, cells: [{ cell: "hm", rows: 2, says: "unknown" as const }] },
    ].map((column) => ({ ...column, doubtful: false }));
    const file = {
      columns: ["E-mail", "State", "Gone", "Bounced", "Joined"],
      preview: [["a@example.com", "cleaned", "x", "", "01/02/2024"]],
      mapping: { "E-mail": "email", State: "subscribed", Gone: null, Bounced: null, Joined: "joined" },
      dates: { Joined: "unclear" as const },
    };
    const looked = service({ upload: [{ ...file, consent, fileSaysNo: true }] });
    await run(["people.csv"], {}, looked.io);
    expect(looked.text()).toContain('State: 1 cell of the file says "no mail". They are not subscribed.');
    expect(looked.text()).toContain('Gone: 12 cells of the file say "no mail". THEY WOULD BE SUBSCRIBED');
    expect(looked.text()).not.toContain("Bounced: ");
    expect(looked.text()).toContain('Wish: 2 cells with "hm" may say it: --map "COLUMN=…" decides.');
    expect(looked.text()).toContain("The name people.csv says that its people get no mail");
    expect(looked.text()).toContain("Joined: dates such as 01/02/2024 need --dates");
  });

  it("passes on the choices of a person", async () => {
    const { io, posts, text } = service();
    const line =
      "people.csv --start --all-unsubscribed --skip-bad-cells --ignore-consent State --dates Joined=day-first --map Plan=unsubscribed";
    const maps = ["--map", "E-mail=unsubscribed:gone|moved", "--map", "Work mail=email"];
    const { args, values } = parse(IMPORT, line.split(" ").concat(maps));
    await run(args, values, io);
    expect(posts()[1]).toEqual([
      "POST",
      "/imp_1/start",
      expect.objectContaining({
        mapping: { "E-mail": "unsubscribed:gone|moved", "Work mail": "email", Plan: "unsubscribed" },
        allUnsubscribed: true,
        skipBadCells: true,
        ignoreConsent: ["State"],
        dates: { Joined: "day-first" },
      }),
    ]);
    expect(text()).toContain("Nobody in the file is subscribed");
  });

  it("reads a file of suppressed addresses by its own guess", async () => {
    const columns = ["EmailAddress", "Reason", "LastUpdateTime"];
    const preview = [["a@example.com", "BOUNCE", "2024-01-02"]];
    const mapping = { EmailAddress: "email", Reason: null, LastUpdateTime: null };
    const { io, posts } = service({ upload: [{ columns, preview, mapping }] });
    await run(["bounces.csv"], { start: true, "suppress-as": "bounce" }, io);
    expect(posts()[1]).toEqual([
      "POST",
      "/imp_1/start",
      expect.objectContaining({
        mapping: { EmailAddress: "email", Reason: "suppressionReason", LastUpdateTime: "suppressedAt" },
        suppressAs: "bounce",
      }),
    ]);
  });

  it("says a refused start in words of the command", async () => {
    const message =
      'mapping.State: the column "State" says who gets no mail. Map it to "unsubscribed", or name it in ignoreConsent.';
    const { io } = service({ start: [new Refused(message, {})] });
    await expect(run(["people.csv"], { start: true }, io)).rejects.toThrow(
      'Map it: --map "COLUMN=unsubscribed", or ignore it: --ignore-consent "COLUMN".',
    );
  });

  it("fails where rows were refused, and cancels the file of a dry run", async () => {
    const { io, posts } = service({ get: [{ state: "ready", dryRun: true, created: 1, refused: 1 }] });
    expect(await run(["people.csv"], { "dry-run": true, outcome: "o.csv" }, io)).toBe(false);
    expect(posts().slice(-2)).toEqual([
      ["save", "imp_1", "o.csv"],
      ["POST", "/imp_1/cancel"],
    ]);
  });

  it("cancels the file where the start is refused, and says what is wrong with an option", async () => {
    const { io, posts } = service({ start: [new Refused("mapping: one column must become email or userId.", {})] });
    await expect(run(["people.csv"], { start: true }, io)).rejects.toThrow("one column must become email");
    expect(posts().at(-1)).toEqual(["POST", "/imp_1/cancel"]);
    await expect(run([], {}, io)).rejects.toThrow("Name the CSV file");
    await expect(run(["a.csv"], { import: "imp_1" }, io)).rejects.toThrow("Name the CSV file, or an import");
  });

  it("refuses wrong options before the upload", async () => {
    const { io, posts } = service();
    const refused: [Parameters<typeof run>[1], string][] = [
      [{ map: ["email"] }, "--map email: expected COLUMN=FIELD"],
      [{ map: ["Plan="] }, "--map Plan=: expected"],
      [{ dates: ["Joined"] }, "--dates Joined: expected COLUMN=ORDER"],
      [{ dates: ["Joined=us"] }, "--dates Joined=us: the order must be day-first or month-first."],
      [{ "suppress-as": "spam" }, "--suppress-as spam: the reason must be one of bounce, complaint, manual."],
      [{ create: ["plan"] }, "--create plan: expected NAME=TYPE, such as plan=string."],
      [{ create: ["plan=text"] }, "--create plan=text: the type must be one of string, number, boolean, date."],
      [{ start: true, "dry-run": true }, "give one of them"],
    ];
    for (const [values, message] of refused) {
      const error = await run(["a.csv"], values, io).catch((caught) => caught);
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain(message);
    }
    await expect(run(["a.csv"], { start: true, outcome: "nowhere/o.csv" }, io)).rejects.toThrow("cannot be written");
    expect(posts()).toEqual([]);
  });

  it("names the columns where the one of --map is not there, and takes the file back", async () => {
    const { io, posts } = service();
    await expect(run(["a.csv"], { start: true, map: ["foo=email"] }, io)).rejects.toThrow(
      '--map: the file has no column "foo". Its columns: "E-mail", "Work mail", "Plan".',
    );
    expect(posts().map((one) => (one as string[])[1])).toEqual(["?name=a.csv", "/imp_1/cancel"]);
  });

  it("names its own options where the service refuses the file", async () => {
    const bytes = service({
      upload: [new Refused("Name it: ?encoding=windows-1252 where …", { code: "invalid_csv" })],
    });
    await expect(run(["a.csv"], {}, bytes.io)).rejects.toThrow("Name it: --encoding windows-1252 where …");
    const many = service({ upload: [new Refused("Too many.", { code: "too_many_imports" })] });
    await expect(run(["a.csv"], {}, many.io)).rejects.toThrow(
      "Too many. --imports lists them, --cancel ID cancels one.",
    );
  });

  it("names its own options where the service refuses the mapping", async () => {
    const message = `mapping.Plan: ${NO_PROPERTY.replace("NAME", "plan")}.`;
    const { io } = service({ start: [new Refused(message, { code: "invalid_mapping" })] });
    await expect(run(["a.csv"], { start: true }, io)).rejects.toThrow(
      'mapping.Plan: there is no contact property "plan". Create it with --create NAME=TYPE, or use - to ignore the column.',
    );
  });

  it("shows the first rows with the columns that fit, and says how many", async () => {
    const preview = Array.from({ length: 20 }, (_, i) => [`row ${i}`, "x".repeat(90), "y", "z"]);
    const wide = { columns: ["a", "b", "c", "d"], preview, rows: 300, mapping: { a: "email" } };
    const { io, text } = service({ upload: [wide] });
    await run(["a.csv"], {}, { ...io, width: 30 });
    expect(text()).toContain("The first 20 of 300 rows, 2 of 4 columns:");
    expect(text()).toMatch(/\nrow 19 {2}x{20}\n/);
    const small = service({ upload: [{ rows: 1 }] });
    await run(["a.csv"], {}, small.io);
    expect(small.text()).toContain("Import imp_1: 1 row\n");
    expect(small.text()).toContain("\n1 row:\n");
  });

  it("lists imports and cancels one", async () => {
    const { io, posts, text } = service({ list: [{ data: [shown, { ...shown, id: "imp_2", state: "running" }] }] });
    expect(await run([], { imports: true }, io)).toBe(true);
    expect(text()).toMatch(/imp_1 +people.csv +ready +2\nimp_2 +people.csv +running +0 of 2$/);
    expect(await run([], { cancel: "imp_2" }, io)).toBe(true);
    expect(posts()).toEqual([["POST", "/imp_2/cancel"]]);
  });

  it("says in words that a file is missing or a folder, and that no outcome file can be written", async () => {
    await expect(open("test/no-such.csv")).rejects.toThrow(
      "The file test/no-such.csv cannot be read. There is no such",
    );
    await expect(open("test/unit")).rejects.toThrow("test/unit is a folder. Name the CSV file in it.");
    expect(await (await open("package.json")).text()).toContain("mailspan");
    await expect(checkOutcome("no-such-folder/o.csv")).rejects.toThrow("cannot be written, so nothing was imported");
    await expect(checkOutcome("test/unit")).rejects.toThrow("cannot be written");
    await checkOutcome("no-such-outcome.csv");
  });
});

describe("where the service stops", () => {
  it("before the upload, the command fails at once", async () => {
    const { io, posts, slept } = service({ list: [gone] });
    await expect(run(["people.csv"], { start: true }, io)).rejects.toThrow("Nothing answers");
    expect([posts(), slept()]).toEqual([[], 0]);
  });

  it("during the upload, it begins again, and what the first one left is cancelled", async () => {
    const before = { ...shown, id: "imp_0", state: "uploading" as const };
    const left = { ...shown, id: "imp_2", state: "uploading" as const };
    const lists = [{ data: [before] }, gone, gone, { data: [left, { ...left, id: "imp_3", name: "x.csv" }, before] }];
    const { io, posts, text } = service({ list: lists, upload: [gone, {}] });
    expect(await run(["people.csv"], { start: true }, io)).toBe(true);
    expect(posts().map((one) => (one as string[])[1])).toEqual([
      "?name=people.csv",
      "/imp_2/cancel",
      "?name=people.csv",
      "/imp_1/start",
      "imp_1",
    ]);
    expect(text()).toContain("The upload broke off. It begins again when the service answers.");
  });

  it("at the start, the import is started again only if it was not", async () => {
    const lost = service({ start: [gone, running], get: [gone, { state: "ready" }, running, done] });
    expect(await run(["people.csv"], { start: true }, lost.io)).toBe(true);
    const started = service({ start: [gone, new Refused("It is running.", {})], get: [running, done] });
    expect(await run(["people.csv"], { start: true }, started.io)).toBe(true);
    const starts = ({ posts }: typeof lost) => posts().filter((one) => (one as string[])[1]?.endsWith("/start")).length;
    expect([starts(lost), starts(started)]).toEqual([2, 1]);
  });

  it("during the import, the command waits for it and saves the whole outcome", async () => {
    const { io, posts, slept } = service({ get: [running, gone, gone, running, gone, done], save: [gone, {}] });
    expect(await run(["people.csv"], { start: true }, io)).toBe(true);
    expect(posts().filter((one) => (one as string[])[0] === "save")).toHaveLength(2);
    expect(slept()).toBe(4 * 1_000 + 2 * 500);
  });

  it("for longer than a minute, the command says how to go on", async () => {
    const { io } = service({ get: [running, gone] });
    await expect(run(["people.csv"], { start: true }, io)).rejects.toThrow("npm run import -- --import imp_1");
    const broken = service({ list: [{ data: [] }, gone], upload: [gone] });
    await expect(run(["people.csv"], {}, broken.io)).rejects.toThrow(
      "Nothing was imported. Start the service, and run",
    );
  });
});

describe("npm run import -- --import", () => {
  it("starts an import that is ready, and keeps its file where the start is refused or not asked for", async () => {
    const ready = service({ get: [{}, running, done] });
    expect(await run([], { import: "imp_1", start: true }, ready.io)).toBe(true);
    expect(ready.posts().map((one) => (one as string[])[1])).toEqual(["/imp_1/start", "imp_1"]);
    const looked = service({ get: [{}] });
    expect(await run([], { import: "imp_1" }, looked.io)).toBe(true);
    expect(looked.posts()).toEqual([]);
    const refused = service({ get: [{}], start: [new Refused("No.", {})] });
    await expect(run([], { import: "imp_1", start: true }, refused.io)).rejects.toThrow("No.");
    expect(refused.posts()).toHaveLength(1);
  });

  it("follows an import that runs, and saves the outcome of one that is done", async () => {
    for (const get of [[running, running, done], [done]]) {
      const { io, posts } = service({ get });
      expect(await run([], { import: "imp_1" }, io)).toBe(true);
      expect(posts()).toEqual([["save", "imp_1", "people.outcome.csv"]]);
    }
    const { io } = service({ get: [{ state: "uploading" }] });
    await expect(run([], { import: "imp_1" }, io)).rejects.toThrow("not complete");
  });
});
