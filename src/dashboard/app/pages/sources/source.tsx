import { Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Note, Panel, Tiles } from "../../parts/cards/cards.tsx";
import { Checklist } from "../../parts/checklist.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { NotThere } from "../../parts/page/missing.tsx";
import { Page, PageHead } from "../../parts/page/page.tsx";
import { Answer, Copyable } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { useZone } from "../../team/use-zone.ts";
import { sourcesQuery } from "./query.ts";
import { linesFor, type Source, saidOf, secretInWords, stepsOf } from "./source-words.ts";

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
  const { name, title, rules, lastReceived, lastRefused, received24h, refused24h } = source;
  const { tone, title: state, text } = saidOf(source);
  const steps = stepsOf(source);
  return (
    <>
      <PageHead
        meta={
          <>
            <span>{title}</span>
            <Link to="/webhooks" search={{ source: name }}>
              Its webhooks
            </Link>
            <Link to="/sources/rules" search={{ source: name }}>
              {counted(rules, "rule")} of {name}
            </Link>
          </>
        }
      />
      <Note tone={tone} title={state}>
        {text}
      </Note>
      <Tiles
        label="Received and refused"
        tiles={[
          {
            label: "Received in 24 hours",
            value: received24h.toLocaleString("en"),
            note: lastReceived === null ? "never in the last 30 days" : <Last at={lastReceived} />,
          },
          {
            label: "Refused in 24 hours",
            value: refused24h.toLocaleString("en"),
            note:
              lastRefused === null ? (
                "never in the last 30 days"
              ) : (
                <>
                  <Last at={lastRefused.at} />: {lastRefused.code}
                </>
              ),
          },
        ]}
      />
      {steps.some(({ isDone }) => !isDone) && (
        <Panel title="Set-up">
          <Checklist label="Set-up" lines={steps} />
        </Panel>
      )}
      <Panel title="Address">
        <Copyable text={source.address ?? source.path} shortcut="c" />
        <Text size="sm" mt="xs">
          {source.address === null &&
            "This is the path below the address of the bridge. With the variable PUBLIC_URL on the bridge, the whole address is here. "}
          At {title}: {source.whereToSet}
        </Text>
      </Panel>
      <Secret source={source} />
      <Events source={source} />
      <ActivityOf
        title="Webhooks in the last 24 hours"
        shows="webhooks"
        zone={zone}
        source={name}
        onSelect={(range) => void navigate({ to: "/webhooks", search: { source: name, ...range } })}
      />
    </>
  );
};

const Last = ({ at }: { at: string }) => (
  <>
    last <Time at={at} />
  </>
);

const Secret = ({ source }: { source: Source }) => {
  const { secret, proof, fetchBack, title } = source;
  const lines = linesFor(source);
  return (
    <Panel title="Secret" aside={<Status kind={secret.state} />}>
      <Text size="sm">{secretInWords(source)}</Text>
      {secret.state !== "set" && (
        <>
          <Text size="sm">On a deployed bridge, this line asks for its value:</Text>
          <Copyable text={lines.deployed} />
          <Text size="sm">On your machine, add it to .dev.vars. A running npm start takes it at once:</Text>
          <Copyable text={lines.local} />
        </>
      )}
      <Text size="sm">How a webhook proves itself: {proof}</Text>
      {fetchBack && (
        <Text size="sm">
          <Code>{fetchBack.variable}</Code> is {fetchBack.set ? "" : "not "}set: with it, the bridge asks {title} whom
          an id belongs to, and fetches the data of thin events.
        </Text>
      )}
    </Panel>
  );
};

const Events = ({ source }: { source: Source }) => {
  const { title, events, rules, provider, testData, silentAfter, tolerance } = source;
  return (
    <Panel title={`Events to enable at ${title}`}>
      {rules === 0 ? (
        <Text size="sm">It has no rules yet. examples/{provider}.ts is a start.</Text>
      ) : (
        <Group gap="xs">
          {events.map((type) => (
            <Code key={type}>{type}</Code>
          ))}
        </Group>
      )}
      <Text size="sm" mt="xs">
        Test data: {testData === "skip" ? "kept, and nothing is sent for it" : "sent like all others"}.
        {silentAfter !== null && ` An alert comes after ${silentAfter} without a webhook.`}
        {tolerance !== null && ` A signed time may be ${tolerance} s off.`}
      </Text>
    </Panel>
  );
};
