import { SimpleGrid, Stack, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useAbout } from "../../api/use-about.ts";
import { ActivityOf } from "../../parts/activity/activity.tsx";
import { spanOf } from "../../parts/activity/columns.ts";
import { Histogram } from "../../parts/activity/histogram.tsx";
import { BAD, GOOD, GRAY } from "../../parts/activity/series.ts";
import { Page } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { useZone } from "../../team/use-zone.ts";
import { sendColumns } from "./columns.ts";
import { Halves } from "./halves.tsx";
import { LatestMails, LatestWebhooks } from "./latest.tsx";
import { NeedsYou } from "./needs.tsx";
import { useSends } from "./sends.ts";
import { SetUp } from "./setup.tsx";
import { useFirstTeam } from "./team.ts";

export const Overview = () => {
  const { bridge } = useAbout();
  const team = useFirstTeam();
  const zone = useZone(team);
  const navigate = useNavigate();
  return (
    <Page title="Overview">
      <SetUp />
      <Halves />
      <NeedsYou />
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
      {bridge !== null && <LatestWebhooks />}
      {bridge === null && team !== undefined && <LatestMails team={team} />}
    </Page>
  );
};

const MAILS = [
  { name: "sent", label: "sent", color: GOOD },
  { name: "waiting", label: "waiting or unknown", color: GRAY },
  { name: "failed", label: "not sent, failed, bounced or complained of", color: BAD },
];

const Sends = ({ team }: { team: string }) => {
  const query = useSends(team);
  const zone = useZone(team);
  return (
    <Stack gap="xs" component="section" aria-labelledby="sends">
      <Title id="sends" order={2} size="h4">
        Mails by the hour
      </Title>
      <Answer query={query} rows={2}>
        {({ sends }) => (
          <Histogram
            columns={sendColumns(sends, spanOf({}, query.dataUpdatedAt, zone))}
            zone={zone}
            series={MAILS}
            label="Mails"
          />
        )}
      </Answer>
    </Stack>
  );
};
