import type { Signs } from "../../../../lib/imports/signs.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { consentText, ignoredText, type Settings } from "./form/mapping.ts";
import type { Listed } from "./state.ts";

export const numberText = (number: number): string => number.toLocaleString("en");

type Counts = Pick<Listed, "created" | "updated" | "unchanged" | "refused">;

/** Row results. The service calls a changed contact "updated". */
export const countsText = ({ created, updated, unchanged, refused }: Counts): string =>
  [
    `${numberText(created)} created`,
    `${numberText(updated)} changed`,
    `${numberText(unchanged)} unchanged`,
    `${numberText(refused)} refused`,
  ].join(", ");

/** A heading, such as "Result: 372 new, 2 refused". */
export const resultText = ({ created, updated, unchanged, refused }: Counts): string => {
  const all = [
    [created, "new"],
    [updated, "changed"],
    [unchanged, "unchanged"],
    [refused, "refused"],
  ] as const;
  const some = all.filter(([count]) => count > 0).map(([count, what]) => `${numberText(count)} ${what}`);
  return `Result: ${some.join(", ") || "no rows yet"}`;
};

/** Things that no import ever does. */
const NEVER =
  "Nobody is subscribed again: who has unsubscribed or left a list stays so, and a suppressed address gets no mail. An empty cell keeps the value that a contact has.";

/** Describes the effect of an import. */
export const effectText = (rows: number, settings: Settings, signs: Signs): string[] => {
  const { updateExisting, triggerWorkflows, mailingLists } = settings;
  return [
    `${counted(rows, "row")} ${rows === 1 ? "is" : "are"} read. ${
      updateExisting ? "Contacts that exist are changed." : "Contacts that exist stay as they are."
    }`,
    ...ignoredText(settings),
    ...consentText(settings, signs),
    ...settings.ignoreConsent.map(
      (name) => `${name} is ignored, though it says who gets no mail: these people are subscribed.`,
    ),
    ...(mailingLists.length > 0 ? [`Every contact of the file joins ${counted(mailingLists.length, "list")}.`] : []),
    triggerWorkflows
      ? "New contacts, changed properties and joined lists start workflows: they may send mail."
      : "No workflow starts.",
    NEVER,
    "It can be paused and cancelled, but not undone: contacts that were imported stay.",
  ];
};
