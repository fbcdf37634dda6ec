import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Facts } from "../../../parts/cards/cards.tsx";
import { Answer } from "../../../parts/states.tsx";
import { Time } from "../../../parts/text.tsx";
import { MessageLink } from "../../../parts/usage/message-link.tsx";
import { namesIn } from "../looks.ts";
import { pollOf } from "../state.ts";
import { keyOf, type NodeStatus, type Shown } from "../use-workflow.ts";
import { numberText, reasonFacts } from "../words.ts";

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

/** Counts of people at a step, and of its mails. */
export const Numbers = ({ shown, node }: { shown: Shown; node: NodeStatus }) => {
  const { typeName, waiting, due, nextWake, passed, passedLastDay, edges, left } = node;
  const { passedSince } = shown.status;
  const names = namesIn(shown);
  const isExit = typeName === "ExitAction";
  const here = [
    { label: "Here", value: numberText(waiting), note: due > 0 ? `${numberText(due)} due` : undefined },
    ...(nextWake !== null && due === 0 ? [{ label: "The first continues", value: <Time at={nextWake} /> }] : []),
    { label: "Passed", value: numberText(passed) },
    { label: "In the last 24 hours", value: numberText(passedLastDay) },
  ];
  const ways = edges.map(({ nodeId, passed: taken }) => ({ label: `To ${names(nodeId)}`, value: numberText(taken) }));
  return (
    <Stack gap="md">
      <Facts isOfNumbers facts={[...(isExit ? [] : here), ...(ways.length > 1 ? ways : []), ...reasonFacts(left)]} />
      {passedSince !== null && (
        <Text size="sm">
          Who passed is counted since <Time at={passedSince} />.
        </Text>
      )}
      <Mails shown={shown} node={node} />
    </Stack>
  );
};

const Mails = ({ shown, node: { nodeId, mails } }: { shown: Shown; node: NodeStatus }) => {
  const { team, id, workflow, status } = shown;
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
      <Title id="mails-of-node" order={3}>
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
          <Facts
            isOfNumbers
            facts={[
              ...STATES.map(([name, label]) => ({ label, value: numberText(mails[name]) })),
              ...RESULTS.map(([name, label]) => ({ label, value: numberText(metrics[name]) })),
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
