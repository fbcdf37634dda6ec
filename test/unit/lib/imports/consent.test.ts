import { describe, expect, it } from "vitest";
import { consentColumns, consentIn, isNoByName, readConsent } from "../../../../src/lib/imports/consent.ts";
import { tallyOf } from "../../../../src/lib/imports/tally.ts";
import { importedByGuess, PREVIEW } from "./by-guess.ts";
import { EXPORTS } from "./exports.ts";

type Random = () => number;
const randomOf = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

type Form = { names: readonly string[]; yes: readonly string[]; no: readonly string[] };

const FORMS: readonly Form[] = [
  {
    names: [
      "Unsubscribed",
      "is unsubscribed",
      "Opted out",
      "Opt-Out",
      "Email bounced",
      "Hard bounced",
      "Do not email",
      "on blocklist",
      "Suppressed",
      "Unsubscribed from all",
      "Complained",
      "Désabonné",
      "Abgemeldet",
      "Email disabled",
      "Dado de baja",
      "Email address quarantined",
      "Is globally ineligible",
      "Undeliverable",
    ],
    yes: ["false", "no", "0", "", "FALSCH", "nein", "non", "f", "N"],
    no: ["true", "yes", "1", "WAHR", "ja", "oui", "t", "Y", "x"],
  },
  {
    names: [
      "UNSUB_TIME",
      "Unsubscribed at",
      "Opt-out date",
      "Bounced at",
      "Cleaned on",
      "unsubscribe date",
      "Abmeldedatum",
    ],
    yes: ["", "NULL", "\\N", "0000-00-00 00:00:00"],
    no: ["2024-01-02 03:04:05", "31.12.2023", "01/02/2024", "1704164645", "Jan 2, 2024", "2024-01-02T03:04:05Z"],
  },
  {
    names: ["Status", "Subscriber status", "EMAIL_STATUS", "State", "Subscription status", "Estado", "statut"],
    yes: ["active", "subscribed", "Confirmed", "SUBSCRIBED", "Opted-in", "aktiv"],
    no: [
      "unsubscribed",
      "Cleaned",
      "BOUNCED",
      "Opted_Out",
      "never subscribed",
      "hard bounce",
      "Complained",
      "abgemeldet",
      "désabonné",
      "blocklisted",
      "unconfirmed",
    ],
  },
  {
    names: [
      "Subscribed",
      "Opt-in",
      "subscribed_to_emails",
      "Accepts email marketing",
      "Marketing consent",
      "Newsletter",
      "GDPR consent",
      "Einwilligung",
      "Can email",
      "Email marketing allowed",
    ],
    yes: ["true", "yes", "1", "ja", "WAHR", "oui", "Y"],
    no: ["false", "no", "0", "nein", "FALSCH", "non", "N", "unsubscribed"],
  },
];
const OTHERS: readonly (readonly [string, readonly string[]])[] = [
  ["First name", ["Ada", "Bob", ""]],
  ["Plan", ["pro", "free"]],
  ["Country", ["NO", "DE", "US"]],
  ["Score", ["1", "0", "7"]],
  ["Created at", ["2024-01-02"]],
  ["Phone", ["+49 30 1", ""]],
  ["VIP", ["true", "false"]],
];

type Row = { cells: string[]; saysNo: boolean };
type Dialect = { columns: string[]; rows: Row[] };

const dialectOf = (seed: number): Dialect => {
  const random = randomOf(seed);
  const forms = FORMS.filter(() => random() < 0.4);
  const used = forms.length > 0 ? forms : [pick(random, FORMS)];
  const consent = used.map((form) => ({
    form,
    name: pick(random, form.names),
    yes: pick(random, form.yes),
    share: random() * 0.6,
  }));
  const others = OTHERS.filter(() => random() < 0.4);
  const columns = ["email", ...consent.map(({ name }) => name), ...others.map(([name]) => name)];
  const order = columns.map((_, index) => index).toSorted(() => random() - 0.5);
  const count = pick(random, [1, 5, 19, 60]);
  const rows = Array.from({ length: count }, (_, number): Row => {
    const answers = consent.map(({ form, yes, share }) => {
      const saysNo = random() < share;
      return { saysNo, cell: saysNo ? pick(random, form.no) : yes };
    });
    const cells = [
      `p${number}@example.com`,
      ...answers.map(({ cell }) => cell),
      ...others.map(([, all]) => pick(random, all)),
    ];
    return { cells: order.map((index) => cells[index] ?? ""), saysNo: answers.some(({ saysNo }) => saysNo) };
  });
  return { columns: order.map((index) => columns[index] ?? ""), rows };
};

describe("random dialects", () => {
  it("never subscribe a row that says no in any of them", () => {
    let [started, refusedRows, said] = [0, 0, 0];
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const dialect = dialectOf(seed);
      const { lost, values } = importedByGuess(
        dialect.columns,
        dialect.rows.map(({ cells }) => cells),
      );
      if (lost.length > 0) continue;
      started += 1;
      for (const [index, row] of dialect.rows.entries()) {
        const value = values[index];
        if (!value || "reason" in value) refusedRows += 1;
        else if (row.saysNo) {
          said += 1;
          expect([seed, dialect.columns, row.cells, value.subscribed]).toEqual([
            seed,
            dialect.columns,
            row.cells,
            false,
          ]);
        }
      }
    }
    expect(started).toBeGreaterThan(2_400);
    expect(said).toBeGreaterThan(5_000);
    expect(refusedRows).toBeLessThan(said / 20);
  });
});

