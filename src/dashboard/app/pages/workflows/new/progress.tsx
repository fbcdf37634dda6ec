import { Progress, Stack, Text } from "@mantine/core";
import type { Piece } from "./pieces.ts";

export const BuildProgress = ({ pieces }: { pieces: readonly Piece[] }) => {
  const done = pieces.filter(({ isDone }) => isDone).length;
  return (
    <Stack gap="xs" role="status">
      <Progress value={(100 * done) / Math.max(1, pieces.length)} aria-label="Progress" />
      <Text size="sm">
        {done} of {pieces.length} parts are made
      </Text>
    </Stack>
  );
};
