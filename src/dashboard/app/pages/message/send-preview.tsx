import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";
import type { Editing } from "./editing.ts";
import { requestValues, type Value } from "./preview/filled.ts";

type Props = { team: Team; id: string; editing: Editing; values: readonly Value[] };

export const SendPreview = ({ opened, onClose, ...props }: Props & { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Send a preview">
    {opened && <Form {...props} onClose={onClose} />}
  </Dialog>
);

const Form = ({ team, id, editing, values, onClose }: Props & { onClose: () => void }) => {
  const [to, setTo] = useDraft("preview", "");
  const fields = { emailMessageId: id, emails: [to.trim()], ...requestValues(values) };
  const missing = values.filter(({ from }) => from === "missing").map(({ name }) => name);
  const send = useAct({
    mutationFn: async () => {
      if (editing.isChanged) await editing.save.mutateAsync();
      return team.v1.emailMessages.preview(fields as Parameters<Team["v1"]["emailMessages"]["preview"]>[0]);
    },
    onSuccess: ({ sends }) => {
      const isSuppressed = sends.some(({ state }) => state === "not_sent");
      if (isSuppressed) toast("It is not sent: the address is suppressed.", "red");
      else toast(`The preview is on its way to ${to.trim()}.`);
      onClose();
    },
  });
  useBusy(send.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to.trim() !== "") send.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {send.error && <Refused error={send.error} onProved={() => send.mutate()} />}
        {editing.isChanged && <Text size="sm">Your changes are saved first: what is sent is what is saved.</Text>}
        {missing.length > 0 && (
          <Text size="sm">
            There is no value for {missing.join(", ")}. Give {missing.length === 1 ? "it" : "them"} in the preview, or
            it is refused.
          </Text>
        )}
        <TextInput
          label="To"
          placeholder="you@example.com"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          error={send.error instanceof RequestError && send.error.path === "emails" ? send.error.message : undefined}
          autoComplete="email"
          data-autofocus
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "emailMessages.preview", fields }} />
          <Group gap="xs">
            <Button variant="default" onClick={onClose} disabled={send.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={send.isPending} disabled={to.trim() === ""}>
              {editing.isChanged ? "Save and send" : "Send"}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
};
