import { Alert, Anchor, List, Stack, Text, Title } from "@mantine/core";
import type { AdminContract } from "../../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../../lib/contract/operation.ts";
import { pageWords } from "../../../api/page-words.ts";

type Simulated = Response<AdminContract["insight"]["simulate"]>;

const dayText = (day: number): string => `Day ${Math.round(day * 100) / 100}`;

/** Simulation result, or why the person would not enter. */
export const Outcome = ({ outcome, onSelect }: { outcome: Simulated; onSelect: (nodeId: string) => void }) => {
  const { entered, reason, lines, mails, end } = outcome;
  if (!entered)
    return (
      <Alert color="orange" title="This person would not enter" role="status">
        {pageWords(reason?.text ?? "")}
      </Alert>
    );
  return (
    <Stack gap="xs" role="status" aria-label="Outcome of the simulation">
      <Title order={3}>What happens</Title>
      <List size="sm" spacing={4}>
        {lines.map(({ at, day, nodeId, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
          <List.Item key={index} className="wrap">
            <time dateTime={at} title={new Date(at).toLocaleString()}>
              {dayText(day)}
            </time>
            {": "}
            {nodeId === null ? (
              text
            ) : (
              <Anchor component="button" type="button" size="sm" ta="left" onClick={() => onSelect(nodeId)}>
                {text}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
      <Title order={3}>Mails</Title>
      {mails.length === 0 && <Text size="sm">No mail would be sent in this time.</Text>}
      <List size="sm" spacing={4}>
        {mails.map(({ at, day, subject, isSent, text }) => (
          <List.Item key={`${at} ${subject}`} className="wrap">
            {dayText(day)}: {subject === "" ? "a mail without a subject" : `"${subject}"`}
            {isSent ? "" : `, not sent: ${text}`}
          </List.Item>
        ))}
      </List>
      <Text size="sm" fw={600}>
        {end === null ? "The person is still in the workflow after this time." : end.text}
      </Text>
    </Stack>
  );
};
