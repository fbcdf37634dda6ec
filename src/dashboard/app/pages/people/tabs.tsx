import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf } from "../../parts/scan.ts";
import { Answer, Newer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/chapters.ts";
import type { Team } from "../../team/team.tsx";
import { type Contact, type useMails, useMoments } from "./queries.ts";

export const MailsOf = ({ mails }: { mails: ReturnType<typeof useMails> }) => (
  <Stack gap="xs">
    <Answer query={answerOf(mails)}>
      {(found) => (
        <>
          {found.length === 0 && <Text size="sm">No mail was sent to this person.</Text>}
          {found.map((mail) => (
            <Group key={mail.id} gap="xs">
              <Status kind={mail.state} />
              <Link to="/sent/$sendId" params={{ sendId: mail.id }}>
                {nameOfMail(mail)}
              </Link>
              <Text size="sm" c="dimmed" component="span">
                <Time at={mail.acceptedAt} />
              </Text>
              <Text size="sm">{mail.meaning}</Text>
            </Group>
          ))}
        </>
      )}
    </Answer>
    <Newer of={[mails]} />
  </Stack>
);

const NONE = {
  event: "No event of this contact is stored.",
  workflow: "This contact has entered no workflow.",
};

export const Moments = ({ team, contact, kind }: { team: Team; contact: Contact; kind: "event" | "workflow" }) => {
  const [cursor, setCursor] = useState<string>();
  const moments = useMoments(team, contact, { kind, cursor });
  const { next, isLooking } = moments;
  return (
    <Stack gap="xs">
      <Answer query={answerOf(moments)}>
        {(found) => (
          <>
            {found.length === 0 && (
              <Text size="sm">{cursor === undefined ? NONE[kind] : "Nothing is older than this."}</Text>
            )}
            {found.map(({ at, text, ids }) => (
              <Group key={`${at} ${ids.join(" ")} ${text}`} gap="xs">
                <Text size="sm" c="dimmed" component="span">
                  <Time at={at} />
                </Text>
                <Text size="sm">{text}</Text>
                {kind === "workflow" && <ToWorkflow ids={ids} contact={contact} />}
              </Group>
            ))}
          </>
        )}
      </Answer>
      {!isLooking && (
        <Group>
          {cursor !== undefined && (
            <Button size="xs" variant="default" onClick={() => setCursor(undefined)}>
              Newest
            </Button>
          )}
          {typeof next === "string" && (
            <Button size="xs" variant="default" onClick={() => setCursor(next)}>
              Older
            </Button>
          )}
        </Group>
      )}
      <Newer of={[moments]} />
    </Stack>
  );
};

const ToWorkflow = ({ ids, contact }: { ids: readonly string[]; contact: Contact }) => {
  const workflowId = ids.find((id) => id.startsWith("wfl_"));
  if (workflowId === undefined) return null;
  return (
    <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ person: contact.id } as never}>
      What happened there
    </Link>
  );
};

/** Shown without a contact. `hasFailed`: the read failed. */
export const NoContact = ({ hasFailed }: { hasFailed: boolean }) => (
  <Text size="sm">
    {hasFailed
      ? "The contact could not be read: it is not known whether there is one."
      : "There is no contact of this person."}
  </Text>
);
