import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  axisText,
  columnText,
  linePath,
  mostIn,
  ticksOf,
  timesOf,
} from "../../../src/dashboard/app/parts/chart/scale.ts";
import { address, filled } from "../../../src/dashboard/app/parts/form/checks.ts";
import { timeText } from "../../../src/dashboard/app/parts/list/time-text.ts";
import { kindOf, stateText } from "../../../src/dashboard/app/parts/status/kinds.ts";
import { stateNames } from "../../../src/lib/contract/admin/bridge/bridge-fields.ts";
import { sendStates } from "../../../src/lib/contract/admin/email/sends.ts";
import { allFilesIn } from "../source.ts";

const PAGES = join(import.meta.dirname, "../../../src/dashboard/app");

describe("a state", () => {
  const campaigns = ["draft", "scheduled", "sending", "sent", "paused", "held", "cancelled", "collecting"];
  const domains = ["pending", "verified", "warning", "failing"];
  const dispatch = ["running", "paused", "blocked", "backoff", "outage"];

  it.each([...stateNames, ...sendStates, ...campaigns, ...domains, ...dispatch])("has a look: %s", (state) => {
    expect(kindOf(state).isKnown).toBe(true);
  });

  it("of a newer service is quiet, with its own word", () => {
    expect(kindOf("teleported")).toEqual({ look: "quiet", icon: "nothing", isKnown: false });
    expect(stateText("teleported")).toBe("Teleported");
  });

  it("has the words of the field, also where several have it", () => {
    expect(["not_sent", "undecided", "skipped", "failed"].map((state) => stateText(state))).toEqual([
      "Not sent",
      "Needs a decision",
      "Nothing to do",
      "Failed",
    ]);
    expect([stateText("failed", 1_204), stateText("undecided", 2)]).toEqual(["1,204 failed", "2 need a decision"]);
  });

  it("has a colored ground only where it wants a person", () => {
    expect(["delivered", "waiting", "failed", "paused"].map((state) => kindOf(state).look)).toEqual([
      "good",
      "quiet",
      "bad",
      "warn",
    ]);
  });
});

describe("the axis of a chart", () => {
  it("has three to six round ticks of whole numbers, from 0 to at least the most", () => {
    for (let most = 0; most < 5_000; most += 1) {
      const ticks = ticksOf(most);
      const step = ticks[1] ?? 0;
      expect([ticks.length >= 3 && ticks.length <= 6, (ticks.at(-1) ?? 0) >= most, ticks[0]]).toEqual([true, true, 0]);
      expect(/^[125]0*$/.test(String(step))).toBe(true);
    }
    expect([ticksOf(241), ticksOf(0), ticksOf(3)]).toEqual([
      [0, 100, 200, 300],
      [0, 1, 2],
      [0, 1, 2, 3],
    ]);
  });

  const hour = 3_600_000;
  const at = Date.UTC(2026, 10, 27, 23);
  const columns = [
    { at, until: at + hour, counts: { sent: 3, failed: 1 } },
    { at: at + hour, until: at + 2 * hour, counts: { sent: 2 }, expected: 9 },
  ];
  const series = [
    { name: "sent", label: "sent", tone: "c1" },
    { name: "failed", label: "failed", tone: "c-bad" },
  ] as const;

  it("is as high as stacked bars with what is expected, and as the highest line", () => {
    expect([mostIn(columns, series, true), mostIn(columns, series, false), mostIn([], series, true)]).toEqual([
      9, 3, 0,
    ]);
  });

  it("says times of the day, with the weekday above a day, or days where there are more than two, in the time zone", () => {
    expect(axisText(at, columns, "UTC")).toBe("23:00");
    expect(axisText(at, columns, "Pacific/Kiritimati")).toBe("13:00");
    const days = [0, 1, 2].map((n) => ({ at: at + n * 24 * hour, until: at + (n + 1) * 24 * hour, counts: {} }));
    expect(axisText(at, days, "UTC")).toBe("Nov 27");
    expect(axisText(at, days.slice(0, 2), "UTC")).toBe("Fri 23:00");
    expect(columns.map((column) => columnText(column, "UTC"))).toEqual([
      "Nov 27, 23:00 – 00:00",
      "Nov 28, 00:00 – 01:00",
    ]);
  });

  it("draws a line through the middle of its columns", () => {
    expect(linePath([0, 10], 10)).toBe("M25.00 100.00L75.00 0.00");
  });
});

describe("the time of a filter in words", () => {
  it.each([
    [{}, undefined],
    [{ since: "24h" }, "last 24 hours"],
    [{ since: "90m" }, "90m ago – now"],
    [{ until: "1d" }, "until 1d ago"],
    [{ since: "2026-01-31", until: "2026-02-02" }, "Jan 31 – Feb 2"],
  ])("of %j is %s", (filters, text) => {
    expect(timeText(filters)).toBe(text);
  });
});

describe("the check of a field", () => {
  it("says what to write", () => {
    expect(["", "tim", "@example.com", "tim@example", " tim@example.com "].map(address)).toEqual([
      "Write an address, such as ada@example.com",
      "Write name and domain with an @ between, such as ada@example.com",
      "Write name and domain with an @ between, such as ada@example.com",
      "Add the ending of the domain, such as .com",
      undefined,
    ]);
    expect([filled("Write a name")(" "), filled("Write a name")("Ada")]).toEqual(["Write a name", undefined]);
  });
});

/** Looks of its own that a page may not have. */
const OWN_LOOKS = [
  /\bstyles?=\{(?!styles\b|drafted)/,
  /(?<![\w&"'/#])#[0-9a-f]{3}(?:[0-9a-f]{3})?\b/i,
  /--mantine-|light-dark\(/,
];
const ownLooksIn = (text: string): string[] =>
  text.split("\n").filter((line) => OWN_LOOKS.some((look) => look.test(line.replace(/\/\/.*|href="#\w*"/, ""))));

describe("a page", () => {
  it("has no styles and colors of its own: only parts draw", () => {
    const files = ["pages", "frame", "palette", "story", "team"].flatMap((folder) =>
      allFilesIn(join(PAGES, folder)).map((file) => join(folder, file)),
    );
    const drawn = files.filter((file) => file.endsWith(".tsx"));
    expect(drawn.length).toBeGreaterThan(150);
    const found = drawn.flatMap((file) =>
      ownLooksIn(readFileSync(join(PAGES, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "<p style={{ margin: 4 }}>",
    "<b styles={{ root: {} }}>",
    'color="#fff"',
    "c: #aabbcc;",
    "var(--mantine-color-red-5)",
  ])("is refused with %s", (line) => {
    expect(ownLooksIn(line.replace('"#fff"', " #fff"))).toHaveLength(1);
  });
});

describe("the times below a chart", () => {
  const columns = (many: number) => Array.from({ length: many }, (_, n) => ({ at: n, until: n + 1, counts: {} }));

  it("name each of a few columns once, quarters of many, and the end", () => {
    expect([0, 1, 2, 24].map((many) => timesOf(columns(many)))).toEqual([[], [0, 1], [0, 1, 2], [0, 6, 12, 18, 24]]);
  });
});
