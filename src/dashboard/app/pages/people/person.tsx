import { Anchor, Button, Code, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAbout } from "../../api/use-about.ts";
import { Avatar } from "../../parts/avatar/avatar.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { Page, PageHead } from "../../parts/page/page.tsx";
import { PanelTabs, Split } from "../../parts/page/panel-tabs.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id } from "../../parts/text.tsx";
import { addressesOf, addressOf } from "../../story/names.ts";
import { type Subject, subjectOf } from "../../story/subject.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { PersonActs } from "./acts/contact-acts.tsx";
import { ListsOf } from "./lists-of.tsx";
import { PersonFacts } from "./person-facts.tsx";
import { Answer, PersonStory, useStory } from "./person-story.tsx";
import { Properties } from "./properties.tsx";
import {
  useAboutContact,
  useContact,
  useKnown,
  useMails,
  useMoments,
  useProperties,
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
  const { data: about } = useAboutContact(team, contact);
  const suppression = useSuppression(team, contact && address);
  const { data: properties = [] } = useProperties(team);
  const [{ tab, edits }, setTab] = useState({ tab: "story", edits: 0 });
  useButtonKey("e");
  const id = address ?? Object.values(subject)[0] ?? "";
  const name = [contact?.firstName, contact?.lastName].filter(Boolean).join(" ");
  const story = useStory(contact?.firstName ?? id, { webhooks, mails, moments });
  if (found.isLoading || ("ref" in subject && !contact && told.isLoading)) return <Loading />;
  // If one half failed, a missing contact cannot be claimed.
  const hasFailed = Boolean(found.error || told.error);
  const isKnown = team.unreachable === undefined;
  const edit = () => setTab({ tab: "properties", edits: edits + 1 });
  const ofContact = (content: (one: NonNullable<typeof contact>) => ReactNode) => () =>
    contact ? content(contact) : <NoContact hasFailed={hasFailed} />;
  return (
    <>
      <PageHead
        name={name === "" ? undefined : name}
        lead={<Avatar name={name === "" ? id : name} isLarge />}
        meta={
          <>
            {address !== undefined && <Id>{address}</Id>}
            {contact && <Status kind={contact.subscribed ? "subscribed" : "unsubscribed"} />}
            {suppression.data?.isSuppressed && <Status kind="suppressed" />}
          </>
        }
        actions={
          <>
            {contact && (
              <Button variant="default" leftSection={<Icon name="edit" />} data-key="e" onClick={edit}>
                Edit
              </Button>
            )}
            <PersonActs
              team={team}
              contact={contact}
              known={known}
              address={address}
              subject={subject}
              isSuppressed={suppression.data?.isSuppressed}
              tracked={about?.tracked}
            />
          </>
        }
      />
      <Problem query={found} />
      <Problem query={told} />
      {contact?.email && "email" in subject && !isSame(contact.email, subject.email) && (
        <Note title="The contact has another address today.">
          <Link to="/people/$personId" params={{ personId: contact.email }}>
            {contact.email}
          </Link>{" "}
          This page has the mails to every address that is known.
        </Note>
      )}
      {!contact && !hasFailed && !told.isLoading && isKnown && <WhyNoContact webhooks={webhooks} />}
      <Answer story={story} />
      <PanelTabs
        value={tab}
        onChange={(next) => setTab({ tab: next, edits: 0 })}
        around={(panels) => (
          <Split
            label="Facts"
            aside={
              <PersonFacts
                contact={contact}
                known={known}
                about={about}
                webhooks={webhooks.found}
                properties={properties}
                onAll={() => setTab({ tab: "properties", edits: 0 })}
              />
            }
          >
            {panels}
          </Split>
        )}
        tabs={[
          {
            value: "story",
            label: "Story",
            content: () => (
              <>
                <Missing team={team} />
                <PersonStory who={id} story={story} />
              </>
            ),
          },
          mails.isThere && {
            value: "mail",
            label: "Mail",
            count: about?.counts.sends,
            content: () => <MailsOf mails={mails} />,
          },
          ...(["event", "workflow"] as const).map(
            (kind) =>
              moments.isThere && {
                value: kind,
                label: kind === "event" ? "Events" : "Workflows",
                count: about?.counts[kind === "event" ? "events" : "workflows"],
                content: ofContact((one) => <Moments team={team} contact={one} kind={kind} />),
              },
          ),
          isKnown && {
            value: "lists",
            label: "Lists",
            count: contact && Object.values(contact.mailingLists).filter(Boolean).length,
            content: ofContact((one) => <ListsOf team={team} contact={one} />),
          },
          isKnown && {
            value: "properties",
            label: "Properties",
            content: ofContact((one) => <Properties key={one.id} team={team} contact={one} edits={edits} />),
          },
          isKnown && {
            value: "raw",
            label: "Raw data",
            content: ofContact((one) => <Code block>{JSON.stringify(one, null, 2)}</Code>),
          },
        ]}
      />
    </>
  );
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const WhyNoContact = ({ webhooks }: { webhooks: ReturnType<typeof useWebhooks> }) => {
  const { found, next, isThere, isLooking, error } = webhooks;
  const isSearched = isThere && next === null && !isLooking && !error;
  return (
    <Note tone="warn" title="There is no contact of this person.">
      {found.length > 0
        ? "Webhooks name the person. The story says what their rules did, and why no contact was made."
        : `No contact has this address or id${isSearched ? ", and no webhook named it" : ""}.`}
    </Note>
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
