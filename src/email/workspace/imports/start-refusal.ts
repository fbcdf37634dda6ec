import type { Refusal } from "../../../lib/contract/errors.ts";
import { hasAddresses, readsDates } from "../../../lib/imports/mapping.ts";
import { isLostByName, lostColumns, type Signs } from "../../../lib/imports/signs.ts";
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
    const { column, to, says } = lost;
    const message = `mapping.${column}: the column "${column}" says who gets no mail, in ${says} of the file's cells, and would be lost: these people would be subscribed. Map it to "${to ?? "unsubscribed"}", or name it in ignoreConsent.`;
    return { code: "consent_ignored", path: `mapping.${column}`, message };
  }
  if (!isLostByName(signs, name, mapping, ignored)) return undefined;
  const message = `allUnsubscribed: the name of the file, "${name}", says that its people get no mail. Start it with allUnsubscribed or suppressAs, or name the file in ignoreConsent: then they are subscribed.`;
  return { code: "consent_ignored", path: "allUnsubscribed", message };
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
