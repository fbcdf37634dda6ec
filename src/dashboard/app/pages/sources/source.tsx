import { Alert, Anchor, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Checklist } from "../../parts/checklist.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { NotThere } from "../../parts/page/missing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Copyable } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { useZone } from "../../team/use-zone.ts";
import { sourcesQuery } from "./query.ts";
import { linesFor, meaningOf, type Source, secretInWords, stepsOf } from "./source-words.ts";

const route = getRouteApi("/sources/$source");

export const SourcePage = () => {
  const { source: name } = route.useParams();
  const query = useQuery(sourcesQuery);
  useButtonKey("c");
  const source = query.data?.data.find((one) => one.name === name);
  return (
    <Page
      title={name}
      actions={source && <PauseButton isPaused={source.pausedSince !== null} source={name} />}
      more={source && <CopyAs asked={{ api: "bridge", name: "sources.list", fields: { source: name } }} />}
    >
      <Answer query={query}>
        {() =>
          source ? (
            <Whole source={source} />
          ) : (
            <NotThere
              kind="source"
              message={`There is no source ${name}. It may have been renamed in src/sources.ts.`}
            />
          )
        }
      </Answer>
    </Page>
  );
};

const Whole = ({ source }: { source: Source }) => {
  const navigate = useNavigate();
  const zone = useZone();
  const { name, title, pausedSince, planOnly } = source;
  const steps = stepsOf(source);
  return (
    <>
      {pausedSince !== null && (
        <Alert color="orange" title="A person paused this source">
          <Time at={pausedSince} />. Its webhooks are accepted, and their deliveries wait.
        </Alert>
      )}
      {planOnly && <Alert title="Plan only">Its deliveries are planned and shown, and none is sent.</Alert>}
      {steps.some(({ isDone }) => !isDone) && (
        <Section title="Set-up">
          <Checklist
            label="Set-up"
            lines={steps.map(({ what, ...rest }) => ({ ...rest, what: <Text size="sm">{what}</Text> }))}
          />
        </Section>
      )}
      <Section title="Address">
        <Copyable text={source.address ?? source.path} shortcut="c" />
        {source.address === null && (
          <Text size="sm">
            This is the path below the address of the bridge. Set the variable PUBLIC_URL on the bridge to see the whole
            address here.
          </Text>
        )}
        <Text size="sm">
          At {title}: {source.whereToSet}
        </Text>
      </Section>
      <Secret source={source} />
      <Received source={source} />
      <ActivityOf
        title="Webhooks in the last 24 hours"
        shows="webhooks"
        zone={zone}
        source={name}
        onSelect={(range) => void navigate({ to: "/webhooks", search: { source: name, ...range } })}
      />
      <Events source={source} />
    </>
  );
};

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </Stack>
);

const Secret = ({ source }: { source: Source }) => {
  const lines = linesFor(source);
  return (
    <Section title="Secret">
      <Group gap="xs">
        <Status kind={source.secret.state} />
        <Text size="sm">{secretInWords(source)}</Text>
      </Group>
      {source.secret.state !== "set" && (
        <>
          <Text size="sm">On a deployed bridge, this line asks for its value:</Text>
          <Copyable text={lines.deployed} />
          <Text size="sm">On your machine, add it to .dev.vars. A running npm start takes it at once:</Text>
          <Copyable text={lines.local} />
        </>
      )}
      <Text size="sm">How a webhook proves itself: {source.proof}</Text>
      {source.fetchBack && (
        <Text size="sm">
          <Code>{source.fetchBack.variable}</Code> is {source.fetchBack.set ? "" : "not "}set: with it, the bridge asks{" "}
          {source.title} whom an id belongs to, and fetches the data of thin events.
        </Text>
      )}
    </Section>
  );
};

const Received = ({ source: { name, lastReceived, lastRefused, received24h, refused24h } }: { source: Source }) => (
  <Section title="Received">
    <Table aria-label="Received" w="auto">
      <Table.Tbody>
        <Table.Tr>
          <Table.Th>Last received</Table.Th>
          <Table.Td>{lastReceived === null ? "never in the last 30 days" : <Time at={lastReceived} />}</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Th>Last refused</Table.Th>
          <Table.Td>{lastRefused === null ? "never in the last 30 days" : <Time at={lastRefused.at} />}</Table.Td>
        </Table.Tr>
        <Table.Tr>
          <Table.Th>In 24 hours</Table.Th>
          <Table.Td>
            {received24h} received, {refused24h} refused
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
    <Text size="sm">A refusal is shown some seconds after it happened, with its minute.</Text>
    {lastRefused && (
      <Text size="sm">
        <Code>{lastRefused.code}</Code> {meaningOf(lastRefused.code)}
      </Text>
    )}
    <Anchor size="sm" renderRoot={(props) => <Link to="/webhooks" search={{ source: name }} {...props} />}>
      Webhooks of {name}
    </Anchor>
  </Section>
);

const Events = ({
  source: { name, events, rules, provider, testData, silentAfter, tolerance },
}: {
  source: Source;
}) => (
  <Section title="Events">
    {rules === 0 ? (
      <Text size="sm">It has no rules yet. examples/{provider}.ts is a start.</Text>
    ) : (
      <>
        <Text size="sm">Its rules read these types. Choose them at the provider:</Text>
        <Group gap="xs">
          {events.map((type) => (
            <Code key={type}>{type}</Code>
          ))}
        </Group>
        <Anchor size="sm" renderRoot={(props) => <Link to="/sources/rules" search={{ source: name }} {...props} />}>
          {rules} {rules === 1 ? "rule" : "rules"} of {name}
        </Anchor>
      </>
    )}
    <Text size="sm">
      Test data: {testData === "skip" ? "kept, and nothing is sent for it" : "sent like all others"}.
      {silentAfter !== null && ` An alert comes after ${silentAfter} without a webhook.`}
      {tolerance !== null && ` A signed time may be ${tolerance} s off.`}
    </Text>
  </Section>
);
