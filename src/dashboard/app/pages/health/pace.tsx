import { Group, Stack, Text, Title } from "@mantine/core";

const HEIGHT = 40;
const BAR = 6;

/** Requests to the email service per second for 60 seconds, with the limit. */
export const Pace = ({
  pace: { limit, last60, serviceRemaining },
}: {
  pace: { limit: number; last60: readonly number[]; serviceRemaining: number | null };
}) => {
  const most = Math.max(limit, ...last60);
  const bars = last60
    .map((count, second) => [second * BAR, (HEIGHT * count) / most] as const)
    .map(([x, height]) => `M${x} ${HEIGHT}v${-height}h${BAR - 1}v${height}z`)
    .join("");
  const sum = last60.reduce((total, count) => total + count, 0);
  return (
    <Stack gap="xs" component="section" aria-labelledby="pace">
      <Title id="pace" order={2} size="h4">
        Pace
      </Title>
      <Group gap="md">
        <svg
          width="100%"
          height={HEIGHT}
          viewBox={`0 0 ${last60.length * BAR} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${sum} requests in the last minute`}
        >
          <path d={bars} fill="currentColor" />
          <line x1={0} x2={last60.length * BAR} y1={HEIGHT} y2={HEIGHT} stroke="currentColor" />
        </svg>
        <Text size="sm">
          {sum} requests in the last 60 s, {last60.at(-1) ?? 0} in the last second. The limit is {limit} in a second.
          {serviceRemaining !== null && ` The email service's newest answer left ${serviceRemaining}.`}
        </Text>
      </Group>
    </Stack>
  );
};
