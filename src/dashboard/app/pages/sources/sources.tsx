import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { sourcesQuery } from "./query.ts";
import type { Source } from "./source-words.ts";

/** Order: received webhooks, then a set secret, then name. */
const byUse = (source: Source, other: Source): number =>
  rankOf(source) - rankOf(other) || (source.name < other.name ? -1 : 1);
const rankOf = ({ lastReceived, lastRefused, secret }: Source): number =>
  lastReceived !== null ? 0 : lastRefused !== null ? 1 : secret.state === "missing" ? 3 : 2;

export const Sources = () => {
  const query = useQuery(sourcesQuery);
  return (
    <Page title="Sources" more={<CopyAs asked={{ api: "bridge", name: "sources.list" }} />}>
      <Answer query={query}>
        {({ data }) => (data.length === 0 ? <None /> : <List sources={data.toSorted(byUse)} />)}
      </Answer>
    </Page>
  );
};

const None = () => (
  <Empty title="No sources" command="npm run check">
    Sources are in src/sources.ts: a name, rules, and the variable of a secret. After a change, this checks them:
  </Empty>
);

const List = ({ sources }: { sources: readonly Source[] }) => (
  <Table.ScrollContainer minWidth={720}>
    <Table aria-label="Sources">
      <Headings of={["Source", "Secret", "Rules", "Last received", "Last refused", "In 24 hours"]} />
      <Table.Tbody>
        {sources.map((source) => (
          <Table.Tr key={source.name} className="row">
            <Table.Td>
              <Link to="/sources/$source" params={{ source: source.name }}>
                {source.name}
              </Link>{" "}
              {source.pausedSince !== null && <Status kind="paused" />}
              <Text size="xs">{source.title}</Text>
            </Table.Td>
            <Table.Td>
              <Status kind={source.secret.state} />
            </Table.Td>
            <Table.Td>{source.rules}</Table.Td>
            <Table.Td>{source.lastReceived === null ? "–" : <Time at={source.lastReceived} />}</Table.Td>
            <Table.Td>
              {source.lastRefused === null ? (
                "–"
              ) : (
                <>
                  <Time at={source.lastRefused.at} /> <Text size="xs">{source.lastRefused.code}</Text>
                </>
              )}
            </Table.Td>
            <Table.Td>
              {source.received24h} received, {source.refused24h} refused
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
