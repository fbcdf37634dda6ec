import { Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Failure } from "../../parts/states.tsx";
import { State, Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/story.ts";
import type { useMails } from "./queries.ts";

/** The mails to a person. */
export const MailsOf = ({ mails }: { mails: ReturnType<typeof useMails> }) => (
  <Stack gap="xs">
    {mails.error && <Failure error={mails.error as Error} onRetry={mails.retry} />}
    {mails.next === null && mails.found.length === 0 && <Text size="sm">No mail was sent to this person.</Text>}
    {mails.found.map((mail) => (
      <Group key={mail.id} gap="xs">
        <State state={mail.state} />
        <Link to="/mail/$sendId" params={{ sendId: mail.id }}>
          {nameOfMail(mail)}
        </Link>
        <Text size="sm" c="dimmed" component="span">
          <Time at={mail.acceptedAt} />
        </Text>
        <Text size="sm">{mail.meaning}</Text>
      </Group>
    ))}
  </Stack>
);
