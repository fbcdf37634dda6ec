import { Code, SimpleGrid, Stack, Text } from "@mantine/core";
import { CopyRow, PanelRow } from "../../parts/cards/cards.tsx";
import { Status } from "../../parts/status/status.tsx";
import { differenceOf, type Piece } from "./difference.ts";
import { type DnsRecord, type Domain, kindInWords, stateOfRecord } from "./domain-words.ts";

export const RecordRow = ({ domain, record }: { domain: Domain; record: DnsRecord }) => {
  const { type, host, value, purpose, required, status, message } = record;
  return (
    <PanelRow
      title={kindInWords(record)}
      note={`${purpose.replace(/^\w+: /, "")}${required ? "" : " Recommended."}`}
      aside={<Status kind={stateOfRecord(record, domain)} />}
    >
      <CopyRow lead={type} of={{ host, value }} />
      {status !== "right" && (
        <Text size="sm" className="wrap">
          {message}
        </Text>
      )}
      {status !== "right" && <Compared record={record} />}
    </PanelRow>
  );
};

const Compared = ({ record: { found, value } }: { record: DnsRecord }) => {
  if (found.length === 0) return null;
  return (
    <Stack gap="xs">
      {found.map((one, n) => {
        const { wanted, found: pieces } = differenceOf(value, one);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two records may be the same
          <SimpleGrid key={n} cols={{ base: 1, sm: 2 }} spacing="xs">
            <Side label="Wanted" pieces={wanted} />
            <Side label={found.length > 1 ? `Found, ${n + 1} of ${found.length}` : "Found"} pieces={pieces} />
          </SimpleGrid>
        );
      })}
    </Stack>
  );
};

const Side = ({ label, pieces }: { label: string; pieces: readonly Piece[] }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Code block className="lines">
      {pieces.map(({ text, differs }, n) =>
        differs ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
          <mark key={n} className="differs">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </Code>
  </div>
);
