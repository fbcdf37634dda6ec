import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Chart } from "../chart/chart.tsx";
import { askedStep, columnsOf, type Span, spanOf } from "../chart/columns.ts";
import type { Series } from "../chart/scale.ts";
import { Answer } from "../states.tsx";

type Row = Awaited<ReturnType<typeof api.bridge.activity.list>>["data"][number];

const SERIES: Readonly<Record<"webhooks" | "deliveries", readonly Series[]>> = {
  webhooks: [
    { name: "accepted", label: "accepted", tone: "c1" },
    { name: "duplicate", label: "duplicates", tone: "c-quiet" },
    { name: "refused", label: "refused", tone: "c-bad" },
  ],
  deliveries: [
    { name: "done", label: "done", tone: "c1" },
    { name: "other", label: "skipped or replaced", tone: "c-quiet" },
    { name: "failed", label: "failed or needing a decision", tone: "c-bad" },
  ],
};

const countsOf = ({ accepted, duplicate, refused, done, failed, undecided, skipped, replaced }: Row) => ({
  accepted,
  duplicate,
  refused,
  done,
  other: skipped + replaced,
  failed: failed + undecided,
});

const ANSWERS = 8;

/** One answer has a bounded number of rows. */
const read = async (span: Span, source: string | undefined, signal: AbortSignal): Promise<Row[]> => {
  const rows: Row[] = [];
  let until: string | null = new Date(span.until).toISOString();
  for (let answers = 0; until !== null && answers < ANSWERS; answers++) {
    const asked = { since: new Date(span.since).toISOString(), until, step: askedStep(span), source };
    const answer: { data: Row[]; next: string | null } = await api.bridge.activity.list(asked, { signal });
    rows.push(...answer.data);
    until = answer.next;
  }
  return rows;
};

/** Webhooks or deliveries over time, by default the last 24 hours, in the team's time zone. */
export const ActivityOf = ({
  title,
  shows,
  zone,
  source,
  time = {},
  size,
  onSelect,
}: {
  title: string;
  shows: "webhooks" | "deliveries";
  zone: string;
  source?: string | undefined;
  time?: { since?: string; until?: string };
  size?: "list" | "card";
  onSelect?: (range: { since: string; until: string }) => void;
}) => {
  const query = useQuery({
    queryKey: ["bridge", "activity", time.since, time.until, source, zone],
    queryFn: async ({ signal }) => {
      const span = spanOf(time, Date.now(), zone);
      const rows = await read(span, source, signal);
      return columnsOf(
        rows.map((row) => ({ at: Date.parse(row.at), counts: countsOf(row) })),
        span,
      );
    },
    // Keeps the bars and their focus during a new query.
    placeholderData: keepPreviousData,
    ...LATER,
  });
  return (
    <Answer query={query} rows={2}>
      {(columns) => (
        <Chart title={title} columns={columns} series={SERIES[shows]} zone={zone} size={size} onSelect={onSelect} />
      )}
    </Answer>
  );
};
