import { Card, Code, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTeamOfBridge } from "../../api/about.ts";
import { Id, State, Time } from "../text.tsx";
import { CallActs } from "./call-acts.tsx";
import { FilterLink } from "./filter-link.tsx";
import { MendTemplate } from "./mend-template.tsx";
import type { Attempt, Call } from "./types.ts";
import { contentOf, filterOf, lasting, whatOf, whomOf } from "./words.ts";

/** A delivery with attempts and actions. `children`: more facts, such as the webhook. */
export const CallCard = ({ call, children }: { call: Call; children?: ReactNode }) => (
  <Card withBorder padding="sm" component="article" id={call.id} aria-label={`Call ${call.id}`}>
    <Stack gap="xs">
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <State state={call.state} />
          <Text size="sm" fw={600}>
            {whatOf(call)}
          </Text>
          <Text size="sm">
            for <Person call={call} />{" "}
            <FilterLink to="/webhooks" search={filterOf(call)} label={`Webhooks of ${whomOf(call)}`} />
          </Text>
        </Group>
        <Group gap="xs">
          <CallActs call={call} />
        </Group>
      </Group>
      <Text size="sm" className="sentence">
        {call.why}
      </Text>
      <Group gap="md">
        <Text size="sm">
          Rule{" "}
          <Link to="/calls" search={{ rule: call.rule }}>
            {call.rule}
          </Link>
        </Text>
        <Id>{call.id}</Id>
        {call.result !== undefined && <Id>{call.result}</Id>}
      </Group>
      {children}
      {call.attempts.length > 0 && <Attempts attempts={call.attempts} />}
      {call.acts?.map(({ act, at, by, state }) => (
        <Text size="sm" key={`${at} ${act}`}>
          {by ?? "A person"}: {act}, <Time at={at} />. Before that it was {state}.
        </Text>
      ))}
      <Content call={call} />
      <MendTemplate call={call} />
    </Stack>
  </Card>
);

const Person = ({ call }: { call: Call }) => {
  const search = useTeamOfBridge();
  const who = whomOf(call);
  return Object.keys(filterOf(call)).length === 0 ? (
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

const Content = ({ call }: { call: Call }) => {
  const content = contentOf(call);
  return Object.keys(content).length === 0 ? null : (
    <details>
      <summary>What it sends</summary>
      <Code block tabIndex={0} mt="xs">
        {JSON.stringify(content, null, 2)}
      </Code>
    </details>
  );
};
