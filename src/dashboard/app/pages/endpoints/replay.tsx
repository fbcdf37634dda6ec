import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { useBusy } from "../../parts/dialog.tsx";
import { DialogButton } from "../../parts/form/dialog-button.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Loading } from "../../parts/states.tsx";
import { replayFields, replayInWords, type Span } from "./endpoint-words.ts";

type Given = Parameters<typeof api.email.webhooks.replay>[0];

/** Delivers failed events or a time span again, after a dry run. */
export const ReplayButton = ({ team, webhookId }: { team: string; webhookId: string }) => (
  <DialogButton opener="Replay" title="Deliver events again">
    {(close) => <Form team={team} webhookId={webhookId} onClose={close} />}
  </DialogButton>
);

const Form = ({ team, webhookId, onClose }: { team: string; webhookId: string; onClose: () => void }) => {
  const [span, setSpan] = useState<Span>({ what: "failed", since: "", until: "" });
  const chosen = replayFields(span);
  const fields = { team, webhookId, ...chosen };
  const count = useQuery({
    queryKey: ["replay", team, webhookId, chosen],
    queryFn: () => api.email.webhooks.replay({ ...fields, dryRun: true } as Given),
    enabled: chosen !== undefined,
    gcTime: 0,
    retry: false,
  });
  const run = useAct({
    mutationFn: () => api.email.webhooks.replay({ ...fields, dryRun: false } as Given),
    onSuccess: ({ events }) => {
      toast(`${counted(events, "event")} ${events === 1 ? "is" : "are"} delivered again.`);
      onClose();
    },
  });
  useBusy(run.isPending);
  const events = count.data?.events ?? 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (events > 0) run.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Radio.Group
          label="Events"
          value={span.what}
          onChange={(what) => setSpan({ ...span, what: what === "span" ? "span" : "failed" })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="failed" label="Those that were given up" />
            <Radio value="span" label="All of a time, also those from before it was added or while it was disabled" />
          </Stack>
        </Radio.Group>
        {span.what === "span" && (
          <Group grow>
            <TextInput
              label="From"
              type="datetime-local"
              value={span.since}
              onChange={(event) => setSpan({ ...span, since: event.currentTarget.value })}
            />
            <TextInput
              label="Until (empty: now)"
              type="datetime-local"
              value={span.until}
              onChange={(event) => setSpan({ ...span, until: event.currentTarget.value })}
            />
          </Group>
        )}
        {count.isLoading && <Loading rows={1} />}
        {count.error && <Refused error={count.error} onProved={() => void count.refetch()} />}
        {run.error && <Refused error={run.error} onProved={() => run.mutate()} />}
        <Text size="sm" role="status">
          {count.data ? replayInWords(events) : chosen === undefined ? "Say from when on." : ""}
        </Text>
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "webhooks.replay", fields: { ...fields, dryRun: true } }} />
          <Button type="submit" loading={run.isPending} disabled={!count.data || events === 0}>
            {events > 0 ? `Replay ${counted(events, "event")}` : "Replay"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
