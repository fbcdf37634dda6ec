import { SimpleGrid } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useAbout } from "../../api/use-about.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { Verdict } from "../../parts/cards/cards.tsx";
import { Chart } from "../../parts/chart/chart.tsx";
import { spanOf } from "../../parts/chart/columns.ts";
import type { Series } from "../../parts/chart/scale.ts";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { useZone } from "../../team/use-zone.ts";
import { sendColumns } from "./columns.ts";
import { Flow } from "./flow.tsx";
import { Latest } from "./latest.tsx";
import { NeedsYou } from "./needs-list.tsx";
import { useSends } from "./sends.ts";
import { FirstSteps } from "./steps.tsx";
import { useFirstTeam } from "./team.ts";
import { useNeeds } from "./use-needs.ts";

export const Overview = () => {
  const { bridge } = useAbout();
  const team = useFirstTeam();
  const zone = useZone(team);
  const navigate = useNavigate();
  const { needs, verdict } = useNeeds();
  return (
    <Page
      title="Overview"
      head={
        <Verdict tone={verdict.tone} title={verdict.title}>
          {verdict.text}
        </Verdict>
      }
    >
      <Flow />
      {needs.length === 0 && <FirstSteps />}
      <NeedsYou needs={needs} />
      {needs.length > 0 && <FirstSteps />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {bridge !== null && (
          <ActivityOf
            title="Webhooks by the hour"
            shows="webhooks"
            zone={zone}
            onSelect={(range) => void navigate({ to: "/webhooks", search: range })}
          />
        )}
        {team !== undefined && <Sends team={team} />}
      </SimpleGrid>
      <Latest team={team} />
    </Page>
  );
};

const MAILS: readonly Series[] = [
  { name: "sent", label: "sent", tone: "c1" },
  { name: "waiting", label: "waiting or unknown", tone: "c-quiet" },
  { name: "failed", label: "not sent, failed, bounced or complained of", tone: "c-bad" },
];

const Sends = ({ team }: { team: string }) => {
  const query = useSends(team);
  const zone = useZone(team);
  return (
    <Answer query={query} rows={2}>
      {({ sends }) => (
        <Chart
          title="Mails by the hour"
          columns={sendColumns(sends, spanOf({}, query.dataUpdatedAt, zone))}
          zone={zone}
          series={MAILS}
        />
      )}
    </Answer>
  );
};
