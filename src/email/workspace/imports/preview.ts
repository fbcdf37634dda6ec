import type { Refusal } from "../../../lib/contract/errors.ts";
import { tallyOf } from "../../../lib/imports/consent/tally.ts";
import type { CsvRecord } from "../../../lib/imports/records.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { importRows } from "./import-batch.ts";
import type { StoredForm } from "./import-rows.ts";
import { readSettings } from "./settings.ts";

export const previewRows = (
  context: Context,
  { columns, rows, ...input }: AdminInput<"imports.preview">,
): { body: unknown } | { refusal: Refusal } => {
  const { team: _, ...settings } = input;
  const form: StoredForm = { encoding: "utf-8", delimiter: ",", counted: tallyOf(columns, rows as CsvRecord[]) };
  const read = readSettings(context, { columns, form }, { ...settings, dryRun: true, triggerWorkflows: false });
  if ("refusal" in read) return read;
  const one = { n: 0, dryRun: true, columns, settings: read.settings, seen: new Set<string>() };
  return { body: { rows: importRows(context, one, rows as CsvRecord[]) } };
};
