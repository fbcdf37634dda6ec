import { Alert, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import { WaveActs } from "../../parts/waves/wave-acts.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { CampaignActs } from "./campaign-acts.tsx";
import { progressOf, retryOf } from "./campaign-words.ts";
import { Compose } from "./compose/compose.tsx";
import { Described } from "./described.tsx";
import { Recipients } from "./recipients.tsx";
import { Results } from "./results.tsx";
import { isLooking, isOver, pollOf, type Status as Stated, stateOf } from "./state.ts";
import { Undo } from "./undo.tsx";

const route = getRouteApi("/team/campaigns/$campaignId");

export const Campaign = () => {
  const { campaignId } = route.useParams();
  return (
    <TeamPage
      title="Campaign"
      isOne
      more={({ id }) =>
        id !== undefined && (
          <CopyAs
            asked={{ api: "email", name: "campaigns.status", fields: { team: id, campaignId } }}
            command={{ name: "campaign", args: ["show", campaignId], options: ["--team", id] }}
          />
        )
      }
    >
      {(team) =>
        team.id === undefined ? (
          <Text>The email service is not deployed here.</Text>
        ) : (
          <One key={`${team.id} ${campaignId}`} team={team} id={team.id} campaignId={campaignId} />
        )
      }
    </TeamPage>
  );
};

const One = ({ team, id, campaignId }: { team: Team; id: string; campaignId: string }) => {
  const query = useQuery({
    queryKey: ["email", id, "campaign", campaignId],
    queryFn: ({ signal }) => api.email.campaigns.status({ team: id, campaignId }, { signal }),
    refetchInterval: ({ state }) => pollOf(state.data, clock()),
  });
  return (
    <Stack>
      <Answer query={query}>
        {(status) => (
          <>
            <Head team={id} status={status} />
            <Undo team={id} status={status} />
            <Waiting team={id} status={status} />
            <HowFar status={status} now={query.dataUpdatedAt} />
            <SentAgain status={status} />
            {status.status === "Draft" ? (
              <Compose team={team} id={id} status={status} />
            ) : (
              <Described team={team} status={status} />
            )}
          </>
        )}
      </Answer>
      {query.data && query.data.progress !== null && (
        <>
          <Results team={id} status={query.data} />
          <Recipients team={id} status={query.data} />
        </>
      )}
    </Stack>
  );
};

const Head = ({ team, status }: { team: string; status: Stated }) => (
  <>
    <PageHead
      name={status.name}
      meta={
        <>
          <Status kind={stateOf(status)} />
          <Id>{status.id}</Id>
        </>
      }
    />
    {status.status !== "Draft" && <CampaignActs team={team} status={status} />}
  </>
);

const Waiting = ({ team, status }: { team: string; status: Stated }) => {
  const { waiting } = status;
  if (waiting.length === 0 || status.progress === null) return null;
  const state = stateOf(status);
  return (
    <Alert
      variant="light"
      color={state === "held" ? "orange" : "span"}
      title={state === "held" ? "It is held: a person has to decide" : "What keeps mails waiting"}
    >
      <Stack gap="xs">
        {waiting.map(({ code, message }) => (
          <Text key={`${code} ${message}`} size="sm" className="wrap">
            {pageWords(message)}
          </Text>
        ))}
        {status.wave !== null && <WaveActs team={team} wave={status.wave} />}
      </Stack>
    </Alert>
  );
};

const SentAgain = ({ status: { retry } }: { status: Stated }) => {
  if (retry === null) return null;
  const { share, text } = retryOf(retry);
  return (
    <Stack gap={4} role="status">
      {isLooking(retry) && <Progress value={100 * share} aria-label="Sent again" />}
      <Text size="sm">
        Asked for <Time at={retry.askedAt} />: {text}
      </Text>
    </Stack>
  );
};

const HowFar = ({ status, now }: { status: Stated; now: number }) => {
  const { progress } = status;
  if (progress === null || progress.startedAt === null || isOver(status)) return null;
  const { share, text } = progressOf(progress, now);
  return (
    <Stack gap={4} role="status">
      {share !== undefined && <Progress value={100 * share} aria-label="Progress" />}
      <Text size="sm">{text}</Text>
    </Stack>
  );
};
