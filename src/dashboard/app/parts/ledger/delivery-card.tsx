import { Card, Code, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTeamOfBridge } from "../../api/use-about.ts";
import { Status } from "../status/status.tsx";
import { Id, Time } from "../text.tsx";
import { DeliveryActs } from "./delivery-acts.tsx";
import { FilterLink } from "./filter-link.tsx";
import { FixTemplate } from "./fix-template.tsx";
import { contentOf, filterOf, lasting, whatOf, whomOf } from "./ledger-words.ts";
import type { Attempt, Delivery } from "./types.ts";

/** A delivery with attempts and actions. `children`: more facts, such as the webhook. */
export const DeliveryCard = ({ delivery, children }: { delivery: Delivery; children?: ReactNode }) => (
  <Card withBorder padding="sm" component="article" id={delivery.id} aria-label={`Delivery ${delivery.id}`}>
    <Stack gap="xs">
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Status kind={delivery.state} />
          <Text size="sm" fw={600}>
            {whatOf(delivery)}
          </Text>
          <Text size="sm">
            for <Person delivery={delivery} />{" "}
            <FilterLink to="/webhooks" search={filterOf(delivery)} label={`Webhooks of ${whomOf(delivery)}`} />
          </Text>
        </Group>
        <Group gap="xs">
          <DeliveryActs delivery={delivery} />
        </Group>
      </Group>
      <Text size="sm" className="sentence">
        {delivery.why}
      </Text>
      <Group gap="md">
        <Text size="sm">
          Rule{" "}
          <Link to="/deliveries/all" search={{ rule: delivery.rule }}>
            {delivery.rule}
          </Link>
        </Text>
        <Id>{delivery.id}</Id>
        {delivery.result !== undefined && <Id>{delivery.result}</Id>}
      </Group>
      {children}
      {delivery.attempts.length > 0 && <Attempts attempts={delivery.attempts} />}
      {delivery.acts?.map(({ act, at, by, state }) => (
        <Text size="sm" key={`${at} ${act}`}>
          {by ?? "A person"}: {act}, <Time at={at} />. Before that it was {state}.
        </Text>
      ))}
      <Content delivery={delivery} />
      <FixTemplate delivery={delivery} />
    </Stack>
  </Card>
);

const Person = ({ delivery }: { delivery: Delivery }) => {
  const search = useTeamOfBridge();
  const who = whomOf(delivery);
  return Object.keys(filterOf(delivery)).length === 0 ? (
    who
  ) : (
    <Link to="/people/$personId" params={{ personId: who }} search={search}>
      {who}
    </Link>
  );
};

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <Table.ScrollContainer minWidth={420}>
    <Table verticalSpacing={4} aria-label="Attempts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={130}>Attempt</Table.Th>
          <Table.Th w={70}>Status</Table.Th>
          <Table.Th>Answer</Table.Th>
          <Table.Th w={80}>Took</Table.Th>
          <Table.Th w={110}>Next after</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {attempts.map(({ at, status, message, ms, wait }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Time at={at} />
            </Table.Td>
            <Table.Td>{status ?? "–"}</Table.Td>
            <Table.Td>{message ?? (status === undefined ? "no answer" : "accepted")}</Table.Td>
            <Table.Td>{ms === undefined ? "–" : lasting(ms)}</Table.Td>
            <Table.Td>{wait === undefined ? "–" : lasting(wait)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const Content = ({ delivery }: { delivery: Delivery }) => {
  const content = contentOf(delivery);
  return Object.keys(content).length === 0 ? null : (
    <details>
      <summary>What it sends</summary>
      <Code block tabIndex={0} mt="xs">
        {JSON.stringify(content, null, 2)}
      </Code>
    </details>
  );
};
