import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Panel } from "../../parts/cards/cards.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Split } from "../../parts/page/panel-tabs.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { MessagePicture } from "../message/picture.tsx";
import { HowToSend } from "./how-to-send.tsx";
import { LatestMails } from "./latest.tsx";
import { Numbers } from "./numbers.tsx";
import { SentBy } from "./sent-by.tsx";
import { type Listed, statesOf } from "./state.ts";
import { TransactionalActs } from "./transactional-acts.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/team/transactional/$transactionalEmailId");

export const TransactionalEmail = () => {
  const { transactionalEmailId: id } = route.useParams();
  return (
    <TeamPage
      title="Transactional mail"
      isOne
      more={() => <CopyAs asked={{ api: "v1", name: "transactionalEmails.get", fields: { transactionalId: id } }} />}
    >
      {(team) => <One key={`${team.id} ${id}`} team={team} id={id} />}
    </TeamPage>
  );
};

const One = ({ team, id }: { team: Team; id: string }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "transactional", "one", id],
    queryFn: ({ signal }) => team.v1.transactionalEmails.get({ transactionalId: id }, { signal }),
  });
  return (
    <Stack>
      <Answer query={query}>{(email) => <Shown team={team} email={email} />}</Answer>
    </Stack>
  );
};

const Shown = ({ team, email }: { team: Team; email: Listed }) => (
  <Stack gap="lg">
    <Stack gap="xs">
      <PageHead
        name={email.name}
        meta={
          <>
            {statesOf(email).map((state) => (
              <Status key={state} kind={state} />
            ))}
            <Id>{email.id}</Id>
            <Text size="sm">
              changed <Time at={email.updatedAt} />
            </Text>
          </>
        }
      />
      <TransactionalActs team={team} email={email} />
    </Stack>
    <Numbers team={team} email={email} />
    <Split
      label="The mail and what sends it"
      aside={
        <>
          <Panel title="The mail" isFlush>
            <MessagePicture
              team={team}
              emailMessageId={email.publishedEmailMessageId ?? email.draftEmailMessageId ?? undefined}
              name={email.name}
              size="tall"
            />
          </Panel>
          <SentBy team={team} email={email} />
        </>
      }
    >
      <Stack>
        {team.id !== undefined && <LatestMails team={team.id} id={email.id} />}
        <Versions team={team} email={email} />
        <HowToSend email={email} />
      </Stack>
    </Split>
  </Stack>
);
