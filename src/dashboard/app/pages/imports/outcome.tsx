import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { pageWords } from "../../api/page-words.ts";
import { Tiles } from "../../parts/cards/cards.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { paceOf } from "./file/pace.ts";
import { numberText, resultText } from "./import-words.ts";
import type { Detailed } from "./state.ts";

const ROWS = [
  ["created", "Created"],
  ["updated", "Changed"],
  ["unchanged", "Unchanged"],
  ["refused", "Refused"],
] as const;

/** Progress, results and error files of an import. `at`: read time, Unix ms. */
export const Outcome = ({ team, one, at }: { team: string; one: Detailed; at: number }) => {
  const { id, state, dryRun, rows, processed, refused } = one;
  const file = `/api/email/teams/${encodeURIComponent(team)}/imports/${encodeURIComponent(id)}/outcome.csv`;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {dryRun ? "The check of every row" : resultText(one)}
      </Title>
      {state === "running" && <HowFar one={one} at={at} />}
      {dryRun && state === "ready" && <Text size="sm">No contact was changed. This is what an import would do.</Text>}
      {state === "cancelled" && (
        <Text size="sm">
          It was cancelled after {numberText(processed)} of {counted(rows, "row")}.
          {dryRun ? "" : " What was imported stays."}
        </Text>
      )}
      <Tiles label="Outcome" tiles={ROWS.map(([name, label]) => ({ label, value: numberText(one[name]) }))} />
      <Group gap="xs">
        {refused > 0 && (
          <Button component="a" size="xs" variant="default" href={`${file}?outcome=refused`} download>
            Refused rows as CSV
          </Button>
        )}
        <Button component="a" size="xs" variant="default" href={file} download>
          Outcome of every row as CSV
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        The files name each row by its line in the file, with the reason, and no value of it.
      </Text>
      {state === "done" && !dryRun && <Next />}
    </Stack>
  );
};

const Next = () => (
  <Group gap="xs">
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/people" {...props} />}>
      Show the contacts
    </Button>
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/campaigns" {...props} />}>
      Send a campaign to them
    </Button>
  </Group>
);

const HowFar = ({ one: { rows, processed, paused, waiting }, at }: { one: Detailed; at: number }) => {
  const begin = useRef<{ at: number; processed: number }>(undefined);
  // A pause would distort the pace, so the measurement restarts.
  if (paused || begin.current === undefined) begin.current = { at, processed };
  const pace = paceOf(processed - begin.current.processed, at - begin.current.at, rows - processed);
  return (
    <Stack gap={4} role="status">
      <Progress value={(100 * processed) / Math.max(1, rows)} aria-label="Progress" />
      <Text size="sm">
        {numberText(processed)} of {counted(rows, "row")}. {paused ? "It is paused." : waiting.length === 0 && pace}
      </Text>
      {waiting.map(({ code, message }) => (
        <Text key={code} size="sm" className="wrap">
          {pageWords(message)}
        </Text>
      ))}
    </Stack>
  );
};
