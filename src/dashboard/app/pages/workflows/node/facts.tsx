import { List, Stack, Text, Title } from "@mantine/core";
import { Time } from "../../../parts/text.tsx";
import type { NodeStatus, Shown, Status } from "../use-workflow.ts";
import { nameOf, nodeOf, numberText, reasonLines } from "../workflow-words.ts";
import { Mails } from "./mails.tsx";
import { Here } from "./waiting-contacts.tsx";

export const NodeFacts = ({ nodeId, ...shown }: Shown & { nodeId: string }) => {
  const node = nodeOf(shown.status, nodeId);
  if (!node) return <Text size="sm">The workflow has no such node any more.</Text>;
  return (
    <Stack gap="md">
      <Title order={2} size="h4" className="wrap">
        {nameOf(node)}
      </Title>
      <Counts node={node} status={shown.status} />
      <Mails key={`mails ${nodeId}`} shown={shown} node={node} />
      {node.typeName !== "ExitAction" && <Here key={nodeId} shown={shown} node={node} />}
    </Stack>
  );
};

const Counts = ({ node, status }: { node: NodeStatus; status: Status }) => {
  const { typeName, waiting, due, nextWake, passed, passedLastDay, edges, left } = node;
  const { passedSince } = status;
  const isExit = typeName === "ExitAction";
  return (
    <List size="sm" aria-label="counts of the node">
      {!isExit && (
        <List.Item>
          {numberText(waiting)} here{due > 0 && `, ${numberText(due)} of them due`}
          {nextWake !== null && due === 0 && (
            <>
              , the first goes on <Time at={nextWake} />
            </>
          )}
        </List.Item>
      )}
      {!isExit && (
        <List.Item>
          {numberText(passed)} passed, {numberText(passedLastDay)} of them in the last 24 hours
        </List.Item>
      )}
      {edges.length > 1 &&
        edges.map(({ nodeId, passed: taken }) => (
          <List.Item key={nodeId}>
            {numberText(taken)} to {nodeOf(status, nodeId)?.text ?? nodeId}
          </List.Item>
        ))}
      {reasonLines(left).map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
      {passedSince !== null && (
        <List.Item>
          Who passed is counted since <Time at={passedSince} />
        </List.Item>
      )}
    </List>
  );
};
