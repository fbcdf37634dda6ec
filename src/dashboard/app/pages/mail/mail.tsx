import { Anchor, Code, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import type { IconName } from "../../parts/icon-paths.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { PanelTabs, Split } from "../../parts/page/panel-tabs.tsx";
import { type Deck, Span, type Stop } from "../../parts/span/span.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Story, type StoryEntry } from "../../parts/story/story.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { clock, dayText } from "../../parts/time.ts";
import { kindOfMail, nameOfMail } from "../../story/chapters.ts";
import { verdictOfMail } from "../../story/verdict.ts";
import { EmailPage, type Team } from "../../team/team.tsx";
import { CauseOf, OwnerOf } from "./cause.tsx";
import { ContentOf } from "./content.tsx";
import type { Whole } from "./whole.ts";

const route = getRouteApi("/team/sent/$sendId");

export const Mail = () => {
  const { sendId } = route.useParams();
  return (
    <EmailPage
      title="Mail"
      isOne
      more={(id) => <CopyAs asked={{ api: "email", name: "sends.get", fields: { team: id, sendId } }} />}
    >
      {(id, team) => <One team={team} id={id} sendId={sendId} />}
    </EmailPage>
  );
};

const One = ({ team, id, sendId }: { team: Team; id: string; sendId: string }) => {
  const query = useQuery({
    queryKey: ["email", id, "send", sendId],
    queryFn: ({ signal }) => api.email.sends.get({ team: id, sendId }, { signal }),
    ...LATER,
  });
  return <Answer query={query}>{(mail) => <Shown mail={mail} team={team} id={id} />}</Answer>;
};

const Shown = ({ mail, team, id }: { mail: Whole; team: Team; id: string }) => {
  const content = (view: "rendered" | "text" | "headers") => () => <ContentOf team={id} sendId={mail.id} view={view} />;
  return (
    <>
      <Head mail={mail} id={id} />
      <Outcome mail={mail} />
      <Span label="The way of this mail" stops={stopsOf(mail)} />
      <PanelTabs
        around={(panels) => (
          <Split label="Facts" aside={<CauseOf mail={mail} team={team} />}>
            {panels}
          </Split>
        )}
        tabs={[
          { value: "story", label: "Story", content: () => <Story days={daysOf(mail)} /> },
          { value: "rendered", label: "As sent", content: content("rendered") },
          { value: "text", label: "Text", content: content("text") },
          { value: "headers", label: "Headers", content: content("headers") },
          { value: "attempts", label: "Attempts", content: () => <Answers mail={mail} /> },
          {
            value: "raw",
            label: "Raw data",
            content: () => <Code block>{JSON.stringify({ ...mail, story: undefined }, null, 2)}</Code>,
          },
        ]}
      />
    </>
  );
};

const Head = ({ mail, id: team }: { mail: Whole; id: string }) => {
  const { id, to, meaning, canRetry, acceptedAt, cause } = mail;
  return (
    <PageHead
      name={nameOfMail(mail)}
      meta={
        <>
          <Status kind={kindOfMail(mail)} />
          <span>
            to{" "}
            <Link to="/people/$personId" params={{ personId: to }}>
              {to}
            </Link>
          </span>
          {cause.name !== null && (
            <span>
              from <OwnerOf cause={cause} />
            </span>
          )}
          <span>
            accepted <Time at={acceptedAt} />
          </span>
          <Id>{id}</Id>
        </>
      }
      actions={
        canRetry && (
          <ActButton
            icon="retry"
            size="sm"
            act={{
              title: "Send this mail again?",
              label: "Send again",
              word: "send again",
              effect: () => ({ text: `${to} gets this mail, perhaps a second time: ${meaning}` }),
              run: () => api.email.sends.retry({ team, sendId: id }),
              done: () => "The mail is sent again.",
              asked: { api: "email", name: "sends.retry", fields: { team, sendId: id } },
            }}
          >
            Send again
          </ActButton>
        )
      }
    />
  );
};

const TONES = { good: "good", wait: "warn", bad: "bad", quiet: "quiet" } as const;

/** The result of the mail, and what stands in its way. */
const Outcome = ({ mail }: { mail: Whole }) => {
  const { meaning, rule, suppressed, to, openedAt } = mail;
  return (
    <>
      <Note tone={TONES[verdictOfMail(mail).tone]} icon={openedAt ? "opened" : undefined} role="status">
        {meaning}{" "}
        {openedAt && (
          <>
            Opened <Time at={openedAt} />.
          </>
        )}{" "}
        {rule && (
          <Anchor inherit href={rule.url} target="_blank" rel="noreferrer">
            {rule.provider} about its rule {rule.rule}
          </Anchor>
        )}
      </Note>
      {suppressed && (
        <Note tone="warn" title={`${to} is suppressed: it gets no mail.`}>
          {suppressed.meaning}
        </Note>
      )}
    </>
  );
};

/** The way of a mail, as far as it is known. Opens of transactional mail are not tracked. */
const stopsOf = (mail: Whole): Stop[] => {
  const { state, acceptedAt, settledAt, sender, openedAt, class: mailClass } = mail;
  const { code } = verdictOfMail(mail);
  const isOut = code === "arrived" || code === "left";
  const isIn = code === "arrived" || openedAt !== null;
  const waits = code === "waiting";
  const stopped = code === "unknown" ? "unknown" : state === "bounced" ? "bounced" : "not sent";
  const toSender: Deck = isOut
    ? { state: "flow", text: "sent" }
    : { state: waits ? "warn" : "broken", text: waits ? "waits" : stopped };
  const toMailbox: Deck = isIn ? { state: "flow", text: "arrived" } : { state: "warn", text: "no report so far" };
  const toReader: Deck = openedAt ? { state: "flow", text: "opened" } : { state: "warn", text: "no open so far" };
  const taken = sender === "inbox" ? "Local inbox" : `Mail provider${sender === null ? "" : ` ${sender}`}`;
  const isRead = isOut && isIn && (openedAt !== null || mailClass === "marketing");
  const isAway = isOut && sender !== "inbox";
  const stops: (Stop | false)[] = [
    [{ icon: "deliveries", name: "Accepted", fact: <Time at={acceptedAt} />, tone: "accent" }, toSender],
    [
      { icon: "mail", name: taken, fact: isOut && settledAt && <Time at={settledAt} /> },
      isAway ? toMailbox : undefined,
    ],
    isAway && [{ icon: "people", name: "Mailbox" }, isRead ? toReader : undefined],
    isRead && [{ icon: "opened", name: "Reader", fact: openedAt && <Time at={openedAt} /> }],
  ];
  return stops.filter((stop) => stop !== false);
};

const ICONS: Readonly<Record<string, IconName>> = {
  accepted: "deliveries",
  sent: "check",
  delivered: "done",
  opened: "opened",
  clicked: "link",
  unsubscribed: "nothing",
  retried: "retry",
  deferred: "clock",
};
const BAD: ReadonlySet<string> = new Set(["refused", "bounced", "complained", "failed", "unknown"]);

const daysOf = ({ story }: Whole): { day: string; entries: StoryEntry[] }[] => {
  const days = Object.groupBy(story, ({ at }) => dayText(at, clock()));
  return Object.entries(days).map(([day, steps = []]) => ({
    day,
    entries: steps.map(({ at, what, text, detail = {} }, n) => ({
      id: `${at} ${what} ${n}`,
      icon: ICONS[what] ?? (BAD.has(what) ? "failed" : "mail"),
      what: text,
      when: <Time at={at} isClock />,
      ...(BAD.has(what) && { tone: "bad" as const }),
      ...(Object.keys(detail).length > 0 && {
        fold: { summary: "Details", content: <Code block>{JSON.stringify(detail, null, 2)}</Code> },
      }),
    })),
  }));
};

const Answers = ({ mail: { answers } }: { mail: Whole }) =>
  answers.length === 0 ? (
    <Text size="sm">No attempt has an answer yet.</Text>
  ) : (
    <Table.ScrollContainer minWidth={500}>
      <Table aria-label="attempts" verticalSpacing={6}>
        <Headings of={["Attempt", "When", "By", "Outcome", "Code", "Answer"]} />
        <Table.Tbody>
          {answers.map(({ attempt, at, sender, outcome, code, answer }) => (
            <Table.Tr key={`${attempt} ${at}`}>
              <Table.Td>{attempt}</Table.Td>
              <Table.Td>
                <Time at={at} />
              </Table.Td>
              <Table.Td>{sender}</Table.Td>
              <Table.Td>{outcome}</Table.Td>
              <Table.Td>{code}</Table.Td>
              <Table.Td className="wrap">{answer}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
