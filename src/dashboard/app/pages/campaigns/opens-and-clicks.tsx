import { SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import type { Series } from "../../parts/chart/scale.ts";
import { Problem } from "../../parts/states.tsx";
import { clock } from "../../parts/time.ts";
import type { Counts } from "./counts.ts";
import { beforeOf, levelsOf, type Times, unitSince } from "./over-time.ts";

const HOURS = 48;
const SERIES: readonly Series[] = [
  { name: "opened", label: "people who opened", tone: "c1" },
  { name: "clicked", label: "people who clicked", tone: "c2" },
];
const SPANS = [
  { value: "48", label: `${HOURS} hours` },
  { value: "all", label: "All" },
];

const useTimes = (team: string, campaignId: string | undefined, unit: Times["unit"]) =>
  useQuery({
    queryKey: ["email", team, "campaign", campaignId, "series", unit],
    queryFn: ({ signal }) => api.email.statistics.series({ team, campaignId: campaignId ?? "", unit }, { signal }),
    enabled: campaignId !== undefined,
    placeholderData: keepPreviousData,
    ...LATER,
  });

type Props = { team: string; id: string; startedAt: string; previous: Counts["previous"] };

/** Levels over time, with those of the campaign before as a line. */
export const OpensAndClicks = ({ team, id, startedAt, previous }: Props) => {
  const [span, setSpan] = useState("48");
  const unit = span === "48" ? "hour" : unitSince(startedAt, clock());
  const query = useTimes(team, id, unit);
  const earlier = useTimes(team, previous?.id, unit).data;
  const columns = query.data ? levelsOf(query.data, span === "48" ? HOURS : undefined) : [];
  return (
    <>
      <Problem query={query} />
      <Chart
        title="Opens and clicks"
        kind="lines"
        size="main"
        columns={columns}
        series={SERIES}
        zone={query.data?.timeZone ?? "UTC"}
        total={<SegmentedControl size="xs" aria-label="Time" data={SPANS} value={span} onChange={setSpan} />}
        {...(previous && earlier?.unit === query.data?.unit && earlier
          ? { before: { label: `${previous.name}, opened`, values: beforeOf(earlier, columns.length) } }
          : {})}
      />
    </>
  );
};
