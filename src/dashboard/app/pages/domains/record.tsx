import { Badge, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Copyable } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { differenceOf, type Piece } from "./difference.ts";
import { type DnsRecord, type Domain, kindInWords, stateOfRecord } from "./domain-words.ts";

export const RecordCard = ({ domain, record }: { domain: Domain; record: DnsRecord }) => {
  const { type, host, value, purpose, required, status, message } = record;
  return (
    <Paper withBorder p="sm" component="section" aria-label={`${kindInWords(record)} ${host}`}>
      <Stack gap="xs">
        <Group gap="xs">
          <Title order={3} size="h5">
            {kindInWords(record)}
          </Title>
          <Status kind={stateOfRecord(record, domain)} />
          {!required && (
            <Badge variant="light" color="gray" tt="none">
              recommended
            </Badge>
          )}
        </Group>
        <Text size="sm">{purpose}</Text>
        <Labeled label="Host">
          <Copyable text={host} label="Copy the host" />
        </Labeled>
        <Labeled label={`${type} value`}>
          <Copyable text={value} label="Copy the value" />
        </Labeled>
        <Text size="sm" className="wrap">
          {message}
        </Text>
        {status !== "right" && <Compared record={record} />}
      </Stack>
    </Paper>
  );
};

const Labeled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    {children}
  </div>
);

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
