import { List, Text } from "@mantine/core";
import type { Signs } from "../../../../lib/imports/signs.ts";
import type { Act } from "../../parts/acts/act.tsx";
import type { Settings } from "./form/mapping.ts";
import { effectText } from "./import-words.ts";

/** Common parts of actions that start an import. */
export const starting = (name: string, rows: number, settings: Settings, signs: Signs) => ({
  title: `Import ${name}?`,
  label: "Import",
  effect: (): { text: React.ReactNode } => ({
    text: (
      <List size="sm" spacing={4}>
        {effectText(rows, settings, signs).map((line) => (
          <List.Item key={line} className="wrap">
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
