import { Button, Group, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEvent } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { EndpointFields } from "./endpoint-fields.tsx";
import { type Draft, EMPTY, fieldsOf, lacksEvents } from "./endpoint-words.ts";
import { Secret } from "./secret.tsx";

type Given = Parameters<typeof api.email.webhooks.create>[0];

export const NewEndpoint = ({ team }: { team: string }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "webhooks.create" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        New webhook
      </Button>
      <Dialog opened={opened} onClose={close} title="New webhook" size="lg" closeOnClickOutside={false}>
        <Make team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Make = ({ team, onClose }: { team: string; onClose: () => void }) => {
  const [draft, setDraft, clear] = useDraft<Draft>(`webhook ${team}`, EMPTY);
  const fields = { team, ...fieldsOf(draft) };
  const make = useAct({
    mutationFn: () => api.email.webhooks.create(fields as Given),
    onSuccess: clear,
  });
  // The secret is shown only once, so the dialog must stay open.
  useBusy(make.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!lacksEvents(draft)) make.mutate();
  };
  if (make.data) return <Secret secret={make.data.secret} onClose={onClose} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {make.error && <Refused error={make.error} onProved={() => make.mutate()} />}
        <EndpointFields
          draft={draft}
          wrong={make.error instanceof RequestError ? make.error.path : undefined}
          onChange={setDraft}
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "webhooks.create", fields }} />
          <Button type="submit" loading={make.isPending} disabled={lacksEvents(draft)}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
