import { Anchor, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Panel } from "../cards/cards.tsx";
import { Headings } from "../list/listing.tsx";
import { Answer } from "../states.tsx";
import { Status } from "../status/status.tsx";
import { MessageLink } from "./message-link.tsx";
import { sumOf, type Usage, type Use } from "./usage-words.ts";

export const UsedBy = ({ queryKey, read }: { queryKey: readonly unknown[]; read: () => Promise<Usage> }) => {
  const query = useQuery({ queryKey: [...queryKey, "usage"], queryFn: read });
  return (
    <Panel title="Used by">
      <Answer query={query} rows={2}>
        {(usage) => (
          <Stack gap="xs">
            <Text size="sm">{sumOf(usage)}</Text>
            <Uses usage={usage} />
          </Stack>
        )}
      </Answer>
    </Panel>
  );
};

export const Uses = ({ usage: { data, total, components } }: { usage: Usage }) => (
  <>
    {data.length > 0 && (
      <Table.ScrollContainer minWidth={360}>
        <Table aria-label="messages that use it" verticalSpacing={4}>
          <Headings of={["Message of", "State", "Newest content"]} />
          <Table.Tbody>
            {data.map((use) => (
              <Row key={use.emailMessageId} use={use} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
    {total > data.length && (
      <Text size="sm">
        {total - data.length} more {total - data.length === 1 ? "is" : "are"} not shown.
      </Text>
    )}
    {components.length > 0 && (
      <Text size="sm">
        In the components{" "}
        {components.map(({ id, name }, n) => (
          <span key={id}>
            {n > 0 && ", "}
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link to="/templates/components/$componentId" params={{ componentId: id }} {...props} />
              )}
            >
              {name}
            </Anchor>
          </span>
        ))}
        .
      </Text>
    )}
  </>
);

const Row = ({ use }: { use: Use }) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: "anywhere" }}>
      <Owner use={use} />
    </Table.Td>
    <Table.Td>
      <Status kind={use.state.toLowerCase()} />
    </Table.Td>
    <Table.Td>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {use.waits ? "on its way" : (use.kept ?? "has it")}
      </Text>
    </Table.Td>
  </Table.Tr>
);

const WORDS = { transactional: "Transactional email", campaign: "Campaign", workflow: "Workflow" } as const;

const Owner = ({ use: { kind, id, name, emailMessageId } }: { use: Use }) => (
  <>
    {WORDS[kind]}{" "}
    {kind === "workflow" ? (
      <MessageLink emailMessageId={emailMessageId}>{name || id}</MessageLink>
    ) : (
      <Anchor
        size="sm"
        renderRoot={(props) =>
          kind === "campaign" ? (
            <Link to="/campaigns/$campaignId" params={{ campaignId: id }} {...props} />
          ) : (
            <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: id }} {...props} />
          )
        }
      >
        {name || id}
      </Anchor>
    )}
  </>
);
