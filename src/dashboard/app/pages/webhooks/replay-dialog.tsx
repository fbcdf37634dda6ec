import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import type { Action } from "../../parts/ledger/types.ts";
import { Loading } from "../../parts/states.tsx";
import { Actions, Plan } from "../replay/plan.tsx";

/** Runs today's rules on one webhook after a preview. */
export const ReplayDialog = ({
  webhookId,
  opened,
  onClose,
}: {
  webhookId: string;
  opened: boolean;
  onClose: () => void;
}) => (
  <Dialog opened={opened} onClose={onClose} title="Replay this webhook">
    {opened && <Replaying webhookId={webhookId} onClose={onClose} />}
  </Dialog>
);

const Replaying = ({ webhookId, onClose }: { webhookId: string; onClose: () => void }) => {
  const [actions, setActions] = useState<string[]>(["contact"]);
  const replay = async (dryRun: boolean) =>
    api.bridge.webhooks.replay({ webhookId, dryRun, actions: actions as Action[] });
  const plan = useQuery({
    queryKey: ["bridge", "replay", webhookId, actions],
    queryFn: () => replay(true),
    enabled: actions.length > 0,
    retry: false,
    staleTime: "static",
    gcTime: 0,
  });
  const run = useAct({
    mutationFn: () => replay(false),
    onSuccess: ({ deliveries }) => {
      toast(`Replayed: ${counted(deliveries, "delivery")} made.`);
      onClose();
    },
  });
  useBusy(run.isPending);
  const fields = { webhookId, dryRun: false, actions };
  return (
    <Stack gap="sm">
      <Actions value={actions} onChange={setActions} />
      {plan.isFetching && <Loading rows={3} />}
      {plan.error && <Refused error={plan.error} />}
      {plan.data && actions.length > 0 && <Plan plan={plan.data} isDone={false} />}
      {run.error && <Refused error={run.error} onProved={() => run.mutate()} />}
      <Group justify="space-between">
        <CopyAs
          asked={{ api: "bridge", name: "webhooks.replay", fields }}
          command={{ name: "act", args: ["replay", webhookId], options: ["--actions", actions.join(","), "--yes"] }}
        />
        <Group gap="xs">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            Cancel
          </Button>
          <Button
            onClick={() => run.mutate()}
            loading={run.isPending}
            disabled={actions.length === 0 || !plan.data || plan.data.deliveries === 0}
          >
            Replay
          </Button>
        </Group>
      </Group>
    </Stack>
  );
};
