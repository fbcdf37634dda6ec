import { Alert, Card, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { api } from "../../api/api.ts";
import { SOON } from "../../api/queries.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { statusQuery } from "../../parts/ledger/status.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { useZone } from "../../team/use-zone.ts";
import { Latency } from "./latency.tsx";
import { Pace } from "./pace.tsx";

type Dispatch = Awaited<ReturnType<typeof api.bridge.dispatch.status>>;

export const Throughput = () => {
  useButtonKey("p");
  const query = useQuery({ ...statusQuery, ...SOON });
  const status = query.data;
  return (
    <Page
      title="Throughput"
      actions={
        status && (
          <>
            <Status kind={status.dispatch} />
            <PauseButton isPaused={status.paused.all !== null} />
          </>
        )
      }
      more={status && <CopyAs asked={{ api: "bridge", name: "dispatch.status" }} />}
    >
      <Answer query={query}>{(found) => <Shown status={found} />}</Answer>
    </Page>
  );
};

const Shown = ({ status }: { status: Dispatch }) => {
  const { waiting, attention, database, pace } = status;
  const zone = useZone();
  return (
    <>
      <Reasons status={status} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Figure label="Waiting" value={waiting.total} />
        <Figure label="In flight" value={waiting.sending} />
        <Figure label="Waiting for an identity" value={waiting.identity} />
        <Figure label="Deliveries that need you" value={attention} />
        <Figure label="Journal, MB" value={Math.ceil(database.bytes / 1_000_000)} />
      </SimpleGrid>
      <Pace pace={pace} />
      <ActivityOf title="Deliveries in the last 24 hours" shows="deliveries" zone={zone} />
      <Latency />
      <Text size="sm">
        <Link to="/alerts">Alerts</Link>
      </Text>
      <Lanes lanes={waiting.lanes} />
      <Sources status={status} />
    </>
  );
};

const Reasons = ({ status: { interruption, paused, foreignAnswers } }: { status: Dispatch }) => (
  <>
    {paused.all !== null && (
      <Alert color="orange" title="A person paused all deliveries">
        <Time at={paused.all} />. Webhooks are accepted and wait.
      </Alert>
    )}
    {interruption?.reason === "outage" && (
      <Alert color="red" title="Deliveries wait: outage">
        {interruption.message} {counted(interruption.attempts, "probe")} so far. Deliveries go on by themselves when the
        email service answers.
      </Alert>
    )}
    {interruption && interruption.reason !== "outage" && (
      <Alert color="red" title={`Deliveries wait: ${interruption.reason}`}>
        {interruption.message} Since <Time at={interruption.since} />; the next attempt is{" "}
        <Time at={interruption.until} />.
      </Alert>
    )}
    {foreignAnswers && (
      <Alert color="red" title="Something in front of the email service answers">
        {foreignAnswers.message} {counted(foreignAnswers.count, "time")}, last <Time at={foreignAnswers.last} />.
      </Alert>
    )}
  </>
);

const Lanes = ({ lanes }: { lanes: Dispatch["waiting"]["lanes"] }) => (
  <Stack gap="xs" component="section" aria-labelledby="lanes">
    <Title id="lanes" order={2} size="h4">
      Lanes
    </Title>
    <Table aria-label="Lanes">
      <Headings of={["Lane", "Waiting", "Oldest"]} />
      <Table.Tbody>
        {Object.entries(lanes).map(([lane, { waiting, oldest }]) => (
          <Table.Tr key={lane}>
            <Table.Td>{lane}</Table.Td>
            <Table.Td>{waiting}</Table.Td>
            <Table.Td>{oldest === null ? "–" : <Time at={oldest} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Stack>
);

const Sources = ({ status: { waiting, paused } }: { status: Dispatch }) => {
  const names = [...new Set([...Object.keys(paused.sources), ...Object.keys(waiting.sources)])].sort();
  return (
    <Stack gap="xs" component="section" aria-labelledby="of-sources">
      <Title id="of-sources" order={2} size="h4">
        Sources
      </Title>
      {names.length === 0 && <Text size="sm">No source has waiting deliveries, and none is paused.</Text>}
      {names.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label="Sources">
            <Headings of={["Source", "Waiting", "Paused", "Act"]} />
            <Table.Tbody>
              {names.map((name) => {
                const since = paused.sources[name];
                const count = waiting.sources[name]?.waiting ?? 0;
                return (
                  <Table.Tr key={name}>
                    <Table.Td>
                      <Link to="/sources/$source" params={{ source: name }}>
                        {name}
                      </Link>
                    </Table.Td>
                    <Table.Td>{count}</Table.Td>
                    <Table.Td>{since === undefined ? "no" : <Time at={since} />}</Table.Td>
                    <Table.Td>
                      <PauseButton isPaused={since !== undefined} source={name} />
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
};

const Figure = ({ label, value }: { label: string; value: number }) => (
  <Card withBorder padding="sm">
    <Text size="sm">{label}</Text>
    <Text size="xl" fw={700}>
      {value.toLocaleString("en")}
    </Text>
  </Card>
);
