import { describe, expect, it } from "vitest";
import { drawn, problemsOf } from "../../../src/dashboard/app/pages/components/drawn.ts";
import { propertiesIn } from "../../../src/dashboard/app/pages/events/values.ts";
import { sampleWith } from "../../../src/dashboard/app/pages/themes/sample.ts";
import {
  draftedStyles,
  faultsOf,
  STYLE_GROUPS,
  shownStyle,
  styleChanges,
} from "../../../src/dashboard/app/pages/themes/styles.ts";
import { changedFields, diffLines, hunksOf } from "../../../src/dashboard/app/pages/transactional/line-diff.ts";
import { reasonsOf, shareOf } from "../../../src/dashboard/app/pages/transactional/reasons.ts";
import { statesOf } from "../../../src/dashboard/app/pages/transactional/state.ts";
import { lmxOf, refusalOf, sizeOf } from "../../../src/dashboard/app/pages/uploads/file.ts";
import { reachOf, sumOf } from "../../../src/dashboard/app/parts/usage/usage-words.ts";
import { defaultTheme } from "../../../src/lib/lmx/language/theme.ts";

describe("the difference of two documents", () => {
  const said = (before: string, after: string) =>
    diffLines(before, after).map(({ kind, text }) => `${{ same: " ", gone: "-", new: "+" }[kind]}${text}`);

  it("has the fewest changes, in the order of the lines", () => {
    expect(said("a\nb\nc\nd", "a\nc\nx\nd")).toEqual([" a", "-b", " c", "+x", " d"]);
    expect(said("", "a")).toEqual(["+a"]);
    expect(said("a", "")).toEqual(["-a"]);
    expect(said("a\r\nb", "a\nb")).toEqual([" a", " b"]);
    expect(said("a\na", "a\na\na")).toEqual([" a", " a", "+a"]);
  });

  it("gives both texts back, whatever they are", () => {
    const text = (seed: number, length: number) =>
      Array.from({ length }, (_, n) => "abc"[(seed * 7 + n * n * 3) % 3]).join("\n");
    for (let seed = 0; seed < 60; seed += 1) {
      const [before, after] = [text(seed, seed % 9), text(seed * 3 + 1, (seed * 5) % 11)];
      const lines = diffLines(before, after);
      const of = (other: string) => lines.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join("\n");
      expect([of("new"), of("gone")]).toEqual([before, after]);
    }
  });

  it("of very long texts shows the differing middle as replaced", () => {
    const long = (word: string) => Array.from({ length: 1_100 }, (_, n) => `${word} ${n}`).join("\n");
    const lines = diffLines(`same\n${long("a")}`, `same\n${long("b")}`);
    expect(lines.slice(0, 2)).toEqual([
      { kind: "same", text: "same" },
      { kind: "gone", text: "a 0" },
    ]);
    expect(lines).toHaveLength(2_201);
  });

  it("leaves out equal lines that are far from a change", () => {
    const text = Array.from({ length: 20 }, (_, n) => String(n));
    const hunks = hunksOf(diffLines(text.join("\n"), text.with(10, "ten").join("\n")), 1);
    expect(hunks).toEqual([
      { skipped: 9 },
      {
        lines: [
          { kind: "same", text: "9" },
          { kind: "gone", text: "10" },
          { kind: "new", text: "ten" },
          { kind: "same", text: "11" },
        ],
      },
      { skipped: 8 },
    ]);
  });

  it("names the fields that differ", () => {
    const [before, after] = [
      { subject: "Hi", fallbacks: {} },
      { subject: "Hello", fallbacks: { name: "you" } },
    ];
    expect(changedFields(before, after, ["subject", "fallbacks", "fromName"])).toEqual([
      { name: "subject", before: "Hi", after: "Hello" },
      { name: "fallbacks", before: "{}", after: '{"name":"you"}' },
    ]);
  });
});

describe("the numbers of a transactional email", () => {
  it("have its reasons, the most frequent first", () => {
    const mail = (state: string, meaning: string) => ({ state, meaning });
    const mails = [mail("bounced", "no such user"), mail("failed", "full"), mail("bounced", "no such user")];
    expect(reasonsOf(mails)).toEqual([
      { state: "bounced", why: "no such user", count: 2 },
      { state: "failed", why: "full", count: 1 },
    ]);
  });

  it("have shares that do not say none or all where it is not so", () => {
    expect([shareOf(0, 10), shareOf(1, 3), shareOf(10, 10)]).toEqual(["0 %", "33.3 %", "100 %"]);
    expect([shareOf(1, 100_000), shareOf(99_999, 100_000)]).toEqual(["< 0.1 %", "> 99.9 %"]);
  });

  it("say what is published and what is a draft", () => {
    const of = (draft: string | null, published: string | null) =>
      statesOf({ draftEmailMessageId: draft, publishedEmailMessageId: published });
    expect([of("msg_1", null), of("msg_1", "msg_2"), of(null, "msg_2")]).toEqual([
      ["draft"],
      ["published", "draft"],
      ["published"],
    ]);
  });
});

