import { Alert, Anchor, Code, Group, Stack, Table, Tabs, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/chapters.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { CauseOf } from "./cause.tsx";
import { ContentOf, type View } from "./content.tsx";
import type { Whole } from "./whole.ts";

const route = getRouteApi("/team/sent/$sendId");

export const Mail = () => {
  const { sendId } = route.useParams();
  return (
    <TeamPage
      title="Mail"
      isOne
      more={({ id }) =>
        id !== undefined && <CopyAs asked={{ api: "email", name: "sends.get", fields: { team: id, sendId } }} />
      }
    >
      {(team) =>
        team.id === undefined ? (
          <Text>The email service is not deployed here.</Text>
        ) : (
          <One team={team} sendId={sendId} />
        )
      }
    </TeamPage>
  );
};

const VIEWS = ["rendered", "text", "headers"] as const satisfies readonly View[];
const TABS = [
  ["story", "Story"] as const,
  ["rendered", "As sent"] as const,
  ["text", "Text"] as const,
  ["headers", "Headers"] as const,
  ["attempts", "Attempts"] as const,
  ["facts", "Facts"] as const,
];

const One = ({ team, sendId }: { team: Team; sendId: string }) => {
  const query = useQuery({
    queryKey: ["email", team.id, "send", sendId],
    queryFn: ({ signal }) => api.email.sends.get({ team: team.id ?? "", sendId }, { signal }),
    ...LATER,
  });
  return (
    <Stack>
      <Answer query={query}>{(mail) => <Shown mail={mail} team={team} />}</Answer>
    </Stack>
  );
};

const Shown = ({ mail, team }: { mail: Whole; team: Team }) => (
  <>
    <Head mail={mail} team={team} />
    <Tabs defaultValue="story" keepMounted={false}>
      <Tabs.List>
        {TABS.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="story" pt="md">
        <Steps mail={mail} />
      </Tabs.Panel>
      {VIEWS.map((view) => (
        <Tabs.Panel key={view} value={view} pt="md">
          <ContentOf team={team.id ?? ""} sendId={mail.id} view={view} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value="attempts" pt="md">
        <Answers mail={mail} />
      </Tabs.Panel>
      <Tabs.Panel value="facts" pt="md">
        <Code block>{JSON.stringify({ ...mail, story: undefined }, null, 2)}</Code>
      </Tabs.Panel>
    </Tabs>
  </>
);

const Head = ({ mail, team }: { mail: Whole; team: Team }) => {
  const { id, to, state, meaning, rule, suppressed, canRetry, acceptedAt } = mail;
  return (
    <Stack gap="xs">
      <PageHead
        name={nameOfMail(mail)}
        meta={
          <>
            <Status kind={state} />
            <Text size="sm">
              to{" "}
              <Anchor renderRoot={(props) => <Link to="/people/$personId" params={{ personId: to }} {...props} />}>
                {to}
              </Anchor>
            </Text>
            <Id>{id}</Id>
            <Text size="sm">
              accepted <Time at={acceptedAt} />
            </Text>
          </>
        }
      />
      <Alert variant="light" color="span" title="What came out">
        {meaning}
      </Alert>
      {rule && (
        <Text size="sm">
          <Anchor href={rule.url} target="_blank" rel="noreferrer">
            {rule.provider} about its rule {rule.rule}
          </Anchor>
        </Text>
      )}
      {suppressed && (
        <Alert color="orange" title="The address is suppressed today">
          {suppressed.meaning}
        </Alert>
      )}
      <CauseOf mail={mail} team={team} />
      {canRetry && team.id !== undefined && (
        <Group>
          <ActButton
            icon="retry"
            act={{
              title: "Send this mail again?",
              label: "Send again",
              word: "send again",
              effect: () => ({ text: `${to} gets this mail, perhaps a second time: ${meaning}` }),
              run: () => api.email.sends.retry({ team: team.id ?? "", sendId: id }),
              done: () => "The mail is sent again.",
              asked: { api: "email", name: "sends.retry", fields: { team: team.id, sendId: id } },
            }}
          >
            Send again
          </ActButton>
        </Group>
      )}
    </Stack>
  );
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

const Steps = ({ mail: { story } }: { mail: Whole }) => (
  <Timeline bulletSize={12} lineWidth={2} className="wrap">
    {story.map(({ at, what, text, detail }) => (
      <Timeline.Item key={`${at} ${what} ${text}`} title={text}>
        <Text size="xs" c="dimmed">
          <Time at={at} />
        </Text>
        {detail && Object.keys(detail).length > 0 && <Code block>{JSON.stringify(detail, null, 2)}</Code>}
      </Timeline.Item>
    ))}
  </Timeline>
);
