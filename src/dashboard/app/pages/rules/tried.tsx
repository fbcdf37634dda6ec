import { Alert, Badge, Card, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useDenied } from "../../parts/acts/denied.ts";
import { Note } from "../../parts/cards/cards.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { around, type Difference, differencesOf, type Tried } from "./diff.ts";
import { rulesQuery } from "./query.ts";

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
const Condition = ({ text, clause }: { text: string; clause?: string }) => {
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

/** Result of today's rules on a stored webhook, beside its first result. Nothing is sent. */
export const TriedWebhook = ({ webhookId, source }: { webhookId: string; source: string }) => {
  const denied = useDenied({ api: "bridge", name: "rules.run?webhook" });
  const rules = useQuery(rulesQuery);
  const tried = useQuery({
    queryKey: ["bridge", "try", webhookId],
    queryFn: () => api.bridge.rules.run({ webhook: webhookId }),
    enabled: denied === undefined,
    retry: false,
    // Each request is audited, so the page asks once per opening.
    staleTime: "static",
    gcTime: 0,
  });
  const ofSource = rules.data?.data.filter((rule) => rule.source === source) ?? [];
  if (denied !== undefined) return <Note title="Not for your role.">{denied}</Note>;
  return (
    <Answer query={tried}>
      {(result) => (
        <TriedResult result={result} conditions={Object.fromEntries(ofSource.map(({ name, when }) => [name, when]))} />
      )}
    </Answer>
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
    <Title order={2} size="h5">
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
