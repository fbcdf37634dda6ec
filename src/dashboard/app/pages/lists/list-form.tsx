import { Button, Fieldset, Group, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";

type Given = { id: string; name: string; description: string; visibility: "public" | "private" };

export const ListButton = ({ team, list, children }: { team: string; list?: Given; children: string }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: list ? "lists.update" : "lists.create" });
  return (
    <>
      <Button
        size="xs"
        variant={list ? "default" : "filled"}
        {...off(denied)}
        onClick={() => denied === undefined && open()}
        aria-label={list && `Edit ${list.name}`}
        data-key={list ? undefined : "n"}
      >
        {children}
      </Button>
      <Dialog opened={opened} onClose={close} title={list?.name ?? "New list"}>
        <Form team={team} list={list} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, list, onClose }: { team: string; list: Given | undefined; onClose: () => void }) => {
  const [name, setName] = useState(list?.name ?? "");
  const [description, setDescription] = useState(list?.description ?? "");
  const [isPublic, setPublic] = useState(list?.visibility === "public");
  const fields = { team, name, description, visibility: isPublic ? ("public" as const) : ("private" as const) };
  const asked = list
    ? { name: "lists.update", fields: { ...fields, listId: list.id } }
    : { name: "lists.create", fields };
  const save = useAct({
    mutationFn: () => (list ? api.email.lists.update({ ...fields, listId: list.id }) : api.email.lists.create(fields)),
    onSuccess: () => {
      toast(list ? "The list is changed." : "The list is created.");
      onClose();
    },
  });
  useBusy(save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      {/* The save closes the dialog and would lose newer text. */}
      <Fieldset variant="unstyled" p={0} disabled={save.isPending}>
        <Stack gap="sm">
          {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Textarea
            label="Description"
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Switch
            label="Public: people see it on the page where they choose their mail"
            checked={isPublic}
            onChange={(event) => setPublic(event.currentTarget.checked)}
          />
          <Group justify="space-between">
            <CopyAs asked={{ api: "email", ...asked }} />
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
};
