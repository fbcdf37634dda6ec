import { Alert, Badge, Card, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import type { api } from "../../api/api.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Status } from "../../parts/status/status.tsx";
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
      {result.type}: {counted(result.deliveries.length, "delivery")}. Nothing was sent, and nothing was stored.
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
              <Status kind={outcome} />
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
      result.deliveries.map((delivery) => (
        <TriedDelivery key={`${delivery.rule} ${delivery.what}`} delivery={delivery} />
      ))
    ) : (
      <Differences all={differencesOf(result.planned, result.deliveries)} />
    )}
  </Stack>
);

/** Marks the false part of a condition. */
export const Condition = ({ text, clause }: { text: string; clause?: string }) => {
  const parts = clause === undefined ? undefined : around(text, clause);
  return (
    <Code block tabIndex={0} className="lines">
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

const TriedDelivery = ({ delivery }: { delivery: Tried }) => (
  <Card withBorder padding="sm" component="article" aria-label={`${delivery.what} for ${delivery.whom}`}>
    <Text size="sm" fw={600}>
      {delivery.what} for {delivery.whom}, by the rule {delivery.rule}
    </Text>
    {delivery.problems.map((problem) => (
      <Text size="sm" key={problem}>
        {problem}
      </Text>
    ))}
    <Code block tabIndex={0} mt="xs">
      {`${delivery.request.method} ${delivery.request.path}\n${JSON.stringify(delivery.request.body, null, 2)}`}
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
      Deliveries of then, and of today's rules
    </Title>
    {all.length === 0 && <Text size="sm">No delivery then, and none now.</Text>}
    {all.map(({ kind, delivery, fields }) => (
      <Card withBorder padding="sm" component="article" key={`${kind} ${delivery.rule} ${delivery.what}`}>
        <Group gap="xs">
          <Badge variant="light" tt="none" color={WORDS[kind][1]}>
            {WORDS[kind][0]}
          </Badge>
          <Text size="sm">
            {delivery.what} for {delivery.whom}, by the rule {delivery.rule}
          </Text>
        </Group>
        {fields.map(({ name, before, now }) => (
          <Text size="sm" key={name} className="wrap">
            {name}: <del>{before}</del> <ins>{now}</ins>
          </Text>
        ))}
        {delivery.problems.map((problem) => (
          <Text size="sm" key={problem}>
            {problem}
          </Text>
        ))}
      </Card>
    ))}
  </Stack>
);
