import { Alert, Checkbox, Select, Stack, Text } from "@mantine/core";
import type { DateOrder } from "../../../../../lib/contract/import-choices.ts";
import type { Signs } from "../../../../../lib/imports/signs.ts";
import { type Known, lostText, questionsOf, type Settings, typesOf } from "./mapping.ts";

type Props = {
  signs: Signs;
  file: string;
  settings: Settings;
  known: Known;
  onChange: (settings: Settings) => void;
};

/** Choices without which an import does not start. An answer that was given stays, to be taken back. */
export const Questions = ({ signs, file, settings, known, onChange }: Props) => {
  const { lost, byName, unclear } = questionsOf(settings, signs, file, typesOf(settings, known));
  const { ignoreConsent, dates } = settings;
  const ignore = (name: string, isIgnored: boolean) =>
    onChange({
      ...settings,
      ignoreConsent: [...ignoreConsent.filter((one) => one !== name), ...(isIgnored ? [name] : [])],
    });
  const names = [...lost.map(({ column }) => column), ...(byName ? [file] : [])];
  const ordered = [...unclear, ...Object.keys(dates)];
  return (
    <>
      {names.length + ignoreConsent.length > 0 && (
        <Alert color="yellow" variant="light" title="Who gets no mail?">
          <Stack gap="xs">
            {lost.map((one) => (
              <Text key={one.column} size="sm" className="wrap">
                {lostText(one)}
              </Text>
            ))}
            {byName && (
              <Text size="sm" className="wrap">
                The name {file} says that its people get no mail. Choose "No contact of the file is subscribed" below,
                or ignore it.
              </Text>
            )}
            {[...names, ...ignoreConsent].map((name) => (
              <Checkbox
                key={name}
                label={`Ignore ${name}: its people are subscribed`}
                checked={ignoreConsent.includes(name)}
                onChange={({ currentTarget }) => ignore(name, currentTarget.checked)}
              />
            ))}
          </Stack>
        </Alert>
      )}
      {ordered.map((name) => (
        <Select
          key={name}
          label={`Dates such as 01/02/2024 in ${name}`}
          placeholder="Choose"
          size="xs"
          maw={320}
          data={[
            { value: "day-first", label: "the day first: 1 February" },
            { value: "month-first", label: "the month first: January 2" },
          ]}
          value={dates[name] ?? null}
          onChange={(order) => onChange({ ...settings, dates: { ...dates, [name]: order as DateOrder } })}
          allowDeselect={false}
        />
      ))}
    </>
  );
};
