import { List, Text } from "@mantine/core";
import type { Act } from "../../parts/acts/act.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import { fieldsOf, type Settings } from "./form/mapping.ts";
import { effectText } from "./import-words.ts";
import type { StartFields } from "./uploads.ts";

/** Fields to start an import. A dry run changes no contacts. */
export const startFieldsOf = (settings: Settings, dryRun: boolean): StartFields => ({
  ...(fieldsOf(settings) as Omit<StartFields, "triggerWorkflows" | "dryRun">),
  triggerWorkflows: settings.triggerWorkflows,
  dryRun,
});

/** The equivalent command, with or without an uploaded file. */
export const commandOf = (
  team: string,
  of: { file: string } | { id: string },
  { mapping, createProperties, mailingLists, updateExisting, triggerWorkflows, dryRun }: StartFields,
): Command => ({
  name: "import",
  args: "file" in of ? [of.file] : [],
  options: [
    ...("id" in of ? ["--import", of.id] : []),
    dryRun ? "--dry-run" : "--start",
    ...Object.entries(mapping).flatMap(([column, to]) => ["--map", `${column}=${to ?? "-"}`]),
    ...Object.entries(createProperties ?? {}).flatMap(([property, type]) => ["--create", `${property}=${type}`]),
    ...(mailingLists ?? []).flatMap((id) => ["--list", id]),
    ...(updateExisting ? [] : ["--only-new"]),
    ...(triggerWorkflows ? ["--trigger-workflows"] : []),
    "--team",
    team,
  ],
});

/** Common parts of actions that start an import. */
export const starting = (name: string, rows: number, settings: Settings) => ({
  title: `Import ${name}?`,
  label: "Import",
  effect: (): { text: React.ReactNode } => ({
    text: (
      <List size="sm" spacing={4}>
        {effectText(rows, settings).map((line) => (
          <List.Item key={line} style={{ overflowWrap: "anywhere" }}>
            {line}
          </List.Item>
        ))}
      </List>
    ),
  }),
});

/** Common parts of actions that check every row. */
export const checking = (name: string) =>
  ({
    title: `Check every row of ${name}?`,
    label: "Check",
    effect: (): { text: React.ReactNode } => ({
      text: (
        <Text size="sm">
          The rows are sent, and each gets its outcome and its reason. No contact changes. It can be imported after
          that.
        </Text>
      ),
    }),
  }) satisfies Partial<Act<unknown>>;
