import type { Command } from "../../parts/acts/shell.ts";
import { fieldsOf, type Settings } from "./form/mapping.ts";
import type { StartFields } from "./uploads.ts";

/** Fields to start an import. A dry run changes no contacts. */
export const startFieldsOf = (settings: Settings, dryRun: boolean): StartFields => ({
  ...(fieldsOf(settings) as Omit<StartFields, "triggerWorkflows" | "ignoreConsent" | "dryRun">),
  triggerWorkflows: settings.triggerWorkflows,
  ignoreConsent: settings.ignoreConsent,
  dryRun,
});

/** The equivalent command, with or without an uploaded file. */
export const commandOf = (
  team: string,
  of: { file: string } | { id: string },
  { mapping, createProperties, mailingLists, updateExisting, triggerWorkflows, dryRun, ...more }: StartFields,
): Command => ({
  name: "import",
  args: "file" in of ? [of.file] : [],
  options: [
    ...("id" in of ? ["--import", of.id] : []),
    dryRun ? "--dry-run" : "--start",
    ...Object.entries(mapping).flatMap(([column, to]) => ["--map", `${column}=${to ?? "-"}`]),
    ...Object.entries(createProperties ?? {}).flatMap(([property, type]) => ["--create", `${property}=${type}`]),
    ...(mailingLists ?? []).flatMap((id) => ["--list", id]),
    ...Object.entries(more.dates ?? {}).flatMap(([column, order]) => ["--dates", `${column}=${order}`]),
    ...(more.allUnsubscribed ? ["--all-unsubscribed"] : []),
    ...(more.suppressAs ? ["--suppress-as", more.suppressAs] : []),
    ...(more.ignoreConsent ?? []).flatMap((column) => ["--ignore-consent", column]),
    ...(more.skipBadCells ? ["--skip-bad-cells"] : []),
    ...(updateExisting ? [] : ["--only-new"]),
    ...(triggerWorkflows ? ["--trigger-workflows"] : []),
    "--team",
    team,
  ],
});
