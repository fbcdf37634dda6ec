import { Select, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CsvRecord } from "../../../../../lib/imports/records.ts";
import { api } from "../../../api/api.ts";
import { counted } from "../../../parts/ledger/words.ts";
import { Headings } from "../../../parts/listing.tsx";
import { Answer } from "../../../parts/states.tsx";
import { State } from "../../../parts/text.tsx";
import { fieldsOf, type Settings } from "./mapping.ts";

const OUTCOMES = ["created", "updated", "unchanged", "refused"] as const;
type Row = Awaited<ReturnType<typeof api.email.imports.preview>>["rows"][number];
/** Columns beside the outcome. */
const MOST_COLUMNS = 5;

/** The service says "updated", which people take for "read anew". */
export const wordOf = (outcome: Row["outcome"]): string => (outcome === "updated" ? "changed" : outcome);

type Props = { team: string; columns: readonly string[]; sample: readonly CsvRecord[]; settings: Settings };

/** What the first rows would become, by a dry run of the service. */
export const Preview = ({ team, columns, sample, settings }: Props) => {
  const fields = fieldsOf(settings);
  const query = useQuery({
    queryKey: ["email", team, "import-preview", fields, sample],
    queryFn: ({ signal }) =>
      api.email.imports.preview({ ...fields, team, columns: [...columns], rows: [...sample] }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <Answer query={query}>
      {({ rows }) => <Rows rows={rows} sample={sample} columns={columns} mapping={fields.mapping} />}
    </Answer>
  );
};

type RowsProps = {
  rows: readonly Row[];
  sample: readonly CsvRecord[];
  columns: readonly string[];
  mapping: Record<string, string | null>;
};

const Rows = ({ rows, sample, columns, mapping }: RowsProps) => {
  const [shown, setShown] = useState("all");
  const counts = OUTCOMES.map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }));
  const read = columns.filter((name) => mapping[name] != null).slice(0, MOST_COLUMNS);
  const visible = rows
    .map((row, index) => ({ row, record: sample[index] }))
    .filter(({ row, record }) => record && (shown === "all" || row.outcome === shown));
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        Of the first {counted(rows.length, "row")}:{" "}
        {counts.map(({ outcome, count }) => `${count} ${wordOf(outcome)}`).join(", ")}. Nothing is written yet.
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
      <Table.ScrollContainer minWidth={560} mah={420} tabIndex={0}>
        <Table aria-label="preview" verticalSpacing={4}>
          <Headings of={["Line", "Outcome", ...read, "Why"]} />
          <Table.Tbody>
            {visible.map(({ row, record }) => (
              <Table.Tr key={record?.line}>
                <Table.Td>{record?.line}</Table.Td>
                <Table.Td>
                  <State state={wordOf(row.outcome)} />
                </Table.Td>
                {read.map((name) => (
                  <Table.Td key={name}>
                    <Text size="sm" lineClamp={1} maw={220} title={record?.cells[columns.indexOf(name)]}>
                      {record?.cells[columns.indexOf(name)]}
                    </Text>
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
