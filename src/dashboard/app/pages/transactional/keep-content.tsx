import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";

type Props = { team: string; id: string };
type Kept = Awaited<ReturnType<typeof api.email.transactionalEmails.kept>>;

const keyOf = ({ team, id }: Props) => ["email", team, "kept-content", id];

/** Shows and changes for how many days the content of mails is kept. */
export const KeepContent = (props: Props) => {
  const { team, id } = props;
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "transactionalEmails.keep" });
  const query = useQuery({
    queryKey: keyOf(props),
    queryFn: ({ signal }) => api.email.transactionalEmails.kept({ team, transactionalId: id }, { signal }),
    enabled: opened,
  });
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()}>
        Keep content
      </Button>
      <Dialog opened={opened} onClose={close} title="Keep the content of its mails">
        <Answer query={query} rows={2}>
          {(kept) => <Form {...props} kept={kept} onClose={close} />}
        </Answer>
      </Dialog>
    </>
  );
};

const Form = ({ kept, onClose, ...props }: Props & { kept: Kept; onClose: () => void }) => {
  const { team, id } = props;
  const queries = useQueryClient();
  const [days, setDays] = useState(String(kept.keepDays));
  const fields = { team, transactionalId: id, keepDays: days.trim() === "" ? Number.NaN : Number(days) };
  const save = useAct({
    mutationFn: () => api.email.transactionalEmails.keep(fields),
    onSuccess: (saved) => {
      queries.setQueryData(keyOf(props), saved);
      toast(saved.keepDays === 0 ? "No content is kept." : `Content is kept for ${counted(saved.keepDays, "day")}.`);
      onClose();
    },
  });
  useBusy(save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const oneTime = kept.oneTimeVariables.join(", ");
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        <Text size="sm">
          {oneTime === ""
            ? "The page of a mail shows it with its values for so long. Who is erased is erased here too."
            : `Its mail has ${oneTime}, which may let a person in, or work once. Such mail is never kept.`}
        </Text>
        <TextInput
          label="Days"
          description="0 to 30, from when the mail is accepted. 0: values are erased once a mail has a result."
          inputMode="numeric"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "transactionalEmails.keep", fields }} />
          <Button type="submit" loading={save.isPending} disabled={!Number.isInteger(fields.keepDays)}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
