import { Alert, Card, SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { statusQuery } from "../../parts/ledger/status.ts";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { runningText } from "./running.ts";
import { useSends } from "./sends.ts";
import { useFirstTeam } from "./team.ts";

export const Halves = () => {
  const { bridge, email } = useAbout();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Half
        title="Bridge"
        about={bridge}
        missing="The bridge is not deployed here: there are no webhooks and deliveries."
      >
        <Delivery />
      </Half>
      <Half title="Email service" about={email} missing="The email service is not deployed here.">
        <Mail />
      </Half>
    </SimpleGrid>
  );
};

const Half = ({
  title,
  about,
  missing,
  children,
}: {
  title: string;
  about: { unreachable?: string } | null;
  missing: string;
  children: ReactNode;
}) => (
  <Card withBorder component="section" aria-label={title}>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {about === null && <Text size="sm">{missing}</Text>}
    {about?.unreachable !== undefined && (
      <Alert color="red" title="No answer">
        {about.unreachable}
      </Alert>
    )}
    {about !== null && about.unreachable === undefined && children}
  </Card>
);

const Delivery = () => {
  const query = useQuery({
    ...statusQuery,
    ...LATER,
  });
  return (
    <Answer query={query} rows={1}>
      {({ dispatch, pace, waiting }) => (
        <>
          <Status kind={dispatch} />
          <Text size="sm" mt="xs">
            {waiting.total === 1 ? "1 delivery waits" : `${waiting.total} deliveries wait`}.{" "}
            {pace.last60.reduce((sum, count) => sum + count, 0)} of {pace.limit * 60} requests of the last minute are
            used.
          </Text>
        </>
      )}
    </Answer>
  );
};

const Mail = () => {
  const { email } = useAbout();
  const team = useFirstTeam();
  const query = useSends(team);
  const sender = email?.senders?.transactional.sender;
  return (
    <>
      <Text size="sm">
        {sender ? `Mails leave by ${sender === "inbox" ? "the inbox of this machine" : sender}.` : "No mail leaves."}
      </Text>
      {team !== undefined && (
        <Answer query={query} rows={1}>
          {({ running }) => (
            <Text size="sm" mt="xs">
              {runningText(running)}
            </Text>
          )}
        </Answer>
      )}
    </>
  );
};
