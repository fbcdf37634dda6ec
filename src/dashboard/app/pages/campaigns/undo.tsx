import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useReducer } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import { clock } from "../../parts/time.ts";
import { type Status, secondsToStart } from "./state.ts";

const TICK = 500;

/** Uses service time, so all tabs agree. */
const useSecondsToStart = (status: Status): number | undefined => {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const seconds = secondsToStart(status, clock());
  const isCounting = seconds !== undefined;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(draw, TICK);
    return () => clearInterval(timer);
  }, [isCounting]);
  return seconds;
};

/** Undo without a confirmation, because time is short. */
export const Undo = ({ team, status }: { team: string; status: Status }) => {
  const seconds = useSecondsToStart(status);
  const undo = useAct({
    mutationFn: () => api.email.campaigns.unschedule({ team, campaignId: status.id }),
    onSuccess: () => toast(`${status.name} is a draft again. Nothing was sent.`),
  });
  const denied = useDenied({ api: "email", name: "campaigns.unschedule" });
  const isLate = undo.error instanceof RequestError && undo.error.code === "campaign_not_scheduled";
  if (undo.error && isLate) return <TooLate text={undo.error.message} />;
  if (seconds === undefined) return undo.error ? <Refused error={undo.error} /> : null;
  return (
    <Note icon="clock" title="It is about to be sent">
      <Stack gap="xs">
        <Group gap="md">
          <Text size="sm" role="timer">
            {seconds > 0 ? `Begins in ${seconds} s` : "Begins now …"}
          </Text>
          <Button
            size="xs"
            {...off(denied)}
            onClick={() => denied === undefined && undo.mutate()}
            loading={undo.isPending}
          >
            Undo
          </Button>
          <Text size="sm">Undo makes it a draft again. Nothing of it was sent.</Text>
        </Group>
        {undo.error && <Refused error={undo.error} onProved={() => undo.mutate()} />}
      </Stack>
    </Note>
  );
};

const TooLate = ({ text }: { text: string }) => (
  <Note tone="warn" title="Undo came too late, and changed nothing">
    <span>{text} A mail that has left cannot be taken back.</span>
  </Note>
);