describe("the form of a theme", () => {
  it("has a field for each style that the compiler knows, once", () => {
    const names = STYLE_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name));
    expect(names.toSorted()).toEqual(Object.keys(defaultTheme).toSorted());
    const labels = STYLE_GROUPS.flatMap(({ fields }) => fields.map(({ label }) => label));
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toContain("Body padding at the sides");
    expect(STYLE_GROUPS.map(({ title }) => title)).not.toContain("Other");
  });

  it("sends what differs, numbers as numbers, and null for what was emptied", () => {
    const styles = { ...defaultTheme, bodyColor: "#000000" };
    const draft = { bodyColor: "", bodyXPadding: "24", bodyYPadding: "40", textLinkColor: "#ff0000" };
    expect(styleChanges(styles, draft)).toEqual({ bodyColor: null, bodyXPadding: 24, textLinkColor: "#ff0000" });
    expect(shownStyle(styles, draft, "bodyXPadding")).toBe("24");
    expect(shownStyle(styles, {}, "bodyColor")).toBe("#000000");
  });

  it("says what is wrong with a value, and leaves it out of the preview", () => {
    const draft = { bodyXPadding: "900", bodyColor: "red-ish", heading1Color: "#123456", bodyYPadding: "many" };
    const faults = faultsOf(defaultTheme, draft);
    expect(Object.keys(faults).toSorted()).toEqual(["bodyColor", "bodyXPadding", "bodyYPadding"]);
    expect(draftedStyles(defaultTheme, draft)).toEqual({ ...defaultTheme, heading1Color: "#123456" });
  });

  it("has a sample with every part that a theme has a value for", () => {
    const drawnWith = sampleWith({ ...defaultTheme, heading1Color: "#123456", dividerColor: "#654321" });
    expect("html" in drawnWith && drawnWith.html).toContain("#123456");
    expect("html" in drawnWith && drawnWith.html).toContain("#654321");
  });
});

describe("a component", () => {
  it("is drawn with the names of its variables, of whatever kind of mail they are", () => {
    expect(drawn("<Paragraph>{contact.firstName}</Paragraph>", {})).toContain("{contact.firstName}");
    expect(drawn("<Paragraph>{data.amount}</Paragraph>", {})).toContain("{data.amount}");
    expect(drawn("<Paragraph>{event.plan}</Paragraph>", {})).toContain("{event.plan}");
    expect(drawn("<Paragraph>", {})).toBeUndefined();
  });

  it("cannot use itself", () => {
    const lmx = '<Section><Component componentId="cmp_1" /></Section>';
    const problems = problemsOf(lmx, { components: { cmp_1: { name: "Footer", lmx } } }, "cmp_1");
    expect(problems.filter(({ severity }) => severity === "error")).toHaveLength(1);
  });
});

describe("a picture", () => {
  it("is refused before it is sent, with the reason", () => {
    const file = (fields: object) => refusalOf({ name: "a.png", type: "image/png", size: 100, ...fields });
    expect(file({})).toBeUndefined();
    expect(file({ type: "image/svg+xml" })).toBe("a.png is image/svg+xml. Mail programs show JPEG, PNG, GIF, WEBP.");
    expect(file({ type: "" })).toContain("of an unknown type");
    expect(file({ size: 0 })).toBe("a.png is empty.");
    expect(file({ size: 4_000_001 })).toBe("a.png has 4,000,001 bytes, and 4,000,000 are possible. Make it smaller.");
  });

  it("has a size and a tag", () => {
    expect([sizeOf(10), sizeOf(1_234), sizeOf(1_500_000)]).toEqual(["10 bytes", "1 KB", "1.5 MB"]);
    expect(lmxOf("https://x.example/a.png")).toBe('<Image src="https://x.example/a.png" alt="" />');
  });
});

describe("what uses something", () => {
  const use = (state: string) => ({
    emailMessageId: "msg_1",
    kind: "campaign" as const,
    id: "cmp_1",
    name: "Spring",
    state,
    waits: false,
    kept: null,
  });

  it("is counted in words", () => {
    const components = [{ id: "cmp_1", name: "Footer" }];
    expect(sumOf({ total: 0, components: [] })).toBe("Nothing uses it.");
    expect(sumOf({ total: 2, components })).toBe("Used by 2 messages and 1 component.");
  });

  it("says how far a change reaches", () => {
    expect(reachOf({ total: 0, data: [] })).toContain("reaches nothing yet");
    expect(reachOf({ total: 1, data: [use("Draft")] })).toContain("1 message uses it, all of them drafts. It gets");
    expect(reachOf({ total: 2, data: [use("published"), use("draft")] })).toContain("1 of them in use. They get");
    expect(reachOf({ total: 300, data: [use("published")] })).toContain("1 or more of them in use");
  });
});

describe("a test event", () => {
  it("has the values that were typed, by their types", () => {
    const properties = [
      { name: "amount", type: "number" },
      { name: "paid", type: "boolean" },
      { name: "plan", type: "string" },
      { name: "at", type: "date" },
    ] as const;
    expect(propertiesIn(properties, { amount: "12.5", paid: "true", plan: " pro", at: "" })).toEqual({
      amount: 12.5,
      paid: true,
      plan: " pro",
    });
    expect(propertiesIn(properties, { amount: "many", paid: "perhaps" })).toEqual({ amount: "many", paid: "perhaps" });
  });
});
