import type { PropertyType } from "../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { DateOrder } from "../../../lib/contract/import-choices.ts";
import { orderOf } from "../../../lib/imports/dates.ts";
import { type Column, isShared, readsDates, targetOf, withReasons } from "../../../lib/imports/mapping.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { membershipRefusal } from "../contacts/lists.ts";
import { createProperty, customTypes } from "../contacts/properties.ts";
import type { Context } from "../core/context.ts";
import type { ImportSettings, StoredForm, StoredImport } from "./import-rows.ts";

type Given =
  | "mapping"
  | "createProperties"
  | "mailingLists"
  | "updateExisting"
  | "dates"
  | "skipBadCells"
  | "allUnsubscribed"
  | "suppressAs";
type Input = Pick<AdminInput<"imports.start">, Given> & {
  dryRun: boolean;
  triggerWorkflows: boolean;
};

/** A refusal or dry run writes nothing. */
export const readSettings = (
  context: Context,
  found: Pick<StoredImport, "columns" | "form">,
  input: Input,
): { settings: ImportSettings } | { refusal: Refusal } => {
  const { sql } = context;
  const known = customTypes(sql);
  const added = Object.entries(input.createProperties).filter(([name]) => !known.has(name));
  const other = Object.entries(input.createProperties).find(([name, type]) => (known.get(name) ?? type) !== type);
  if (other) {
    const [name, type] = other;
    const message = `createProperties.${name}: the team has this property, and its type is ${known.get(name)}, not ${type}.`;
    return { refusal: { code: "property_exists", path: `createProperties.${name}`, message } };
  }
  const { columns, form } = found;
  const counted = form.counted && { rows: 0, columns: form.counted };
  const mapping = input.suppressAs ? withReasons(columns, input.mapping, counted) : input.mapping;
  const read = readColumns(sql, found, { ...input, mapping }, new Map([...known, ...added]));
  if ("refusal" in read) return read;
  for (const id of input.mailingLists) {
    const refusal = membershipRefusal(sql, id, true);
    if (refusal) return { refusal: { ...refusal, path: "mailingLists" } };
  }
  for (const [name, type] of input.dryRun ? [] : added) {
    const refusal = createProperty(context, name, type, `createProperties.${name}`);
    if (refusal) return { refusal };
  }
  const { createProperties: _, dates: _dates, dryRun: _dryRun, suppressAs, ...settings } = input;
  return { settings: { ...settings, mapping, columns: read.columns, ...(suppressAs ? { suppressAs } : {}) } };
};

const readColumns = (
  sql: SqlStorage,
  { columns: names, form }: Pick<StoredImport, "columns" | "form">,
  { mapping, dates = {}, suppressAs }: Input,
  types: ReadonlyMap<string, PropertyType>,
): { columns: Column[] } | { refusal: Refusal } => {
  const columns: Column[] = [];
  const usedBy = new Map<string, string>();
  for (const [name, to] of Object.entries(mapping)) {
    const index = names.indexOf(name);
    if (index === -1) return invalid(name, `the file has no column "${name}". Its columns are ${quoted(names)}`);
    if (to === null) continue;
    const target = targetOf(to, types);
    if (!target) {
      return invalid(
        name,
        `there is no contact property "${to}". Create it with createProperties, or use null to ignore the column`,
      );
    }
    const isOfSuppression = target.kind === "suppressionReason" || target.kind === "suppressedAt";
    if (isOfSuppression && !suppressAs) return invalid(name, `${to} needs suppressAs, the reason of the other rows`);
    const other = isShared(to) ? undefined : usedBy.get(to);
    if (other !== undefined) return invalid(name, `the column "${other}" becomes ${to} too. Only one column can`);
    usedBy.set(to, name);
    const refusal = target.kind === "list" ? membershipRefusal(sql, target.id, true) : undefined;
    if (refusal) return { refusal: { ...refusal, path: `mapping.${name}` } };
    const order = readsDates(target) ? (dates[name] ?? provenOrder(form, index)) : undefined;
    if (!suppressAs || isOfSuppression || target.kind === "email")
      columns.push({ index, name, target, ...(order ? { order } : {}) });
  }
  const stranger = Object.keys(dates).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    const message = `dates.${stranger}: the file has no column "${stranger}". Its columns are ${quoted(names)}.`;
    return { refusal: { code: "invalid_mapping", path: `dates.${stranger}`, message } };
  }
  if (suppressAs && !usedBy.has("email")) {
    const message = "mapping: one column must become email: an address is suppressed.";
    return { refusal: { code: "invalid_mapping", path: "mapping", message } };
  }
  if (usedBy.has("email") || usedBy.has("userId")) return { columns };
  const message = "mapping: one column must become email or userId.";
  return { refusal: { code: "invalid_mapping", path: "mapping", message } };
};

const provenOrder = ({ counted }: StoredForm, index: number): DateOrder | undefined => {
  const tally = counted?.[index];
  const order = tally && orderOf(tally);
  return order === "unclear" ? undefined : order;
};

const quoted = (names: readonly string[]): string =>
  names.length <= 10
    ? names.map((name) => `"${name}"`).join(", ")
    : `${quoted(names.slice(0, 10))} and ${names.length - 10} more`;

const invalid = (name: string, problem: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_mapping", path: `mapping.${name}`, message: `mapping.${name}: ${problem}.` },
});
