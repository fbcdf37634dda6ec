import { describe, expect, it } from "vitest";
import { consentColumns, consentIn, readConsent } from "../../../../src/lib/imports/consent/consent.ts";
import { isNoByName } from "../../../../src/lib/imports/consent/names.ts";
import { countedIn } from "../../../../src/lib/imports/consent/tally.ts";
import { proposedFor } from "../../../../src/lib/imports/signs.ts";
import { countedOf, importedByGuess } from "./by-guess.ts";
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
      "DoNotBulkEMail",
      "isexcludedfromcampaigns",
      "Suppression",
      "Blacklist status",
      "Avmeldt",
      "Odhlášen",
      "Kein Newsletter",
      "Bitte nicht kontaktieren",
      "Ne pas contacter",
      "Pas de newsletter",
      "Sans publicité",
      "Sin boletín",
      "No enviar correo",
      "Senza consenso",
      "Geen nieuwsbrief",
      "Ej nyhetsbrev",
      "Ikke nyhedsbrev",
      "Nie wysyłać",
      "Без рассылки",
    ],
    yes: ["false", "no", "0", "", "FALSCH", "nein", "non", "f", "N", "0.0", "=FALSE()", "❌", "☐", "None", "never"],
    no: [
      "true",
      "yes",
      "1",
      "WAHR",
      "ja",
      "oui",
      "t",
      "Y",
      "x",
      "1.0",
      "=TRUE()",
      "✅",
      "☑",
      "Active",
      "Confirmed",
      "Enabled",
      "Accepted",
      "Requested",
      "Yes (2024-01-02)",
      "moved away",
      "2024-01-02",
    ],
  },
  {
    names: ["Email opt-out", "Suppression status", "Unsubscribe request", "Blacklisted", "DNC"],
    yes: ["Inactive", "Disabled", "No", "0.0"],
    no: ["Active", "Enabled", "Yes", "1.0", "accepted"],
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
      "inactive",
      "cancelled",
      "pending",
      "Held",
      "OptedOut",
      "un-subscribed",
      "Unsubscribed.",
      "❌ Unsubscribed",
      "Afmeldt",
      "Avregistrerad",
      "Odhlášen",
      "Wypisany",
      "配信停止",
      "已退订",
      "Unsubscribed; bounced",
      "Unsubscribed by the recipient via the link in the campaign of the first of spring (one click)",
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
      "Accord RGPD",
      "Consenso",
      "Nieuwsbrief",
      "Samtycke",
      "Zgoda na mailing",
      "Рассылка",
      "メルマガ",
      "sendable",
    ],
    yes: [
      "true",
      "yes",
      "1",
      "ja",
      "WAHR",
      "oui",
      "Y",
      "1.0",
      "=TRUE()",
      "✅",
      "Yes (2024-01-02)",
      "Yes please",
      "Given",
    ],
    no: [
      "false",
      "no",
      "0",
      "nein",
      "FALSCH",
      "non",
      "N",
      "unsubscribed",
      "0.0",
      "=FALSE()",
      "❌",
      "☐",
      "Not given",
      "No (2024-01-02)",
      "No thanks",
      "Declined",
      "Refused",
      "Withdrawn 2024-02-02",
      "UnengagedNonMarketable",
      "OUT",
    ],
  },
  {
    names: [
      "receives_email",
      "wants_emails",
      "Send me offers",
      "Email notifications",
      "mailing",
      "marketing",
      "deliverable",
    ],
    yes: ["true", "yes", "1", "on", "t"],
    no: ["false", "no", "0", "off", "f", "Declined", "0.0"],
  },
];
/** Words that are not known. One of them in a column about mail asks. */
const STRANGE = ["Perhaps", "VIP", "Lead", "wibble wobble", "7"];
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
  const count = pick(random, [1, 5, 19, 60, 400]);
  const lateFrom = random() < 0.3 ? count / 2 : 0;
  const strange = random() < 0.2 ? 0.05 : 0;
  const rows = Array.from({ length: count }, (_, number): Row => {
    const answers = consent.map(({ form, yes, share }) => {
      const saysNo = random() < share;
      const isLate = number < lateFrom;
      if (random() < strange) return { saysNo: false, cell: pick(random, STRANGE) };
      return isLate || !saysNo ? { saysNo: false, cell: yes } : { saysNo: true, cell: pick(random, form.no) };
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
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const dialect = dialectOf(seed);
      const { consent, lost, values } = importedByGuess(
        dialect.columns,
        dialect.rows.map(({ cells }) => cells),
      );
      if (lost.length > 0) continue;
      started += 1;
      const [only, another] = consent;
      if (only && !another) {
        const kept = values.filter((value) => "reason" in value || value.subscribed !== false);
        expect([seed, values.length - kept.length]).toEqual([seed, only.says]);
      }
      for (const [index, row] of dialect.rows.entries()) {
        const value = values[index];
        if (!value || "reason" in value) refusedRows += 1;
        else if (row.saysNo) {
          said += 1;
          const text = `${seed}: ${dialect.columns.join()} = ${row.cells.join()}: `;
          expect(text + value.subscribed).toBe(`${text}false`);
        }
      }
    }
    expect(started).toBeGreaterThan(1_200);
    expect(said).toBeGreaterThan(5_000);
    expect(refusedRows).toBe(0);
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
      countedIn(
        ["email", name],
        cells.map((cell) => ["a@b.example", cell]),
      ),
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
    ["State", ["IN", "CA"]],
    ["Marital status", ["Single", "Married"]],
    ["Allowed seats", ["3", "5"]],
    ["Subscribed via", ["Landing page", "Popup"]],
    ["Lead status", ["New", "Not contacted"]],
    ["Mailing city", ["Bath", "York"]],
    ["E-mail", ["ada@b.example", "not an address"]],
  ])("is not %s", (name, cells) => {
    expect(found(name, ...cells)).toBeUndefined();
  });

  it("is read by parts of a phrase, which an opposite does not say", () => {
    const answer = (cell: string) => readConsent({ asks: "subscribed" }, cell);
    const says = ["Isp complained", "Unsubscribed (by admin)", "Non-Marketable", "5.1.1", "550 5.1.1 no such user"];
    expect(says.map(answer)).toEqual(says.map(() => false));
    expect(["Not unsubscribed", "gold"].map(answer)).toEqual([undefined, undefined]);
  });

  it("is one of any name where a word for a subscription stands beside other states", () => {
    expect(found("Membership", "Subscribed", "Left")).toMatchObject({ to: "subscribed", says: 1 });
    expect(found("Group", "opted in", "gold", "removed")).toMatchObject({ to: null, says: 1 });
    expect(found("Membership", "Member", "Left")).toBeUndefined();
    expect(found("メルマガ", "希望する", "希望しない")).toMatchObject({ to: "subscribed", says: 1 });
  });

  it("is not turned round by a word for no in its name", () => {
    expect(found("Kein Newsletter", "ja", "nein")).toMatchObject({ to: "unsubscribed", says: 1 });
    for (const name of ["Emails not opened", "Non profit contact", "No. of orders", "Sin number"])
      expect(found(name, "ja", "nein")?.to, name).not.toBe("unsubscribed");
  });

  it("is asked about where it has codes alone", () => {
    expect(found("Status", "1", "2", "1", "4")).toMatchObject({
      to: null,
      cells: [
        { cell: "2", rows: 1, says: "unknown" },
        { cell: "4", rows: 1, says: "unknown" },
      ],
    });
    expect(found("STATUS", "C", "U")).toMatchObject({ to: null });
  });

  it("is asked about where a word is none that is known, with its rows, and a mapping that keeps the others", () => {
    const column = found("Status", "subscribed", "Cleaned", "gold", "gold");
    expect(column).toMatchObject({
      to: null,
      says: 1,
      cells: [
        { cell: "cleaned", rows: 1, says: "no" },
        { cell: "gold", rows: 2, says: "unknown" },
      ],
    });
    expect(column && proposedFor(column)).toBe("unsubscribed:cleaned");
  });

  it.each([
    ["Marketing consent", "Perhaps"],
    ["Opt-in", "2"],
    ["Subscribed", "Wibble"],
    ["Email opt-out", "No thanks"],
    ["On hold", "Inactive"],
    ["Opt-in / opt-out", "Yes"],
    ["IsOptInPending", "true"],
    ["email_valid", "no"],
    ["Contact by mail", "false"],
    ["Suppressed", "Not suppressed"],
    ["Status", "off"],
    ["Status", "Wibble"],
  ])("is asked about where no word tells: %s %s", (name, cell) => {
    const beside = name === "Status" && cell !== "off" ? "active" : cell;
    expect(found(name, cell, beside)?.to).toBe(name === "Contact by mail" ? "subscribed" : null);
  });

  it("is told by its values alone, whatever its name", () => {
    expect(found("Group", "unsubscribed", "subscribed")).toMatchObject({ to: "subscribed", says: 1 });
    expect(found("Tag", "vip", "lead", "unsubscribed")).toMatchObject({ to: null, says: 1 });
  });

  it("is for a person to decide where a product may be meant", () => {
    const columns = ["email", "Plan", "Status", "Canceled at"];
    const rows = [["a@b.example", "pro", "canceled", "2024-01-02"]];
    expect(consentColumns(columns, countedIn(columns, rows)).map(({ column, to }) => [column, to])).toEqual([
      ["Status", null],
      ["Canceled at", null],
    ]);
  });

  it("is found by a row far behind the preview", () => {
    const rows = Array.from({ length: 500 }, (_, index) => [
      `a${index}@b.example`,
      index === 400 ? "unsubscribed" : `gold ${index}`,
    ]);
    const columns = ["email", "Level"];
    const found = consentColumns(columns, countedOf(columns, rows));
    expect(found).toEqual([
      {
        column: "Level",
        to: null,
        says: 1,
        doubtful: false,
        cells: [{ cell: "unsubscribed", rows: 1, says: "no" }],
      },
    ]);
  });

  it("of any number of different cells is counted whole, and kept small", () => {
    const forms = [
      "Isp complained",
      "not so",
      "wibble",
      "Unsubscribed on 2024-01-02",
      "Withdrawn",
      "2024-01-02 03:04:05",
    ];
    const cells = forms.flatMap((form) =>
      Array.from({ length: 300 }, (_, index) => `${form} ${index} ${"é".repeat(80)}`),
    );
    const known = ["true", "no", "active", "inactive", "subscribed", "unsubscribed", "pending", "2024-01-02"];
    const columns = ["Opt-in", "Unsubscribed", "Status", "Level"];
    const rows = [...cells, ...known].map((cell) => columns.map(() => cell));
    const counted = countedOf(columns, rows);
    for (const { cells: kept, filled } of counted.columns) {
      expect(Object.values(kept).reduce((sum, count) => sum + count, 0)).toBe(filled);
      expect(Object.keys(kept).length).toBeLessThan(75);
    }
    const found = new Map(consentColumns(columns, counted).map((column) => [column.column, column]));
    const lostBy = (to: "subscribed" | "unsubscribed") =>
      rows.filter(([cell = ""]) => readConsent({ asks: to }, cell) === false).length;
    expect(found.get("Opt-in")?.says).toBe(lostBy("subscribed"));
    const { cells: said = [] } = found.get("Unsubscribed") ?? {};
    expect(said.filter(({ says }) => says === "no").reduce((sum, { rows: many }) => sum + many, 0)).toBe(
      lostBy("unsubscribed") -
        said.filter(({ says }) => says === "unknown").reduce((sum, { rows: many }) => sum + many, 0),
    );
  });

  it.each([
    ["unsubscribed_members_export.csv", true],
    ["cleaned.csv", true],
    ["bounces-2024.csv", true],
    ["Opt-outs.csv", true],
    ["contacts.csv", false],
    ["subscribed_members_export.csv", false],
    ["clean list.csv", false],
    ["Abmeldungen.csv", true],
    ["removed.csv", true],
    ["cancelled.csv", true],
    ["Inactive subscribers.csv", true],
    ["former customers.csv", true],
    ["résiliés 2024.csv", true],
    ["newsletter.csv", false],
  ])("may be the name of the file: %s", (name, says) => {
    expect(isNoByName(name)).toBe(says);
  });
});

describe("a mapping of a consent column", () => {
  const read = (to: string, cell: string) => {
    const consent = consentIn(to);
    return consent && readConsent(consent, cell);
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
