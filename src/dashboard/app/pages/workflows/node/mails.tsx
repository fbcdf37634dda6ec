import { Anchor, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answer } from "../../../parts/states.tsx";
import { MessageLink } from "../../../parts/usage/message-link.tsx";
import { pollOf } from "../state.ts";
import { keyOf, type NodeStatus, type Shown } from "../use-workflow.ts";
import { numberText } from "../workflow-words.ts";

const STATES = [
  ["queued", "Queued"],
  ["held", "Held while it is paused"],
  ["sent", "Sent"],
  ["notSent", "Not sent"],
  ["failed", "Failed"],
  ["unknown", "Outcome unknown"],
] as const;

const RESULTS = [
  ["sends", "Sends"],
  ["opens", "Opens"],
  ["clicks", "Clicks"],
  ["unsubscribes", "Unsubscribes"],
  ["hardBounces", "Hard bounces"],
  ["softBounces", "Soft bounces"],
  ["spamReports", "Spam reports"],
] as const;

export const Mails = ({ shown, node }: { shown: Shown; node: NodeStatus }) => {
  const { team, id, workflow, status } = shown;
  const { nodeId, mails } = node;
  const one = workflow.nodes[nodeId];
  const query = useQuery({
    queryKey: [...keyOf(id, workflow.id), "metrics", nodeId],
    queryFn: ({ signal }) => team.v1.workflows.nodeMetrics({ workflowId: workflow.id, nodeId }, { signal }),
    refetchInterval: pollOf(status),
    // The service refuses metrics of other nodes.
    enabled: one?.typeName === "SendEmailAction",
  });
  if (!mails || one?.typeName !== "SendEmailAction") return null;
  return (
    <Stack gap="xs" component="section" aria-labelledby="mails-of-node">
      <Title id="mails-of-node" order={3} size="h5">
        Its mails
      </Title>
      <Group gap="md">
        <MessageLink emailMessageId={one.emailMessageId}>The message</MessageLink>
        <Anchor size="sm" renderRoot={(props) => <Link to="/sent" search={{ workflow: workflow.id }} {...props} />}>
          All mails of the workflow
        </Anchor>
      </Group>
      <Answer query={query} rows={3}>
        {(metrics) => (
          <Counts
            rows={[
              ...STATES.map(([name, label]) => [label, mails[name]] as const),
              ...RESULTS.map(([name, label]) => [label, metrics[name]] as const),
            ]}
          />
        )}
      </Answer>
      {mails.unknown > 0 && (
        <Text size="sm">
          The mail server may have taken the mails whose outcome is unknown, or not. Each is in the list of mails.
        </Text>
      )}
    </Stack>
  );
};

const Counts = ({ rows }: { rows: readonly (readonly [string, number])[] }) => (
  <Table aria-label="mails of the node" verticalSpacing={2} w="auto">
    <Table.Tbody>
      {rows.map(([label, count]) => (
        <Table.Tr key={label}>
          <Table.Th fw={400}>{label}</Table.Th>
          <Table.Td>{numberText(count)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
