import { MultiSelect, Select, Stack, Switch, Table, Text, TextInput } from "@mantine/core";
import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import type { CsvRecord } from "../../../../../lib/imports/records.ts";
import { proposedFor, type Signs } from "../../../../../lib/imports/signs.ts";
import { Headings } from "../../../parts/list/listing.tsx";
import {
  type ColumnTarget,
  CREATE,
  choicesOf,
  created,
  IGNORE,
  type Known,
  listChoices,
  type Settings,
  suppressionChoices,
} from "./mapping.ts";

const TYPES = ["string", "number", "boolean", "date"];
const EXAMPLES = 3;
const FILES = [
  { value: "", label: "Contacts" },
  { value: "bounce", label: "Suppressed addresses: bounces" },
  { value: "complaint", label: "Suppressed addresses: complaints" },
  { value: "manual", label: "Suppressed addresses: by hand" },
];

type Props = {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** More rows for better type guesses. */
  sample: readonly CsvRecord[] | undefined;
  known: Known;
  settings: Settings;
  signs: Signs;
  problems: Record<string, string>;
  onChange: (settings: Settings) => void;
};

export const MappingTable = ({ columns, rows, sample, known, settings, signs, problems, onChange }: Props) => {
  const mapped = Object.values(settings.columns).flatMap((target) =>
    "to" in target && target.to !== null ? target.to : [],
  );
  const proposed = signs.consent.flatMap((column) => proposedFor(column) ?? []);
  const worded = [...mapped, ...proposed].filter((to) => /^(un)?subscribed:/.test(to));
  const choices = settings.suppressAs === "" ? choicesOf(known, [...new Set(worded)]) : suppressionChoices;
  const set = (name: string, target: ColumnTarget) =>
    onChange({ ...settings, columns: { ...settings.columns, [name]: target } });
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label="columns" verticalSpacing={6}>
        <Headings of={["Column", "Becomes"]} />
        <Table.Tbody>
          {columns.map((name, index) => (
            <Table.Tr key={name}>
              <Table.Td className="wrap">
                {name}
                <Text size="xs" c="dimmed" lineClamp={2} title={examplesOf(rows, index)}>
                  {examplesOf(rows, index)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Target
                  name={name}
                  target={settings.columns[name] ?? { to: null }}
                  choices={choices}
                  problem={problems[name]}
                  onChange={(target) => set(name, target)}
                  newProperty={() =>
                    created(
                      name,
                      (sample?.map(({ cells }) => cells) ?? rows).map((row) => row[index] ?? ""),
                    )
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const examplesOf = (rows: readonly (readonly string[])[], index: number): string =>
  rows
    .flatMap((row) => row[index] || [])
    .slice(0, EXAMPLES)
    .map((value) => `“${value}”`)
    .join(", ");

type TargetProps = {
  name: string;
  target: ColumnTarget;
  choices: ReturnType<typeof choicesOf> | typeof suppressionChoices;
  problem: string | undefined;
  onChange: (target: ColumnTarget) => void;
  newProperty: () => ColumnTarget;
};

const Target = ({ name, target, choices, problem, onChange, newProperty }: TargetProps) => {
  const isNew = "create" in target;
  return (
    <Stack gap={4}>
      <Select
        aria-label={`${name} becomes`}
        size="xs"
        data={choices}
        value={isNew ? CREATE : (target.to ?? IGNORE)}
        onChange={(value) =>
          onChange(value === CREATE ? newProperty() : { to: value === null ? null : String(value) || null })
        }
        allowDeselect={false}
        searchable
        error={isNew ? undefined : problem}
        maw={320}
      />
      {isNew && (
        <>
          <TextInput
            aria-label={`Name of the property for ${name}`}
            size="xs"
            value={target.create}
            onChange={({ currentTarget }) => onChange({ ...target, create: currentTarget.value })}
            error={problem}
          />
          <Select
            aria-label={`Type of the property for ${name}`}
            size="xs"
            data={TYPES}
            value={target.type}
            onChange={(type) => onChange({ ...target, type: (type ?? "string") as PropertyType })}
            allowDeselect={false}
          />
        </>
      )}
    </Stack>
  );
};

type OptionsProps = Pick<Props, "known" | "settings" | "onChange"> & {
  onSuppressAs: (suppressAs: Settings["suppressAs"]) => void;
};

export const Options = ({ known, settings, onChange, onSuppressAs }: OptionsProps) => (
  <Stack gap="sm" maw={560}>
    <MultiSelect
      label="Every contact of the file joins"
      placeholder={settings.mailingLists.length === 0 ? "no list" : undefined}
      data={listChoices(known.lists)}
      value={settings.mailingLists}
      onChange={(mailingLists) => onChange({ ...settings, mailingLists })}
      clearable
      clearButtonProps={{ "aria-label": "Clear the lists" }}
      nothingFoundMessage="This team has no mailing list"
    />
    <Switch
      label="Change contacts that exist"
      checked={settings.updateExisting}
      onChange={({ currentTarget }) => onChange({ ...settings, updateExisting: currentTarget.checked })}
    />
    <Switch
      label="No contact of the file is subscribed"
      description="For a file of people who have unsubscribed."
      checked={settings.allUnsubscribed}
      onChange={({ currentTarget }) => onChange({ ...settings, allUnsubscribed: currentTarget.checked })}
    />
    <Switch
      label="Leave out cells that a column cannot take"
      description="The row is imported without them. Addresses, user ids and who gets mail are never left out."
      checked={settings.skipBadCells}
      onChange={({ currentTarget }) => onChange({ ...settings, skipBadCells: currentTarget.checked })}
    />
    <Select
      label="What the file has"
      data={FILES}
      value={settings.suppressAs}
      onChange={(value) => onSuppressAs((value ?? "") as Settings["suppressAs"])}
      allowDeselect={false}
    />
    <Switch
      label="Start workflows"
      description='Those of "contact added", changed properties and joined lists. They may send mail to everybody in the file.'
      checked={settings.triggerWorkflows}
      onChange={({ currentTarget }) => onChange({ ...settings, triggerWorkflows: currentTarget.checked })}
    />
  </Stack>
);
