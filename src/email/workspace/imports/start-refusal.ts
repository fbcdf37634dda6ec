import type { Refusal } from "../../../lib/contract/errors.ts";
import { hasAddresses, readsDates } from "../../../lib/imports/mapping.ts";
import { isLostByName, lostColumns, proposedFor, type Signs } from "../../../lib/imports/signs.ts";
import type { ImportSettings, StoredImport } from "./import-rows.ts";
import { signsOfImport } from "./shown-import.ts";

type Found = Pick<StoredImport, "name" | "columns" | "preview" | "form" | "rows">;

/** Refuses a start that would lose the "no" of a person, misread dates, or find no address. */
export const startRefusal = (
  found: Found,
  settings: ImportSettings,
  ignored: readonly string[],
): Refusal | undefined => {
  const signs = signsOfImport(found);
  return (
    unknownColumn(found, ignored) ??
    lostConsent(found, signs, settings, ignored) ??
    unclearDates(signs, settings) ??
    noAddress(found, settings)
  );
};

const unknownColumn = ({ name, columns }: Found, ignored: readonly string[]): Refusal | undefined => {
  const stranger = ignored.find((one) => one !== name && !columns.includes(one));
  if (stranger === undefined) return undefined;
  const message = `ignoreConsent: the file has no column "${stranger}", and is not named so.`;
  return { code: "invalid_mapping", path: "ignoreConsent", message };
};

const lostConsent = (
  { name }: Found,
  signs: Signs,
  { mapping, allUnsubscribed, suppressAs }: ImportSettings,
  ignored: readonly string[],
): Refusal | undefined => {
  if (allUnsubscribed || suppressAs) return undefined;
  const [lost] = lostColumns(signs, mapping, ignored);
  if (lost) {
    return { code: "consent_ignored", path: `mapping.${lost.column}`, message: wordsOfLost(lost) };
  }
  if (!isLostByName(signs, name, mapping, ignored)) return undefined;
  const message = `allUnsubscribed: the name of the file, "${name}", says that its people get no mail. Start it with allUnsubscribed or suppressAs, or name the file in ignoreConsent: then they are subscribed.`;
  return { code: "consent_ignored", path: "allUnsubscribed", message };
};

const inRows = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

/** Names the first cell that would be lost, and a mapping that keeps it. */
const wordsOfLost = (column: ReturnType<typeof lostColumns>[number]): string => {
  const { column: name, lost } = column;
  const first = lost.find(({ says }) => says === "no") ?? lost[0];
  const cell = first && first.cell !== "" ? `"${first.cell}"` : "an empty cell";
  const noes = lost.reduce((sum, { says, rows }) => sum + (says === "no" ? rows : 0), 0);
  const proposed = proposedFor(column);
  const how =
    proposed === undefined
      ? 'Map it to "subscribed" or "unsubscribed", with the words that answer, such as "unsubscribed:gone|moved"'
      : `Map it to "${proposed}"`;
  const why =
    noes > 0
      ? `says who gets no mail, in ${noes} of the file's cells, such as ${cell} in ${inRows(first?.rows ?? 0)}, and would be lost: these people would be subscribed`
      : `may say who gets no mail, and ${cell} in ${inRows(first?.rows ?? 0)} is no known word for it`;
  return `mapping.${name}: the column "${name}" ${why}. ${how}, or name it in ignoreConsent.`;
};

const unclearDates = ({ dates }: Signs, { columns }: ImportSettings): Refusal | undefined => {
  const unclear = columns.find(({ name, target, order }) => readsDates(target) && !order && dates[name] === "unclear");
  if (!unclear) return undefined;
  const { name } = unclear;
  const message = `dates.${name}: the column "${name}" has dates such as 01/02/2024, and no row proves which number is the day. Say "day-first" or "month-first".`;
  return { code: "ambiguous_dates", path: `dates.${name}`, message };
};

const noAddress = ({ preview }: Found, { columns }: ImportSettings): Refusal | undefined => {
  const email = columns.find(({ target }) => target.kind === "email");
  const hasOther = columns.some(({ target }) => target.kind === "userId");
  if (!email || hasOther || preview.length === 0 || hasAddresses(preview, email.index, "some")) return undefined;
  const message = `mapping.${email.name}: none of the first ${preview.length} rows has an email address in the column "${email.name}". Map another column to email.`;
  return { code: "invalid_mapping", path: `mapping.${email.name}`, message };
};
