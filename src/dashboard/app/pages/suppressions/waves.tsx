import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { Time } from "../../parts/text.tsx";
import { WaveActs } from "../../parts/waves/wave-acts.tsx";

/** Waves of the newest page without a decision. */
export const Waves = ({ team }: { team: string }) => {
  const { data } = useQuery({
    queryKey: ["email", team, "waves"],
    queryFn: ({ signal }) => api.email.waves.list({ team, perPage: "50" }, { signal }),
  });
  const open = data?.data.filter(({ decision }) => decision === null) ?? [];
  return open.map((wave) => (
    <Alert key={wave.id} variant="light" color="orange" title="A wave waits for your decision">
      <Stack gap="xs">
        <Text size="sm" className="wrap">
          <Time at={wave.since} />: {wave.meaning}
        </Text>
        {wave.campaigns.map(({ id, name }) => (
          <Text key={id} size="sm">
            It holds{" "}
            <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
              {name}
            </Link>
            .
          </Text>
        ))}
        <WaveActs team={team} wave={wave} />
      </Stack>
    </Alert>
  ));
};
