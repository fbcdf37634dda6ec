import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Failure, Loading, Stale } from "../../parts/states.tsx";
import { State, Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/story.ts";
import type { Team } from "../../team/team.tsx";
import { type Contact, type useMails, useMoments } from "./queries.ts";

/** The mails to a person. */
export const MailsOf = ({ mails }: { mails: ReturnType<typeof useMails> }) => (
  <Stack gap="xs">
    <Stale error={mails.error} at={mails.at} onRetry={mails.retry} />
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

const NONE = {
  event: "No event of this contact is stored.",
  workflow: "This contact has entered no workflow.",
};

/** The events of a contact, or its passages through workflows, newest first. */
export const Moments = ({ team, contact, kind }: { team: Team; contact: Contact; kind: "event" | "workflow" }) => {
  const { found, next, error, at, retry, isLooking, lookOn } = useMoments(team, contact, kind);
  if (error && found.length === 0) return <Failure error={error} onRetry={retry} />;
  if (isLooking && found.length === 0) return <Loading />;
  return (
    <Stack gap="xs">
      <Stale error={error} at={at} onRetry={retry} />
      {next === null && found.length === 0 && <Text size="sm">{NONE[kind]}</Text>}
      {found.map(({ at: when, text, ids }) => (
        <Group key={`${when} ${ids.join(" ")} ${text}`} gap="xs">
          <Text size="sm" c="dimmed" component="span">
            <Time at={when} />
          </Text>
          <Text size="sm">{text}</Text>
        </Group>
      ))}
      {typeof next === "string" && (
        <Button size="xs" variant="default" onClick={lookOn} loading={isLooking}>
          Older
        </Button>
      )}
    </Stack>
  );
};
