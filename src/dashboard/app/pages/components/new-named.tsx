import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { FormEvent, ReactNode } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import type { Asked } from "../../parts/acts/commands.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";

type Props<D extends { name: string }> = {
  noun: string;
  draftKey: string;
  first: D;
  about?: string;
  create: (draft: D) => Promise<{ id: string }>;
  begins?: string;
  asked: (draft: D) => Asked;
  onCreated: (id: string) => void;
  /** Additional fields. `wrong`: path of the refused field. */
  children?: (draft: D, change: (fields: Partial<D>) => void, wrong: string | undefined) => ReactNode;
};

/** Button and form for a named item. Typed text stays until creation. */
export const NewNamed = <D extends { name: string }>(props: Props<D>) => {
  const [opened, { open, close }] = useDisclosure();
  const title = `New ${props.noun}`;
  const denied = useDenied(props.asked(props.first));
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        {title}
      </Button>
      <Dialog opened={opened} onClose={close} title={title}>
        <Form {...props} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = <D extends { name: string }>({ onClose, ...props }: Props<D> & { onClose: () => void }) => {
  const [draft, setDraft, clear] = useDraft(props.draftKey, props.first);
  const change = (fields: Partial<D>) => setDraft({ ...draft, ...fields });
  const named = { ...draft, name: draft.name.trim() };
  const create = useAct({
    mutationFn: () => props.create(named),
    onSuccess: ({ id }) => {
      clear();
      toast(`${named.name} is created${props.begins === undefined ? "" : `, ${props.begins}`}.`);
      onClose();
      props.onCreated(id);
    },
  });
  useBusy(create.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {create.error && <Refused error={create.error} onProved={() => create.mutate()} />}
        <TextInput
          label="Name"
          description={props.about}
          required
          maxLength={100}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value } as Partial<D>)}
          data-autofocus
        />
        {props.children?.(draft, change, create.error instanceof RequestError ? create.error.path : undefined)}
        <Group justify="space-between">
          <CopyAs asked={props.asked(named)} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