describe("an export of another product", () => {
  it.each(EXPORTS)("keeps each no, or asks before it starts: $product", ({ columns, yes, no, asks = false }) => {
    const { lost, values } = importedByGuess(
      columns.split(","),
      [...yes, ...no].map((row) => row.split(",")),
    );
    expect(lost.length > 0).toBe(asks);
    if (asks) return;
    const subscribed = values.map((value) => !("reason" in value) && value.subscribed !== false);
    expect(subscribed).toEqual([...yes.map(() => true), ...no.map(() => false)]);
  });

  it("is of at least forty products", () => {
    expect(new Set(EXPORTS.map(({ product }) => product)).size).toBeGreaterThanOrEqual(40);
  });
});

describe("a column that says who gets no mail", () => {
  const found = (name: string, ...cells: string[]) =>
    consentColumns(
      ["email", name],
      cells.map((cell) => ["a@b.example", cell]),
    )[0];

  it.each([
    ["Unsubscribe link", ["https://example.com/u/1"]],
    ["SMS consent", ["false", "true"]],
    ["Spam score", ["0.2", "3"]],
    ["Country", ["NO", "DE"]],
    ["State", ["CA", "NY"]],
    ["VIP", ["true", "false"]],
    ["Status", ["lead", "customer"]],
    ["active_subscription", ["true", "false"]],
    ["OPTIN_TIME", ["2024-01-02", ""]],
    ["Lifecycle stage", ["subscriber", "lead"]],
    ["Company", ["Bounce Ltd", "Spam Museum"]],
    ["Tags", ["spam folder test", "vip"]],
    ["Permission to track", ["Yes", "Unchanged"]],
    ["Status", ["1", "1"]],
  ])("is not %s", (name, cells) => {
    expect(found(name, ...cells)).toBeUndefined();
  });

  it("is read by parts of a phrase, which an opposite does not say", () => {
    const answer = (cell: string) => readConsent({ asks: "subscribed" }, cell, () => false);
    const says = ["Isp complained", "Unsubscribed (by admin)", "Non-Marketable", "5.1.1", "550 5.1.1 no such user"];
    expect(says.map(answer)).toEqual(says.map(() => false));
    expect(["Not unsubscribed", "gold"].map(answer)).toEqual([undefined, undefined]);
  });

  it("is asked about where it has codes alone", () => {
    expect(found("Status", "1", "2", "1", "4")).toEqual({ column: "Status", to: null, says: 2 });
    expect(found("STATUS", "C", "U")).toMatchObject({ to: null });
  });

  it("lists its words where it has others too", () => {
    expect(found("Status", "subscribed", "cleaned", "gold")).toEqual({
      column: "Status",
      to: "unsubscribed:cleaned",
      says: 1,
    });
  });

  it("is told by its values alone, whatever its name", () => {
    expect(found("Group", "unsubscribed", "subscribed")).toMatchObject({ to: "subscribed", says: 1 });
    expect(found("Tag", "vip", "lead", "unsubscribed")).toMatchObject({ to: null, says: 1 });
  });

  it("is for a person to decide where a product may be meant", () => {
    const columns = ["email", "Plan", "Status", "Canceled at"];
    const rows = [["a@b.example", "pro", "canceled", "2024-01-02"]];
    expect(consentColumns(columns, rows).map(({ column, to }) => [column, to])).toEqual([
      ["Status", null],
      ["Canceled at", null],
    ]);
  });

  it("is found by a row far behind the preview", () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      line: index + 2,
      cells: [`a${index}@b.example`, index === 400 ? "unsubscribed" : "gold"],
    }));
    const preview = rows.slice(0, PREVIEW).map(({ cells }) => cells);
    const counted = { rows: rows.length, columns: tallyOf(2, rows) };
    expect(consentColumns(["email", "Level"], preview)).toEqual([]);
    expect(consentColumns(["email", "Level"], preview, counted)).toEqual([{ column: "Level", to: null, says: 1 }]);
  });

  it.each([
    ["unsubscribed_members_export.csv", true],
    ["cleaned.csv", true],
    ["bounces-2024.csv", true],
    ["Opt-outs.csv", true],
    ["contacts.csv", false],
    ["subscribed_members_export.csv", false],
    ["clean list.csv", false],
  ])("may be the name of the file: %s", (name, says) => {
    expect(isNoByName(name)).toBe(says);
  });
});

describe("a mapping of a consent column", () => {
  const read = (to: string, cell: string) => {
    const consent = consentIn(to);
    return consent && readConsent(consent, cell, (given) => /^\d{4}-/.test(given));
  };

  it.each([
    ["subscribed", "true", true],
    ["subscribed", "2024-01-02", true],
    ["subscribed", "cleaned", false],
    ["subscribed", "pending", false],
    ["subscribed", "gold", undefined],
    ["unsubscribed", "false", true],
    ["unsubscribed", "true", false],
    ["unsubscribed", "2024-01-02", false],
    ["unsubscribed", "moved away", false],
    ["unsubscribed:gone|moved away", "Moved_Away", false],
    ["unsubscribed:gone", "gold", "says nothing"],
    ["unsubscribed:gone", "unsubscribed", false],
    ["subscribed:gold", "gold", true],
    ["subscribed:gold", "silver", false],
    ["subscribed:gold", "", false],
  ])("%s reads %s as %s", (to, cell, answer) => {
    expect(read(to, cell)).toBe(answer);
  });
});
