import { List, Stack, Text } from "@mantine/core";
import type { api } from "../../../api/api.ts";
import { NodeButton } from "../node/node-button.tsx";
import { counted } from "../shape/names.ts";
import { numberText } from "../workflow-words.ts";

type Difference = Awaited<ReturnType<typeof api.email.insight.diff>>;

type Props = { diff: Difference; onSelect: (nodeId: string) => void; has: (nodeId: string) => boolean };

/** Version differences and their effect on waiting contacts. */
export const DifferenceOf = ({ diff: { changes, impact, waiting, looked, text, next }, onSelect, has }: Props) => {
  const told = (nodeId: string | null, words: string) =>
    nodeId !== null && has(nodeId) ? <NodeButton onPress={() => onSelect(nodeId)}>{words}</NodeButton> : words;
  return (
    <Stack gap="xs">
      {changes.length === 0 ? (
        <Text size="sm">Nothing that contacts go through differs.</Text>
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
          Counting: {numberText(looked)} of {counted(waiting, "contact")} {looked === 1 ? "is" : "are"} looked at until
          now.
        </Text>
      )}
      <Text size="sm" className="wrap">
        {text} {numberText(waiting)} {waiting === 1 ? "contact waits" : "contacts wait"} in all.
      </Text>
      {impact.length > 0 && (
        <List size="sm" aria-label="contacts that wait">
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
