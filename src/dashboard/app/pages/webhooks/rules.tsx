import { Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { FilterLink } from "../../parts/ledger/filter-link.tsx";
import type { Outcome } from "../../parts/ledger/types.ts";
import { Status } from "../../parts/status/status.tsx";

/** Rule results with the false part of the condition. */
export const Rules = ({ outcomes }: { outcomes: readonly Outcome[] }) => (
  <section aria-labelledby="rules">
    <Title id="rules" order={2} size="h4" mb="sm">
      Rules
    </Title>
    {outcomes.length === 0 ? (
      <Text size="sm">No rule of this source is on this type.</Text>
    ) : (
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label="Rules">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th w={120}>Outcome</Table.Th>
              <Table.Th>Why</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {outcomes.map((outcome) => (
              <Table.Tr key={`${outcome.rule} ${outcome.replay ?? ""}`}>
                <Table.Td>
                  <Group gap={2} wrap="nowrap">
                    {outcome.rule}
                    <FilterLink
                      to="/deliveries/all"
                      search={{ rule: outcome.rule }}
                      label={`Deliveries of the rule ${outcome.rule}`}
                    />
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Status kind={outcome.outcome} />
                </Table.Td>
                <Table.Td>
                  <Why outcome={outcome} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
  </section>
);

const Why = ({ outcome: { clause, why, replay } }: { outcome: Outcome }) => (
  <Stack gap={4}>
    <Text size="sm">
      {replay !== undefined && `Replay ${replay}: `}
      {clause === undefined ? why : "This part of the condition was false:"}
    </Text>
    {clause !== undefined && <Code className="wrap">{clause}</Code>}
  </Stack>
);
