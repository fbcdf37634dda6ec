import { Alert, Anchor, Code, Group, Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useAbout } from "../../frame/about.ts";
import { Failure, Loading } from "../../parts/states.tsx";
import { State } from "../../parts/text.tsx";
import { type Subject, subjectOf } from "../../story/subject.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { PersonActs } from "./acts.tsx";
import { CopyPerson } from "./copy-person.tsx";
import { Identifiers } from "./identifiers.tsx";
import { ListsOf } from "./lists-of.tsx";
import { Properties } from "./properties.tsx";
import {
  type Contact,
  type KnownPerson,
  namedBy,
  useContact,
  useKnown,
  useMails,
  useMoments,
  useSuppression,
  useWebhooks,
} from "./queries.ts";
import { Story } from "./story.tsx";
import { MailsOf, Moments } from "./tabs.tsx";

const route = getRouteApi("/team/people/$personId");

/** A person: what both halves know, as one story. The address of the page is an email address, a user id or a provider's id. */
export const Person = () => {
  const { personId } = route.useParams();
  const subject = subjectOf(personId);
  return <TeamPage title={personId}>{(team) => <Known key={personId} team={team} subject={subject} />}</TeamPage>;
};

const Known = ({ team, subject }: { team: Team; subject: Subject }) => {
  const told = useKnown(team, subject);
  const known = told.data ?? undefined;
  const named = namedBy(subject, known);
  const found = useContact(team, named);
  const contact = found.data ?? undefined;
  const address = contact?.email ?? (named && "email" in named ? named.email : undefined);
  const webhooks = useWebhooks(team, subject);
  const mails = useMails(team, address);
  const moments = useMoments(team, contact);
  if (found.isLoading || ("ref" in subject && told.isLoading)) return <Loading />;
  return (
    <Stack>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {told.error && <Failure error={told.error} onRetry={() => void told.refetch()} />}
      <Head {...{ team, contact, known, address, subject }} hasWebhooks={webhooks.found.length > 0} />
      <Tabs defaultValue="story" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="story">Story</Tabs.Tab>
          <Tabs.Tab value="properties">Properties</Tabs.Tab>
          <Tabs.Tab value="lists">Lists</Tabs.Tab>
          {mails.isThere && <Tabs.Tab value="mail">Mail</Tabs.Tab>}
          {moments.isThere && <Tabs.Tab value="event">Events</Tabs.Tab>}
          {moments.isThere && <Tabs.Tab value="workflow">Workflows</Tabs.Tab>}
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="story" pt="md">
          <Missing team={team} />
          <Story who={address ?? Object.values(subject)[0] ?? ""} webhooks={webhooks} mails={mails} moments={moments} />
        </Tabs.Panel>
        <Tabs.Panel value="properties" pt="md">
          {contact ? <Properties key={contact.id} team={team} contact={contact} /> : <NoContact />}
        </Tabs.Panel>
        <Tabs.Panel value="lists" pt="md">
          {contact ? <ListsOf team={team} contact={contact} /> : <NoContact />}
        </Tabs.Panel>
        <Tabs.Panel value="mail" pt="md">
          <MailsOf mails={mails} />
        </Tabs.Panel>
        {(["event", "workflow"] as const).map((kind) => (
          <Tabs.Panel key={kind} value={kind} pt="md">
            {contact && <Moments team={team} contact={contact} kind={kind} />}
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="raw" pt="md">
          {contact ? <Code block>{JSON.stringify(contact, null, 2)}</Code> : <NoContact />}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

const Head = ({
  team,
  contact,
  known,
  address,
  subject,
  hasWebhooks,
}: {
  team: Team;
  contact: Contact | undefined;
  known: KnownPerson | undefined;
  address: string | undefined;
  subject: Subject;
  hasWebhooks: boolean;
}) => {
  const suppression = useSuppression(team, contact && address);
  const name = [contact?.firstName, contact?.lastName].filter(Boolean).join(" ");
  return (
    <Stack gap="xs">
      {name !== "" && <Text fw={600}>{name}</Text>}
      <Group gap="md">
        <Identifiers contact={contact} known={known} />
        {contact && <State state={contact.subscribed ? "subscribed" : "unsubscribed"} />}
        {suppression.data?.isSuppressed && <State state="suppressed" />}
      </Group>
      {!contact && (
        <Alert color="orange" title="There is no contact of this person">
          {hasWebhooks
            ? "Webhooks name the person. The story says what their rules did, and why no contact was made."
            : "No contact has this address or id, and no webhook named it."}
        </Alert>
      )}
      <Group gap="xs">
        <PersonActs
          team={team}
          contact={contact}
          address={address}
          subject={subject}
          isSuppressed={suppression.data?.isSuppressed}
        />
        <CopyPerson team={team} contact={contact} subject={subject} />
      </Group>
    </Stack>
  );
};

/** Names the half that is missing from the story. */
const Missing = ({ team }: { team: Team }) => {
  const { bridge } = useAbout();
  if (bridge === null) return <Text size="sm">The bridge is not deployed: this story has no webhooks.</Text>;
  if (!team.bridge)
    return <Text size="sm">The bridge works for another team: this story has none of its webhooks.</Text>;
  if (team.id !== undefined) return null;
  return (
    <Text size="sm">
      The mails themselves are with the host of the v1 API: this story ends with its answers.{" "}
      <Anchor renderRoot={(props) => <Link to="/health" {...props} />}>Health</Anchor>
    </Text>
  );
};

const NoContact = () => <Text size="sm">There is no contact of this person.</Text>;
