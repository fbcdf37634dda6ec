import { List, Stack, Text } from "@mantine/core";
import { api } from "../../../api/api.ts";
import { NodeButton } from "../node/node-button.tsx";
import { counted } from "../shape/names.ts";
import { numberText } from "../words.ts";

export type Difference = Awaited<ReturnType<typeof api.email.insight.diff>>;

/**
 * Compares two versions to the end: each request looks at a part of the contacts that wait. `onPart` is told each answer before the last.
 */
export const compareToEnd = async (
  fields: Parameters<typeof api.email.insight.diff>[0],
  { signal, onPart }: { signal?: AbortSignal; onPart?: (diff: Difference) => void } = {},
): Promise<Difference> => {
  const options = signal === undefined ? {} : { signal };
  let diff = await api.email.insight.diff(fields, options);
  while (diff.next !== null) {
    onPart?.(diff);
    diff = await api.email.insight.diff({ ...fields, cursor: diff.next }, options);
  }
  return diff;
};

type Props = { diff: Difference; onSelect: (nodeId: string) => void; has: (nodeId: string) => boolean };

/** What differs between two versions, and what that means for the contacts that wait. */
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
            <List.Item key={`${nodeId} ${words}`} style={{ overflowWrap: "anywhere" }}>
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
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {text} {numberText(waiting)} {waiting === 1 ? "contact waits" : "contacts wait"} in all.
      </Text>
      {impact.length > 0 && (
        <List size="sm" aria-label="contacts that wait">
          {impact.map(({ nodeId, code, text: words }) => (
            <List.Item key={`${nodeId} ${code}`} style={{ overflowWrap: "anywhere" }}>
              {told(nodeId, words)}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
};
