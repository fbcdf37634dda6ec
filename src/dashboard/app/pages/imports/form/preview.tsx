import { Select, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PropertyType } from "../../../../../lib/contract/contact-fields.ts";
import type { DateOrder } from "../../../../../lib/contract/import-choices.ts";
import { tallyOf } from "../../../../../lib/imports/consent/tally.ts";
import { orderOf } from "../../../../../lib/imports/dates.ts";
import type { CsvRecord } from "../../../../../lib/imports/records.ts";
import { changedBy } from "../../../../../lib/imports/values.ts";
import { api } from "../../../api/api.ts";
import { counted } from "../../../parts/ledger/ledger-words.ts";
import { Headings } from "../../../parts/list/listing.tsx";
import { Answer } from "../../../parts/states.tsx";
import { Status } from "../../../parts/status/status.tsx";
import { fieldsOf, type Settings } from "./mapping.ts";

const OUTCOMES = ["created", "updated", "unchanged", "refused"] as const;
type Row = Awaited<ReturnType<typeof api.email.imports.preview>>["rows"][number];
const COLUMN = 110;

/** The service says "updated", which people may misunderstand. */
const wordOf = (outcome: Row["outcome"]): string => (outcome === "updated" ? "changed" : outcome);

type Shown = {
  columns: readonly string[];
  sample: readonly CsvRecord[];
  types: Record<string, PropertyType | undefined>;
};
type Props = Shown & { team: string; settings: Settings };

/** Dry run of the first rows. `isSound`: false while settings are invalid. */
export const usePreview = ({
  team,
  columns,
  sample,
  settings,
  isSound = true,
}: Omit<Props, "types"> & { isSound?: boolean }) => {
  const fields = fieldsOf(settings);
  return useQuery({
    queryKey: ["email", team, "import-preview", fields, sample],
    queryFn: ({ signal }) =>
      api.email.imports.preview({ ...fields, team, columns: [...columns], rows: [...sample] }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled: isSound,
  });
};

export const Preview = ({ types, ...asked }: Props) => {
  const { columns, sample, settings } = asked;
  const query = usePreview(asked);
  return (
    <Answer query={query}>
      {({ rows }) => (
        <Rows
          rows={rows}
          sample={sample}
          columns={columns}
          types={types}
          mapping={fieldsOf(settings).mapping}
          settings={settings}
        />
      )}
    </Answer>
  );
};

type RowsProps = Shown & { rows: readonly Row[]; mapping: Record<string, string | null>; settings: Settings };

/** Order of dates that the first rows prove. */
const provenOrder = (sample: readonly CsvRecord[], index: number): DateOrder | undefined => {
  const [tally] = tallyOf(
    [""],
    sample.map(({ cells }) => ({ cells: [cells[index] ?? ""] })),
  );
  const order = tally && orderOf(tally);
  return order === "unclear" ? undefined : order;
};

/** `stored`: the stored value if it differs. */
const Cell = ({ cell, stored }: { cell: string; stored: string | undefined }) => (
  <Text size="sm" lineClamp={1} maw={220} title={stored === undefined ? cell : `${cell} is stored as ${stored}`}>
    {cell}
    {stored !== undefined && <b> → {stored}</b>}
  </Text>
);

const Rows = ({ rows, sample, columns, types, mapping, settings }: RowsProps) => {
  const [shown, setShown] = useState("all");
  const counts = OUTCOMES.map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }));
  const read = columns.filter((name) => mapping[name] != null);
  const visible = rows
    .map((row, index) => ({ row, record: sample[index] }))
    .filter(({ row, record }) => record && (shown === "all" || row.outcome === shown));
  const cellOf = (record: CsvRecord | undefined, name: string) => record?.cells[columns.indexOf(name)] ?? "";
  const storedOf = ({ outcome }: Row, record: CsvRecord | undefined, name: string) => {
    const type = types[name];
    const order = settings.dates[name] ?? provenOrder(sample, columns.indexOf(name));
    return type && outcome !== "refused" ? changedBy(type, cellOf(record, name), order) : undefined;
  };
  const isChanged = visible.some(({ row, record }) => read.some((name) => storedOf(row, record, name) !== undefined));
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        Of the first {counted(rows.length, "row")}:{" "}
        {counts.map(({ outcome, count }) => `${count} ${wordOf(outcome)}`).join(", ")}. Nothing is written yet.
        {isChanged && " After → is what is stored, where a property does not keep a cell as it stands."}
      </Text>
      <Select
        size="xs"
        w={160}
        label="Rows that are shown"
        value={shown}
        onChange={(value) => setShown(value ?? "all")}
        data={[
          { value: "all", label: "all" },
          ...counts
            .filter(({ count }) => count > 0)
            .map(({ outcome }) => ({ value: outcome as string, label: wordOf(outcome) })),
        ]}
        allowDeselect={false}
      />
      <Table.ScrollContainer
        minWidth={Math.max(560, COLUMN * (read.length + 3))}
        maxHeight={420}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-label="preview" verticalSpacing={4}>
          <Headings of={["Line", "Outcome", ...read, "Why"]} />
          <Table.Tbody>
            {visible.map(({ row, record }) => (
              <Table.Tr key={record?.line}>
                <Table.Td>{record?.line}</Table.Td>
                <Table.Td>
                  <Status kind={wordOf(row.outcome)} />
                </Table.Td>
                {read.map((name) => (
                  <Table.Td key={name}>
                    <Cell cell={cellOf(record, name)} stored={storedOf(row, record, name)} />
                  </Table.Td>
                ))}
                <Table.Td>
                  <Text size="sm" miw={180}>
                    {[row.column && `${row.column}:`, row.reason].filter(Boolean).join(" ")}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
};
