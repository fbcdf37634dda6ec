import { Alert, Button, Group, Text } from "@mantine/core";
import { wasDoneBefore } from "../../../api/client.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { isStale } from "./change.ts";

/** Explains a refused change, such as a concurrent edit. */
export const ChangeRefused = ({ error, onAgain }: { error: Error; onAgain: () => void }) =>
  isStale(error) && !wasDoneBefore(error) ? (
    <Alert color="orange" title="Somebody else has changed this workflow meanwhile" role="alert">
      <Text size="sm">
        Nothing was changed by you. The page shows the workflow as it is now, and what you typed is still here. Look at
        it, then do it again.
      </Text>
    </Alert>
  ) : (
    <Refused error={error} onProved={onAgain} />
  );

/** Asks about typed text after a concurrent edit. */
export const Conflict = ({ onKeep, onTake }: { onKeep: () => void; onTake: () => void }) => (
  <Alert color="orange" title="Somebody else has changed this step since you began" role="alert">
    <Text size="sm">
      The fields have what you typed, which is not saved. Keep it to save it over theirs, or take what they saved.
    </Text>
    <Group gap="xs" mt="xs">
      <Button size="xs" onClick={onKeep}>
        Keep mine
      </Button>
      <Button size="xs" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </Group>
  </Alert>
);
