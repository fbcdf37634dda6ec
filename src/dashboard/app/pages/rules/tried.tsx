import { Alert, Badge, Card, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import type { api } from "../../api/api.ts";
import { counted } from "../../parts/ledger/words.ts";
import { State } from "../../parts/text.tsx";
import { around, type Difference, differencesOf, type Tried } from "./diff.ts";

export type Result = Awaited<ReturnType<typeof api.bridge.rules.run>>;

/** Result of today's rules; nothing is sent. `conditions`: source text by rule. */
export const TriedResult = ({
  result,
  conditions,
}: {
  result: Result;
  conditions: Readonly<Record<string, string | null>>;
}) => (
  <Stack gap="sm" role="status">
    <Text>
      {result.type}: {counted(result.calls.length, "call")}. Nothing was sent, and nothing was stored.
    </Text>
    {result.skip !== null && <Alert color="orange">{result.skip}</Alert>}
    <Table aria-label="Outcomes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Rule</Table.Th>
          <Table.Th w={130}>Outcome</Table.Th>
          <Table.Th>Why</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {result.outcomes.map(({ rule, outcome, clause, why }) => (
          <Table.Tr key={rule}>
            <Table.Td>{rule}</Table.Td>
            <Table.Td>
              <State state={outcome} />
            </Table.Td>
            <Table.Td>
              {clause === undefined ? (
                <Text size="sm">{why}</Text>
              ) : (
                <Condition text={conditions[rule] ?? clause} clause={clause} />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    {result.planned === null ? (
      result.calls.map((call) => <TriedCall key={`${call.rule} ${call.what}`} call={call} />)
    ) : (
      <Differences all={differencesOf(result.planned, result.calls)} />
    )}
  </Stack>
);

/** Marks the false part of a condition. */
export const Condition = ({ text, clause }: { text: string; clause?: string }) => {
  const parts = clause === undefined ? undefined : around(text, clause);
  return (
    <Code block tabIndex={0} style={{ whiteSpace: "pre-wrap" }}>
      {parts ? (
        <>
          {parts[0]}
          <mark>{parts[1]}</mark>
          {parts[2]}
        </>
      ) : (
        text
      )}
    </Code>
  );
};

const TriedCall = ({ call }: { call: Tried }) => (
  <Card withBorder padding="sm" component="article" aria-label={`${call.what} for ${call.whom}`}>
    <Text size="sm" fw={600}>
      {call.what} for {call.whom}, by the rule {call.rule}
    </Text>
    {call.problems.map((problem) => (
      <Text size="sm" key={problem}>
        {problem}
      </Text>
    ))}
    <Code block tabIndex={0} mt="xs">
      {`${call.request.method} ${call.request.path}\n${JSON.stringify(call.request.body, null, 2)}`}
    </Code>
  </Card>
);

const WORDS: Record<Difference["kind"], readonly [string, string]> = {
  same: ["the same", "gray"],
  changed: ["another content", "yellow"],
  new: ["new", "green"],
  gone: ["not made any more", "red"],
};

const Differences = ({ all }: { all: readonly Difference[] }) => (
  <Stack gap="xs">
    <Title order={3} size="h5">
      Calls of then, and of today's rules
    </Title>
    {all.length === 0 && <Text size="sm">No call then, and none now.</Text>}
    {all.map(({ kind, call, fields }) => (
      <Card withBorder padding="sm" component="article" key={`${kind} ${call.rule} ${call.what}`}>
        <Group gap="xs">
          <Badge variant="light" tt="none" color={WORDS[kind][1]}>
            {WORDS[kind][0]}
          </Badge>
          <Text size="sm">
            {call.what} for {call.whom}, by the rule {call.rule}
          </Text>
        </Group>
        {fields.map(({ name, before, now }) => (
          <Text size="sm" key={name} style={{ overflowWrap: "anywhere" }}>
            {name}: <del>{before}</del> <ins>{now}</ins>
          </Text>
        ))}
        {call.problems.map((problem) => (
          <Text size="sm" key={problem}>
            {problem}
          </Text>
        ))}
      </Card>
    ))}
  </Stack>
);
