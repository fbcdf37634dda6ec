import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER, SOON } from "../../api/queries.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Panel, Tiles } from "../../parts/cards/cards.tsx";
import { Chart } from "../../parts/chart/chart.tsx";
import { lasting } from "../../parts/ledger/ledger-words.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { statusQuery } from "../../parts/ledger/status.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import { useZone } from "../../team/use-zone.ts";
import { Backlog, type Status } from "./backlog.tsx";
import { newestHours } from "./newest-hours.ts";
import { DeliveriesPage } from "./page.tsx";

export const Throughput = () => {
  const query = useQuery({ ...statusQuery, ...SOON });
  return (
    <DeliveriesPage title="Throughput" more={<CopyAs asked={{ api: "bridge", name: "dispatch.status" }} />}>
      <Answer query={query}>{(status) => <Shown status={status} />}</Answer>
    </DeliveriesPage>
  );
};

const Shown = ({ status }: { status: Status }) => {
  const { waiting, attention, database, pace } = status;
  const zone = useZone();
  return (
    <>
      <Backlog status={status} />
      <Tiles
        label="Deliveries now"
        tiles={[
          { label: "Waiting", value: waiting.total.toLocaleString("en") },
          { label: "In flight", value: waiting.sending.toLocaleString("en") },
          { label: "Waiting for an address", value: waiting.identity.toLocaleString("en") },
          { label: "Failed or undecided", value: attention.toLocaleString("en") },
          { label: "Journal", value: Math.ceil(database.bytes / 1_000_000).toLocaleString("en"), unit: "MB" },
        ]}
      />
      <Pace pace={pace} zone={zone} />
      <ActivityOf title="Deliveries in the last 24 hours" shows="deliveries" zone={zone} />
      <Latency />
      <Panel title="Priorities" isFlush>
        <ListTable
          what="Priorities"
          rows={Object.entries(waiting.lanes)}
          idOf={([lane]) => lane}
          columns={[
            { title: "Priority", cell: ([lane]) => lane },
            { title: "Waiting", cell: ([, one]) => one.waiting.toLocaleString("en"), isNumber: true },
            { title: "Oldest", cell: ([, { oldest }]) => oldest && <Time at={oldest} />, isNumber: true },
          ]}
          isCompact
        />
      </Panel>
      <Sources status={status} />
      <Text size="sm">
        <Link to="/alerts">Alert history</Link>
      </Text>
    </>
  );
};

/** Requests to the email service by second. */
const Pace = ({ pace: { limit, last60, serviceRemaining }, zone }: { pace: Status["pace"]; zone: string }) => {
  const end = Math.floor(clock() / 1_000) * 1_000;
  const columns = last60.map((requests, n) => {
    const at = end - (last60.length - n) * 1_000;
    return { at, until: at + 1_000, counts: { requests } };
  });
  const sum = last60.reduce((total, requests) => total + requests, 0);
  return (
    <Chart
      title="Requests by second"
      columns={columns}
      series={[{ name: "requests", label: "requests", tone: "c1" }]}
      zone={zone}
      total={
        <>
          {sum.toLocaleString("en")}{" "}
          <small>
            of {(limit * 60).toLocaleString("en")}, {limit} a second
            {serviceRemaining !== null && `. The email service allows ${serviceRemaining} more now`}
          </small>
        </>
      }
    />
  );
};

/** Time from a webhook to its finished deliveries, per source, in its newest hour. */
const Latency = () => {
  const query = useQuery({
    queryKey: ["bridge", "activity", "latency"],
    queryFn: ({ signal }) => api.bridge.activity.list({ since: "1d", step: "1h" }, { signal }),
    ...LATER,
  });
  return (
    <Answer query={query} rows={1}>
      {({ data }) => {
        const newest = newestHours(data);
        if (newest.length === 0) return <Text size="sm">No delivery was done in the last 24 hours.</Text>;
        return (
          <Panel title="From webhook to done" isFlush>
            <ListTable what="Latency" rows={newest} idOf={({ source }) => source} columns={OF_LATENCY} isCompact />
          </Panel>
        );
      }}
    </Answer>
  );
};

const inWords = (ms: number | null): string => (ms === null ? "–" : lasting(ms));

const OF_LATENCY: readonly Column<{ source: string; at: string; p50: number | null; p95: number | null }>[] = [
  { title: "Source", cell: ({ source }) => source },
  { title: "Hour", cell: ({ at }) => <Time at={at} /> },
  { title: "Half within", cell: ({ p50 }) => inWords(p50), isNumber: true },
  { title: "95 % within", cell: ({ p95 }) => inWords(p95), isNumber: true },
];

const Sources = ({ status: { waiting, paused } }: { status: Status }) => {
  const names = [...new Set([...Object.keys(paused.sources), ...Object.keys(waiting.sources)])].sort();
  if (names.length === 0) return <Text size="sm">No source has waiting deliveries, and none is paused.</Text>;
  return (
    <Panel title="Sources" isFlush>
      <ListTable
        what="Sources"
        rows={names}
        idOf={(name) => name}
        columns={[
          {
            title: "Source",
            cell: (name) => (
              <RowLink to="/sources/$source" params={{ source: name }}>
                {name}
              </RowLink>
            ),
          },
          {
            title: "Waiting",
            cell: (name) => (waiting.sources[name]?.waiting ?? 0).toLocaleString("en"),
            isNumber: true,
          },
          {
            title: "Paused",
            cell: (name) => paused.sources[name] !== undefined && <Time at={paused.sources[name]} />,
          },
          {
            title: "Act",
            cell: (name) => <PauseButton isPaused={paused.sources[name] !== undefined} source={name} />,
          },
        ]}
        isCompact
      />
    </Panel>
  );
};
