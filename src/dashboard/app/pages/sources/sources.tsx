import { useQuery } from "@tanstack/react-query";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { type Column, ListTable, RowLink, Second } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { sourcesQuery } from "./query.ts";
import { type Source, saidOf } from "./source-words.ts";

/** Order: received webhooks, then a set secret, then name. */
const byUse = (source: Source, other: Source): number =>
  rankOf(source) - rankOf(other) || (source.name < other.name ? -1 : 1);
const rankOf = ({ lastReceived, lastRefused, secret }: Source): number =>
  lastReceived !== null ? 0 : lastRefused !== null ? 1 : secret.state === "missing" ? 3 : 2;

const COLUMNS: readonly Column<Source>[] = [
  {
    title: "Source",
    cell: ({ name, title }) => (
      <RowLink to="/sources/$source" params={{ source: name }} second={title}>
        {name}
      </RowLink>
    ),
  },
  {
    title: "State",
    cell: (source) => (
      <>
        <Status kind={saidOf(source).kind} />
        <Second>{saidOf(source).text}</Second>
      </>
    ),
    width: "38%",
  },
  { title: "Rules", cell: ({ rules }) => counted(rules, "rule"), onPhone: false },
  {
    title: "In 24 hours",
    cell: ({ received24h, refused24h }) => (
      <>
        {received24h.toLocaleString("en")} received
        {refused24h > 0 && <Second>{refused24h.toLocaleString("en")} refused</Second>}
      </>
    ),
  },
  {
    title: "Last received",
    cell: ({ lastReceived }) => lastReceived !== null && <Time at={lastReceived} />,
    isNumber: true,
  },
];

export const Sources = () => {
  const query = useQuery(sourcesQuery);
  return (
    <Page title="Sources" more={<CopyAs asked={{ api: "bridge", name: "sources.list" }} />}>
      <Answer query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="sources" title="No sources" command="npm run check">
              Sources are in src/sources.ts: a name, rules, and the variable of a secret. After a change, this checks
              them:
            </Empty>
          ) : (
            <ListTable what="Sources" rows={data.toSorted(byUse)} columns={COLUMNS} idOf={({ name }) => name} />
          )
        }
      </Answer>
    </Page>
  );
};
