import { Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import { WaveActs } from "../../parts/waves/wave-acts.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { CampaignActs } from "./campaign-acts.tsx";
import { numberText, progressOf, retryOf } from "./campaign-words.ts";
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
    <EmailPage title="Campaign" isOne more={(id) => <Copies team={id} campaignId={campaignId} />}>
      {(id, team) => <One key={campaignId} team={team} id={id} campaignId={campaignId} />}
    </EmailPage>
  );
};

const Copies = ({ team, campaignId }: { team: string; campaignId: string }) => {
  const asked = { team, campaignId };
  const options = ["--team", team];
  return (
    <>
      <CopyAs
        asked={{ api: "email", name: "campaigns.status", fields: asked }}
        command={{ name: "campaign", args: ["show", campaignId], options }}
      />
      <CopyAs
        what="Copy the results as command"
        asked={{ api: "email", name: "statistics.results", fields: asked }}
        command={{ name: "campaign", args: ["results", campaignId], options }}
      />
    </>
  );
};

const One = ({ team, id, campaignId }: { team: Team; id: string; campaignId: string }) => {
  const query = useQuery({
    queryKey: ["email", id, "campaign", campaignId],
    queryFn: ({ signal }) => api.email.campaigns.status({ team: id, campaignId }, { signal }),
    refetchInterval: ({ state }) => pollOf(state.data, clock()),
  });
  return (
    <>
      <Answer query={query}>
        {(status) => (
          <>
            {status.status !== "Draft" && (
              <PageHead
                name={status.name}
                meta={
                  <>
                    <Status kind={stateOf(status)} />
                    <Described team={team} status={status} />
                    <Id>{status.id}</Id>
                  </>
                }
                actions={<CampaignActs team={id} status={status} />}
              />
            )}
            <Undo team={id} status={status} />
            <Growth status={status} />
            <Waiting team={id} status={status} />
            <HowFar status={status} now={query.dataUpdatedAt} />
            <SentAgain status={status} />
            {status.status === "Draft" && <Compose team={team} id={id} status={status} />}
          </>
        )}
      </Answer>
      {query.data && query.data.progress !== null && (
        <>
          <Results team={team} id={id} status={query.data} />
          <Recipients team={id} status={query.data} />
        </>
      )}
    </>
  );
};

const Growth = ({ status: { status, confirmed, maxRecipients } }: { status: Stated }) =>
  status === "Scheduled" && confirmed !== null && maxRecipients !== null ? (
    <Note title={`${numberText(confirmed)} confirmed.`}>
      It goes to those who match when it starts. Above {numberText(maxRecipients)} people it is held, and asks you.
    </Note>
  ) : null;

const Waiting = ({ team, status }: { team: string; status: Stated }) => {
  const { waiting } = status;
  if (waiting.length === 0 || status.progress === null) return null;
  const needsPerson = stateOf(status) === "held";
  return (
    <Note
      tone={needsPerson ? "warn" : "quiet"}
      icon={needsPerson ? "pause" : "clock"}
      title={needsPerson ? "It is held: a person has to decide" : "What keeps mails waiting"}
    >
      <Stack gap="xs">
        {waiting.map(({ code, message }) => (
          <span key={`${code} ${message}`}>{pageWords(message)}</span>
        ))}
        {status.wave !== null && <WaveActs team={team} wave={status.wave} />}
      </Stack>
    </Note>
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
