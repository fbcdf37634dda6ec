import { Stack, Text, Title } from "@mantine/core";
import type { Shown } from "../read.ts";

/** What a node does, and what happened there. */
export const NodeFacts = ({ status, nodeId }: Shown & { nodeId: string }) => {
  const node = status.nodes.find((one) => one.nodeId === nodeId);
  if (!node) return <Text size="sm">The workflow has no such node any more.</Text>;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
        {node.text}
      </Title>
      <Text size="sm">{node.waiting} here</Text>
    </Stack>
  );
};
