import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { ImportActs } from "./import-acts.tsx";
import { Outcome } from "./outcome.tsx";
import { ReadyImport } from "./ready.tsx";
import { Sending } from "./sending.tsx";
import { type Detailed, pollOf, stateOf } from "./state.ts";

const route = getRouteApi("/team/people/imports/$importId");

export const Import = () => {
  const { importId } = route.useParams();
  return (
    <EmailPage
      title="Import"
      isOne
      more={(id) => (
        <CopyAs
          asked={{ api: "email", name: "imports.get", fields: { team: id, importId } }}
          command={{ name: "import", options: ["--import", importId, "--team", id] }}
        />
      )}
    >
      {(id, team) => <One key={importId} team={team} id={id} importId={importId} />}
    </EmailPage>
  );
};

const One = ({ team, id, importId }: { team: Team; id: string; importId: string }) => {
  const query = useQuery({
    queryKey: ["email", id, "import", importId],
    queryFn: ({ signal }) => api.email.imports.get({ team: id, importId }, { signal }),
    refetchInterval: ({ state }) => pollOf(state.data),
  });
  return (
    <Stack>
      <Answer query={query}>
        {(one) => (
          <>
            <Head team={id} one={one} />
            {one.state === "uploading" && <Sending team={id} one={one} />}
            {one.processed > 0 || one.state === "running" || one.state === "done" ? (
              <Outcome team={id} one={one} at={query.dataUpdatedAt} />
            ) : null}
            {one.state === "ready" && <ReadyImport key={one.startedAt} team={team} id={id} one={one} />}
            {one.state === "cancelled" && one.processed === 0 && <Text size="sm">Nothing of it was imported.</Text>}
          </>
        )}
      </Answer>
    </Stack>
  );
};

const Head = ({ team, one }: { team: string; one: Detailed }) => (
  <PageHead
    name={`Import ${one.name}`}
    meta={
      <>
        <Status kind={stateOf(one)} />
        <Text size="sm">
          begun <Time at={one.createdAt} />
        </Text>
        <Id>{one.id}</Id>
      </>
    }
    actions={
      <Group gap="xs">
        <ImportActs team={team} one={one} />
        {(one.state === "done" || one.state === "cancelled") && (
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/people/imports/new" {...props} />}>
            New import
          </Button>
        )}
      </Group>
    }
  />
);
