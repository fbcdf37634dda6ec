import { Button, Group, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { Dialog } from "../../parts/dialog.tsx";

/** Asks before unsaved changes are lost. */
export const LeaveGuard = ({ isChanged }: { isChanged: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  const isAsked = blocker.status === "blocked";
  return (
    <Dialog opened={isAsked} onClose={() => blocker.reset?.()} title="Leave with changes that are not saved?">
      <Stack gap="sm">
        <Text size="sm">They stay in this tab: open the message here again, and they are there.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
