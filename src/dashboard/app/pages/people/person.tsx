import { Alert, Anchor, Code, Group, Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAbout } from "../../api/use-about.ts";
import { useKey } from "../../parts/keys.ts";
import { Page, PageHead } from "../../parts/page/page.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { addressesOf, addressOf } from "../../story/names.ts";
import { type Subject, subjectOf } from "../../story/subject.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { PersonActs } from "./acts/contact-acts.tsx";
import { CopyPerson } from "./copy-person.tsx";
import { Identifiers } from "./identifiers.tsx";
import { ListsOf } from "./lists-of.tsx";
import { PersonStory } from "./person-story.tsx";
import { Properties } from "./properties.tsx";
import {
  type Contact,
  type KnownPerson,
  useConsent,
  useContact,
  useKnown,
  useMails,
  useMoments,
  useSuppression,
  useWebhooks,
} from "./queries.ts";
import { MailsOf, Moments, NoContact } from "./tabs.tsx";

const route = getRouteApi("/team/people/$personId");

/** Data of both halves. The URL has an email address, a user id or a provider's id. */
export const Person = () => {
  const { personId } = route.useParams();
  const subject = subjectOf(personId);
  if (subject === undefined) return <NoIdentifier />;
  return (
    <TeamPage title={personId} isOfBoth>
      {(team) => <Known key={personId} team={team} subject={subject} />}
    </TeamPage>
  );
};

const NoIdentifier = () => (
  <Page title="Not a person">
    <Text>
      The address of this page has no email address, user id or provider's id in it.{" "}
      <Anchor renderRoot={(props) => <Link to="/people" {...props} />}>All people</Anchor>
    </Text>
  </Page>
);

const Known = ({ team, subject }: { team: Team; subject: Subject }) => {
  const told = useKnown(team, subject);
  const known = told.data ?? undefined;
  const found = useContact(team, subject, known);
  const contact = found.data ?? undefined;
  const address = contact?.email ?? addressOf(subject, known);
  const webhooks = useWebhooks(team, subject);
  // Includes earlier addresses.
  const mails = useMails(team, addressesOf(subject, contact, known));
  const moments = useMoments(team, contact);
  const { tab, show, edits } = useTab(contact !== undefined);
  // If one half failed, a missing contact cannot be claimed.
  const hasFailed = Boolean(found.error || told.error);
  const isSearched = !hasFailed && !found.isLoading && !told.isLoading;
  const none = <NoContact hasFailed={hasFailed} />;
  if (found.isLoading || ("ref" in subject && !contact && told.isLoading)) return <Loading />;
  return (
    <Stack>
      <Problem query={found} />
      <Problem query={told} />
      <Head team={team} contact={contact} known={known} address={address} subject={subject}>
        {!contact && isSearched && team.unreachable === undefined && <WhyNoContact webhooks={webhooks} />}
      </Head>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="story">Story</Tabs.Tab>
          {team.unreachable === undefined && <Tabs.Tab value="properties">Properties</Tabs.Tab>}
          {team.unreachable === undefined && <Tabs.Tab value="lists">Lists</Tabs.Tab>}
          {mails.isThere && <Tabs.Tab value="mail">Mail</Tabs.Tab>}
          {moments.isThere && <Tabs.Tab value="event">Events</Tabs.Tab>}
          {moments.isThere && <Tabs.Tab value="workflow">Workflows</Tabs.Tab>}
          {team.unreachable === undefined && <Tabs.Tab value="raw">Raw</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="story" pt="md">
          <Missing team={team} />
          <PersonStory
            who={address ?? Object.values(subject)[0] ?? ""}
            webhooks={webhooks}
            mails={mails}
            moments={moments}
          />
        </Tabs.Panel>
        <Tabs.Panel value="properties" pt="md">
          {contact ? <Properties key={contact.id} team={team} contact={contact} edits={edits} /> : none}
        </Tabs.Panel>
        <Tabs.Panel value="lists" pt="md">
          {contact ? <ListsOf team={team} contact={contact} /> : none}
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
          {contact ? <Code block>{JSON.stringify(contact, null, 2)}</Code> : none}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

/** Key `e` opens the properties for editing. `edits`: number of presses. */
const useTab = (isEditable: boolean) => {
  const [tab, setTab] = useState<string | null>("story");
  const [edits, setEdits] = useState(0);
  useKey("e", () => {
    if (!isEditable) return;
    setTab("properties");
    setEdits(edits + 1);
  });
  const show = (next: string | null) => {
    setTab(next);
    setEdits(0);
  };
  return { tab, show, edits };
};

const Head = ({
  team,
  contact,
  known,
  address,
  subject,
  children,
}: {
  team: Team;
  contact: Contact | undefined;
  known: KnownPerson | undefined;
  address: string | undefined;
  subject: Subject;
  children: ReactNode;
}) => {
  const suppression = useSuppression(team, contact && address);
  const name = [contact?.firstName, contact?.lastName].filter(Boolean).join(" ");
  return (
    <Stack gap="xs">
      <PageHead
        name={name === "" ? undefined : name}
        meta={
          <>
            {contact && <Status kind={contact.subscribed ? "subscribed" : "unsubscribed"} />}
            {suppression.data?.isSuppressed && <Status kind="suppressed" />}
            <Identifiers contact={contact} known={known} />
          </>
        }
      />
      <Consent team={team} contact={contact} />
      {contact?.email && "email" in subject && !isSame(contact.email, subject.email) && (
        <Alert title="The contact has another address today">
          <Link to="/people/$personId" params={{ personId: contact.email }}>
            {contact.email}
          </Link>{" "}
          This page has the mails to every address that is known.
        </Alert>
      )}
      {children}
      <Group gap="xs">
        <PersonActs
          team={team}
          contact={contact}
          known={known}
          address={address}
          subject={subject}
          isSuppressed={suppression.data?.isSuppressed}
        />
        <CopyPerson team={team} contact={contact} known={known} subject={subject} />
      </Group>
    </Stack>
  );
};

const Consent = ({ team, contact }: { team: Team; contact: Contact | undefined }) => {
  const { data } = useConsent(team, contact);
  if (!data) return null;
  const { at, source } = data;
  return (
    <Text size="sm" className="wrap">
      Agreed to get mail {at !== null && <Time at={at} />}
      {source !== null && ` (source: ${source})`}, as the import said.
    </Text>
  );
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const WhyNoContact = ({ webhooks }: { webhooks: ReturnType<typeof useWebhooks> }) => {
  const { found, next, isThere, isLooking, error } = webhooks;
  const isSearched = isThere && next === null && !isLooking && !error;
  return (
    <Alert color="orange" title="There is no contact of this person">
      {found.length > 0
        ? "Webhooks name the person. The story says what their rules did, and why no contact was made."
        : `No contact has this address or id${isSearched ? ", and no webhook named it" : ""}.`}
    </Alert>
  );
};

const Missing = ({ team }: { team: Team }) => {
  const { bridge } = useAbout();
  if (team.unreachable !== undefined)
    return (
      <Text size="sm">The email service gives no answer: this story has no mails, and nothing of the contact.</Text>
    );
  if (bridge === null) return <Text size="sm">The bridge is not deployed: this story has no webhooks.</Text>;
  if (!team.bridge)
    return <Text size="sm">The bridge works for another team: this story has none of its webhooks.</Text>;
  if (team.id !== undefined) return null;
  return (
    <Text size="sm">
      The mails themselves are with the email service: this story ends with its answers.{" "}
      <Anchor renderRoot={(props) => <Link to="/deliveries/throughput" {...props} />}>Throughput</Anchor>
    </Text>
  );
};
