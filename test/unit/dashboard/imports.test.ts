import { describe, expect, it } from "vitest";
import { paceOf } from "../../../src/dashboard/app/pages/imports/file/pace.ts";
import { partsOf } from "../../../src/dashboard/app/pages/imports/file/parts.ts";
import { readFile } from "../../../src/dashboard/app/pages/imports/file/read.ts";
import { createUpload, type Service } from "../../../src/dashboard/app/pages/imports/file/upload.ts";
import {
  choicesOf,
  consentText,
  created,
  fieldsOf,
  fitting,
  guessOf,
  ignoredText,
  isAllRefused,
  isAnswered,
  listChoices,
  lostText,
  problemsOf,
  propertyNameOf,
  questionsOf,
  settingsOf,
  suppressing,
  typesOf,
} from "../../../src/dashboard/app/pages/imports/form/mapping.ts";
import { effectText, resultText } from "../../../src/dashboard/app/pages/imports/import-words.ts";
import { commandOf, startFieldsOf } from "../../../src/dashboard/app/pages/imports/start-fields.ts";
import { changedBy } from "../../../src/lib/imports/values.ts";

const NO_SIGNS = { consent: [], fileSaysNo: false, dates: {} };

const csv = (text: string | Uint8Array<ArrayBuffer>, name = "people.csv") => new File([text], name);
const people = (count: number) =>
  `email,name\r\n${[...Array(count).keys()].map((index) => `p${index}@example.com,"Person ${index}"\n`).join("")}`;

const all = async <T>(given: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of given) found.push(one);
  return found;
};

describe("a file in the tab", () => {
  it("is read to its end: columns, first rows, how many there are", async () => {
    const read = await readFile(csv(`\ufeff${people(30_000)}`), {});
    expect(read).toMatchObject({
      name: "people.csv",
      columns: ["email", "name"],
      rows: 30_000,
      form: { encoding: "utf-8", delimiter: "," },
      fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
    });
    if ("problem" in read) throw new Error(read.problem);
    expect(read.sample).toHaveLength(100);
    expect(read.sample[0]).toEqual({ line: 2, cells: ["p0@example.com", "Person 0"] });
    expect(read.preview).toHaveLength(20);
  });

  it("has the same fingerprint only with the same bytes", async () => {
    const of = async (text: string) => {
      const read = await readFile(csv(text), {});
      return "problem" in read ? read.problem : read.fingerprint;
    };
    const long = people(20_000);
    expect(await of(long)).toBe(await of(long));
    expect(await of(long)).not.toBe(await of(`${long.slice(0, -5)}X${long.slice(-4)}`));
  });

  it.each([
    ["", "The file is empty."],
    ["email\n", "no row below the names"],
    ["ada@example.com,Ada\nbob@example.com,Bob\n", "The first row has an address"],
    ['email,name\n"ada@example.com,Ada\n', "a quote that is never closed"],
    [new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2]), "an Excel workbook or a ZIP archive"],
  ])("is refused with the reason, before anything is sent: %j", async (text, problem) => {
    expect(await readFile(csv(text), {})).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("of another encoding says what to choose on the page, and is read with that", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("email,name\nada@example.com,Zo"), 0xeb, 0x0a]);
    expect(await readFile(csv(bytes), {})).toEqual({
      problem: expect.stringContaining('choose its encoding: "windows-1252"'),
    });
    const read = await readFile(csv(bytes), { encoding: "windows-1252" });
    expect(read).toMatchObject({ sample: [{ cells: ["ada@example.com", "Zoë"] }] });
  });

  it("is given in parts of at most 1,000 rows, from any row on", async () => {
    const parts = await all(partsOf(csv(people(2_500)), {}, 0));
    expect(parts.map(({ first, rows }) => [first, rows.length])).toEqual([
      [1, 1_000],
      [1_001, 1_000],
      [2_001, 500],
    ]);
    const [part] = await all(partsOf(csv(people(2_500)), {}, 2_490));
    expect(part).toMatchObject({ first: 2_491, rows: { length: 10 } });
    expect(part?.rows[0]?.cells[0]).toBe("p2490@example.com");
    expect(await all(partsOf(csv(people(3)), {}, 3))).toEqual([]);
  });
});

