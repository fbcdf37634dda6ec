import { Alert, List, Stack, Text } from "@mantine/core";
import { Time } from "../../parts/text.tsx";
import type { Status } from "./use-workflow.ts";
import { reasonLines, totalText } from "./workflow-words.ts";

export const Summary = ({ status }: { status: Status }) => {
  const { status: state, queuesUntil, pausedAt, sweeping, ended, dropped } = status;
  return (
    <Stack gap="xs">
      {state === "PausedAndQueueing" && queuesUntil !== null && (
        <Alert variant="light" color="yellow" title="It is paused">
          New contacts are queued until{" "}
          {new Date(queuesUntil).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}, and enter when it
          is resumed. After that, they do not enter.
        </Alert>
      )}
      {state === "Paused" && (
        <Alert variant="light" color="yellow" title="It is paused">
          Contacts stay where they are
          {pausedAt !== null && (
            <>
              {" "}
              since <Time at={pausedAt} />
            </>
          )}
          . New ones do not enter.
        </Alert>
      )}
      {sweeping && (
        <Text size="sm" role="status">
          An edit is still being made for contacts that wait. The workflow goes on after that.
        </Text>
      )}
      <Text size="sm">{totalText(status)}</Text>
      <Reasons title="Their passages ended:" counts={ended} />
      <Reasons title="The trigger fired, and they did not enter:" counts={dropped} />
    </Stack>
  );
};

const Reasons = ({ title, counts }: { title: string; counts: Readonly<Record<string, number>> }) => {
  const lines = reasonLines(counts);
  if (lines.length === 0) return null;
  return (
    <div>
      <Text size="sm">{title}</Text>
      <List size="sm" aria-label={title.replace(/:$/, "")}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </div>
  );
};
