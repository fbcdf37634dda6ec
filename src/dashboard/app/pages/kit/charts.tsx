import { SimpleGrid, Stack, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Chart } from "../../parts/chart/chart.tsx";
import type { Column } from "../../parts/chart/columns.ts";
import type { Series } from "../../parts/chart/scale.ts";

const HOURS = [
  96, 88, 71, 54, 43, 38, 41, 52, 87, 141, 188, 214, 203, 196, 224, 241, 232, 219, 187, 161, 148, 133, 118, 64,
];
const START = Date.UTC(2026, 10, 27, 23);

const columnsFrom = (countsAt: (count: number, n: number) => Record<string, number>): Column[] =>
  HOURS.map((count, n) => {
    const at = START + n * 3_600_000;
    return { at, until: at + 3_600_000, counts: countsAt(count, n) };
  });

const WEBHOOKS = columnsFrom((count, n) => ({
  handled: count,
  quiet: Math.round(count / 4),
  failed: n > 19 ? n - 12 : 0,
}));
const RUNNING = columnsFrom((count) => ({ sent: count })).map((column, n, all) =>
  n < all.length - 1 ? column : { ...column, expected: 110 },
);
const OPENS = columnsFrom((_, n) => ({
  opened: Math.round(2_600 * (1 - 0.86 ** n)),
  clicked: Math.round(511 * (1 - 0.9 ** n)),
}));

const OUTCOMES: readonly Series[] = [
  { name: "handled", label: "handled", tone: "c1" },
  { name: "quiet", label: "nothing to do", tone: "c-quiet" },
  { name: "failed", label: "refused or failed", tone: "c-bad" },
];
const MAILS: readonly Series[] = [{ name: "sent", label: "sent", tone: "c1" }];
const READERS: readonly Series[] = [
  { name: "opened", label: "people who opened", tone: "c1" },
  { name: "clicked", label: "people who clicked", tone: "c2" },
];

const route = getRouteApi("/kit");

export const Charts = () => {
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <Stack gap="sm" component="section" aria-label="Charts">
      <Title order={2}>Charts</Title>
      <Chart
        title="Webhooks by hour"
        size="list"
        columns={WEBHOOKS}
        series={OUTCOMES}
        zone="UTC"
        onSelect={(time) => void navigate({ to: "/kit", search: { ...search, ...time } })}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Chart
          title="Mails by hour"
          columns={RUNNING}
          series={MAILS}
          zone="UTC"
          before={{ label: "last week", values: HOURS.map((count) => Math.round(count * 0.8)) }}
        />
        <Chart title="Nothing yet" columns={columnsFrom(() => ({}))} series={MAILS} zone="UTC" />
      </SimpleGrid>
      <Chart
        title="Opens and clicks"
        kind="lines"
        size="main"
        columns={OPENS}
        series={READERS}
        zone="UTC"
        total="43.7 % opened"
        before={{
          label: "November, opened",
          values: OPENS.map(({ counts }) => Math.round((counts.opened ?? 0) * 0.84)),
        }}
      />
    </Stack>
  );
};
