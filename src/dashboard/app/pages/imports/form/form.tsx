import { Alert, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { CsvRecord } from "../../../../../lib/imports/records.ts";
import type { Signs } from "../../../../../lib/imports/signs.ts";
import {
  consentText,
  guessOf,
  ignoredText,
  type Known,
  problemsOf,
  type Settings,
  suppressing,
  typesOf,
} from "./mapping.ts";
import { MappingTable, Options } from "./mapping-table.tsx";
import { Preview } from "./preview.tsx";
import { Questions } from "./questions.tsx";

type Props = {
  team: string;
  columns: readonly string[];
  /** First rows with complete cells. */
  sample: readonly CsvRecord[] | undefined;
  preview: readonly (readonly string[])[];
  known: Known;
  signs: Signs;
  file: string;
  settings: Settings;
  onChange: (settings: Settings) => void;
  children: ReactNode;
};

export const ImportForm = ({
  team,
  columns,
  sample,
  preview,
  known,
  signs,
  file,
  settings,
  onChange,
  children,
}: Props) => {
  const problems = problemsOf(settings);
  const isSound = Object.keys(problems).length === 0;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} size="h4">
          What the columns become
        </Title>
        {problems[""] !== undefined && (
          <Alert color="yellow" variant="light" title="Somebody has to be meant">
            {problems[""]}
          </Alert>
        )}
        <MappingTable
          columns={columns}
          sample={sample}
          known={known}
          settings={settings}
          signs={signs}
          problems={problems}
          onChange={onChange}
          rows={preview}
        />
        {ignoredText(settings).map((text) => (
          <Text key={text} size="sm" role="status" className="wrap">
            {text}
          </Text>
        ))}
        {consentText(settings, signs).map((text) => (
          <Text key={text} size="sm" role="status" className="wrap">
            {text}
          </Text>
        ))}
        <Questions signs={signs} file={file} settings={settings} known={known} onChange={onChange} />
      </Stack>
      <Stack gap="xs">
        <Title order={2} size="h4">
          Options
        </Title>
        <Options
          known={known}
          settings={settings}
          onChange={onChange}
          onSuppressAs={(suppressAs) =>
            onChange(suppressing(settings, suppressAs, columns, preview, guessOf(columns, preview, known)))
          }
        />
      </Stack>
      {sample && isSound && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            Preview
          </Title>
          <Preview team={team} columns={columns} sample={sample} settings={settings} types={typesOf(settings, known)} />
        </Stack>
      )}
      {children}
    </Stack>
  );
};