describe("an upload", () => {
  const bench = (change: Partial<Service> = {}) => {
    const got: string[] = [];
    const service: Service = {
      add: ({ first, rows }) => {
        got.push(`${first}+${rows.length}`);
        return Promise.resolve({ rows: first + rows.length - 1 });
      },
      complete: (rows) => Promise.resolve(got.push(`end ${rows}`)),
      wait: () => Promise.resolve(),
      mayRepeat: () => true,
      now: () => 0,
      ...change,
    };
    const read = { rows: 2_500, form: { encoding: "utf-8", delimiter: "," } } as const;
    return { got, upload: createUpload(csv(people(2_500)), read, 0, service) };
  };

  it("sends all rows and ends the file", async () => {
    const { got, upload } = bench();
    await upload.start();
    expect(got).toEqual(["1+1000", "1001+1000", "2001+500", "end 2500"]);
    expect(upload.current()).toMatchObject({ state: "complete", sent: 2_500 });
  });

  it("pauses after the part that is on its way, and goes on there", async () => {
    const { got, upload } = bench();
    const stop = upload.subscribe(() => upload.current().sent === 1_000 && upload.pause());
    await upload.start();
    stop();
    expect(upload.current()).toMatchObject({ state: "paused", sent: 1_000 });
    await upload.start();
    expect(got).toEqual(["1+1000", "1001+1000", "2001+500", "end 2500"]);
  });

  it("repeats a request without an answer, and asks a person after the fourth", async () => {
    let failures = 3;
    const add: Service["add"] = ({ first, rows }) =>
      failures-- > 0 ? Promise.reject(new Error("no answer")) : Promise.resolve({ rows: first + rows.length - 1 });
    const { upload } = bench({ add });
    await upload.start();
    expect(upload.current().state).toBe("complete");
    const broken = bench({ add: () => Promise.reject(new Error("no answer")) });
    await broken.upload.start();
    expect(broken.upload.current()).toMatchObject({ state: "failed", sent: 0, error: new Error("no answer") });
  });

  it("says a refusal at once", async () => {
    let times = 0;
    const add = () => Promise.reject(new Error(`cancelled ${++times}`));
    const { upload } = bench({ add, mayRepeat: () => false });
    await upload.start();
    expect(upload.current()).toMatchObject({ state: "failed", error: new Error("cancelled 1") });
  });
});

