import { List, Stack, Text } from "@mantine/core";
import type { api } from "../../../api/api.ts";
import { NodeButton } from "../node-button.tsx";
import { numberText, people } from "../words.ts";

type Difference = Awaited<ReturnType<typeof api.email.insight.diff>>;

type Props = { diff: Difference; onSelect: (nodeId: string) => void; has: (nodeId: string) => boolean };

/** Version differences and their effect on people who wait. */
export const DifferenceOf = ({ diff: { changes, impact, waiting, looked, text, next }, onSelect, has }: Props) => {
  const told = (nodeId: string | null, words: string) =>
    nodeId !== null && has(nodeId) ? <NodeButton onPress={() => onSelect(nodeId)}>{words}</NodeButton> : words;
  return (
    <Stack gap="xs">
      {changes.length === 0 ? (
        <Text size="sm">Nothing that people go through differs.</Text>
      ) : (
        <List size="sm" aria-label="changes">
          {changes.map(({ nodeId, text: words }) => (
            <List.Item key={`${nodeId} ${words}`} className="wrap">
              {told(nodeId, words)}
            </List.Item>
          ))}
        </List>
      )}
      {next !== null && (
        <Text size="sm" role="status">
          Counting: {numberText(looked)} of {people(waiting)} {looked === 1 ? "is" : "are"} looked at until now.
        </Text>
      )}
      <Text size="sm" className="wrap">
        {text} {people(waiting, "waits", "wait")} in all.
      </Text>
      {impact.length > 0 && (
        <List size="sm" aria-label="people who wait">
          {impact.map(({ nodeId, code, text: words }) => (
            <List.Item key={`${nodeId} ${code}`} className="wrap">
              {told(nodeId, words)}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
};
