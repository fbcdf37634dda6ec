import { Stack, Text } from "@mantine/core";
import type { Filled } from "./filled.ts";

/** Most inboxes show about 60 characters of a subject, phones fewer. */
export const InboxLine = ({
  mail: { from, subject, previewText },
}: {
  mail: Pick<Filled, "from" | "subject" | "previewText">;
}) => (
  <Stack gap={2} p="sm" role="region" aria-label="Line of an inbox" className="framed">
    <Text size="sm" fw={600} truncate title={from}>
      {from}
    </Text>
    <Text size="sm" truncate title={subject}>
      {subject || "(no subject)"}
    </Text>
    <Text size="sm" c="dimmed" truncate title={previewText}>
      {previewText || "(the beginning of the mail)"}
    </Text>
  </Stack>
);