describe("what columns become", () => {
  const known = {
    properties: [{ name: "planName", type: "string" }],
    lists: [
      { id: "lst_1", name: "News", isArchived: false },
      { id: "lst_2", name: "Old", isArchived: true },
    ],
  };
  const columns = ["E-Mail", "Plan name", "News", "Old", "Seats"];
  const guess = guessOf(columns, [["ada@example.com", "pro", "yes", "yes", "12"]], known);

  it("is guessed by their names, as the service does it", () => {
    expect(fieldsOf(guess)).toMatchObject({
      mapping: { "E-Mail": "email", "Plan name": "planName", News: "list:lst_1", Old: null, Seats: null },
      createProperties: {},
      mailingLists: [],
      updateExisting: true,
    });
    expect(guess.triggerWorkflows).toBe(false);
    expect(JSON.stringify(choicesOf(known))).not.toContain("lst_2");
  });

  it.each([
    [["12", "", "1.5"], "number"],
    [["yes", "no", "", "Yes"], "boolean"],
    [["TRUE", ""], "boolean"],
    [["unsubscribed", "subscribed"], "boolean"],
    [["2026-01-31", "2026-02-01T12:00:00Z"], "date"],
    [["2026-01-31", "soon"], "string"],
    [["", ""], "string"],
  ])("may be a new property, whose type the cells say: %j", (cells, type) => {
    expect(created("Trial ends (UTC)", cells)).toEqual({ create: "trialEndsUTC", type });
  });

  it.each([
    ["00001", "01123"],
    ["12345678901234567891"],
    ["1234567890123456"],
    ["+491701234567"],
    ["01701234567", "04012345678"],
    ["491701234567", "01701234567"],
    ["1e5"],
    [".5"],
    ["5."],
    ["-0"],
    ["1.10"],
    ["0.0000001"],
    ["1,234"],
    ["7", "007"],
  ])("become a text where a number or a date would not keep a cell: %j", (...cells) => {
    expect(created("Ref", cells)).toEqual({ create: "ref", type: "string" });
  });

  it.each([["x", "y"], ["x"], ["yes", "yes"], ["yes", "true", "no"], ["yes", "n"], ["on", "x"], ["1", "x", "0"]])(
    "become a text where true and false would not keep a cell: %j",
    (...cells) => {
      expect(created("Size", cells)).toEqual({ create: "size", type: "string" });
    },
  );

  it.each([[["0", "-1.5"]], [["123456789012345", "0.001"]]])("become a number that keeps each cell: %j", (cells) => {
    expect(created("Ref", cells)).toEqual({ create: "ref", type: "number" });
    for (const cell of cells) expect(changedBy("number", cell)).toBeUndefined();
  });

  it("are known by the types of their properties, so that the preview says what is stored of a cell", () => {
    const columns = { ...guess.columns, Seats: { create: "seats", type: "number" as const } };
    expect(typesOf({ ...guess, columns }, known)).toMatchObject({ "Plan name": "string", Seats: "number" });
    expect(typesOf({ ...guess, columns }, known)["E-Mail"]).toBeUndefined();
    expect(changedBy("number", "00123")).toBe("123");
    expect(changedBy("number", "12345678901234567891")).toBe("12345678901234567000");
    expect(changedBy("boolean", "x")).toBe("true");
    expect(changedBy("date", "2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
    for (const cell of ["00123", ""]) expect(changedBy("string", cell)).toBeUndefined();
    expect(changedBy("number", "many")).toBeUndefined();
  });

  it("tell two lists with one name apart", () => {
    const list = (id: string, name: string, isArchived = false) => ({ id, name, isArchived });
    const lists = [list("lst_1", "News"), list("lst_2", "News"), list("lst_3", "Old"), list("lst_4", "Old", true)];
    expect(listChoices(lists)).toEqual([
      { value: "lst_1", label: "News (lst_1)" },
      { value: "lst_2", label: "News (lst_2)" },
      { value: "lst_3", label: "Old" },
    ]);
  });

  it("are in vain where each row of the file would be refused, and not where more rows are to come", () => {
    const refused = { outcome: "refused" as const };
    expect(isAllRefused(2, [refused, refused])).toBe(true);
    for (const rows of [undefined, [refused, { outcome: "created" as const }]])
      expect(isAllRefused(2, rows)).toBe(false);
    expect(isAllRefused(101, [refused])).toBe(false);
  });

  it("has names that a property may have", () => {
    expect(["Prénom", "E-Mail", "2nd", "計画"].map(propertyNameOf)).toEqual(["prenom", "eMail", "", ""]);
  });

  it("names what is wrong: nobody is meant, two columns become the same, a name is none", () => {
    const change = (columns: Parameters<typeof problemsOf>[0]["columns"]) =>
      problemsOf({ ...guess, columns: { ...guess.columns, ...columns } });
    expect(change({})).toEqual({});
    expect(change({ "E-Mail": { to: null } })[""]).toContain("must become the email address");
    expect(change({ Seats: { to: "email" } }).Seats).toContain('"E-Mail" becomes this too');
    expect(change({ Seats: { create: "2x", type: "number" } }).Seats).toContain("begins with a small letter");
  });

  it("of a file that was chosen again are the ones of before; of another file they are guessed", () => {
    const kept = { ...guess, columns: { ...guess.columns, Seats: { create: "seats", type: "number" as const } } };
    expect(fitting(kept, guess)).toBe(kept);
    expect(fitting({ ...kept, columns: { Other: { to: "email" } } }, guess)).toBe(guess);
    expect(fitting(undefined, guess)).toBe(guess);
  });

  it("is said before the start: workflows are off, and nobody is subscribed again", () => {
    const words = effectText(10_000, guess, NO_SIGNS).join(" ");
    expect(words).toContain("10,000 rows are read.");
    expect(words).toContain("No workflow starts.");
    expect(words).toContain("Nobody is subscribed again");
    expect(effectText(1, { ...guess, triggerWorkflows: true }, NO_SIGNS).join(" ")).toContain("they may send mail");
  });
});

describe("columns that are not imported", () => {
  it("are named in the form and before the start", () => {
    const two = settingsOf({ email: "email", notes: null, ref: null });
    expect(ignoredText(two)).toEqual(["2 columns are not imported: notes, ref."]);
    expect(effectText(5, two, NO_SIGNS)).toContain("2 columns are not imported: notes, ref.");
    expect(ignoredText(settingsOf({ email: "email", notes: null }))).toEqual(["1 column is not imported: notes."]);
    expect(ignoredText(settingsOf({ email: "email" }))).toEqual([]);
  });

  it("are named as far as a person reads them", () => {
    const many = Object.fromEntries([...Array(300).keys()].map((n) => [`c${n}`, null]));
    expect(ignoredText(settingsOf({ email: "email", ...many }))).toEqual([
      "300 columns are not imported: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 290 more.",
    ]);
  });
});

describe("people who said no", () => {
  const known = { properties: [{ name: "state", type: "string" }], lists: [] };
  const text = "email,State,Joined\na@example.com,active,01/02/2024\nb@example.com,cleaned,03/04/2024\n";
  const prepared = async (name = "people.csv") => {
    const read = await readFile(csv(text, name), {});
    if ("problem" in read) throw new Error(read.problem);
    const settings = guessOf(read.columns, read.preview, known, read.counted);
    const asked = (more: Partial<typeof settings>) => {
      const changed = { ...settings, ...more };
      return questionsOf(changed, read.signs, name, typesOf(changed, known));
    };
    return { read, settings, asked };
  };

  it("are found in the whole file, and counted", async () => {
    const rows = [...Array(5_000).keys()].map(
      (n) => `p${n}@example.com,${n === 4_000 ? "unsubscribed" : `gold ${n}`}\n`,
    );
    const read = await readFile(csv(`email,Level\n${rows.join("")}`), {});
    expect(read).toMatchObject({ signs: { consent: [{ column: "Level", to: null, says: 1 }], fileSaysNo: false } });
  });

  it("are named before the start, and not lost without a word by name", async () => {
    const { read, settings, asked } = await prepared();
    expect(settings.columns.State).toEqual({ to: "subscribed" });
    expect(consentText(settings, read.signs)).toEqual(["State: 1 cell says no. These people are not subscribed."]);
    expect(isAnswered(asked({}))).toBe(true);
    const ignored = { columns: { ...settings.columns, State: { to: null } } };
    const property = { columns: { ...settings.columns, State: { to: "state" } } };
    for (const change of [ignored, property]) {
      expect(asked(change).lost).toMatchObject([
        { column: "State", to: "subscribed", lost: [{ cell: "cleaned", rows: 1, says: "no" }] },
      ]);
      expect(asked(change).lost.map(lostText)[0]).toMatch(
        /^State says it in 1 cell, and would be lost\. One of them is "cleaned"\. Let it/,
      );
      expect(isAnswered(asked(change))).toBe(false);
      expect(isAnswered(asked({ ...change, allUnsubscribed: true }))).toBe(true);
      expect(isAnswered(asked({ ...change, ignoreConsent: ["State"] }))).toBe(true);
    }
    const words = effectText(2, { ...settings, ...ignored, ignoreConsent: ["State"] }, read.signs).join(" ");
    expect(words).toContain("State is ignored, though it says who gets no mail");
  });

  it("may be told by the name of the file, and are all suppressed or unsubscribed then", async () => {
    const { asked, settings, read } = await prepared("unsubscribed.csv");
    const email = { columns: { ...settings.columns, State: { to: null } }, ignoreConsent: ["State"] };
    expect(asked(email).byName).toBe(true);
    expect(asked({ ...email, ignoreConsent: ["State", "unsubscribed.csv"] }).byName).toBe(false);
    expect(asked({ ...email, suppressAs: "bounce" }).byName).toBe(false);
    const suppressed = suppressing(settings, "bounce", read.columns, read.preview, settings);
    expect(suppressed.columns).toEqual({ email: { to: "email" }, State: { to: null }, Joined: { to: null } });
    expect(fieldsOf(suppressed).suppressAs).toBe("bounce");
    expect(suppressing(suppressed, "", read.columns, read.preview, settings).columns).toEqual(settings.columns);
  });

  it("stand beside dates that need an order", async () => {
    const { asked, settings } = await prepared();
    const columns = { ...settings.columns, Joined: { create: "joined", type: "date" as const } };
    expect(asked({ columns }).unclear).toEqual(["Joined"]);
    expect(asked({ columns, dates: { Joined: "day-first" } }).unclear).toEqual([]);
    expect(asked({}).unclear).toEqual([]);
  });

  it("are part of the command that does the same", async () => {
    const { settings } = await prepared();
    const chosen = {
      ...settings,
      ignoreConsent: ["State"],
      dates: { Joined: "day-first" as const },
      skipBadCells: true,
    };
    expect(commandOf("acme", { file: "people.csv" }, startFieldsOf(chosen, false)).options?.join(" ")).toContain(
      "--dates Joined=day-first --ignore-consent State --skip-bad-cells",
    );
  });
});

describe("the pace", () => {
  it("is said when it can be told", () => {
    expect(paceOf(0, 10_000, 5)).toBe("");
    expect(paceOf(1, 1_000, 3)).toBe("1 row a second, 3 s left");
    expect(paceOf(2_400, 2_000, 12_000)).toBe("1,200 rows a second, 10 s left");
  });
});

describe("the heading of an import", () => {
  const none = { created: 0, updated: 0, unchanged: 0, refused: 0 };

  it("names what there is of each result", () => {
    expect(resultText({ ...none, created: 1_372, refused: 2 })).toBe("Result: 1,372 new, 2 refused");
    expect(resultText({ created: 1, updated: 2, unchanged: 3, refused: 4 })).toBe(
      "Result: 1 new, 2 changed, 3 unchanged, 4 refused",
    );
    expect(resultText(none)).toBe("Result: no rows yet");
  });
});
