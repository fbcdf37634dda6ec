import { Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";

export const AddDomain = ({ team }: { team: string }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "domains.create" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        New domain
      </Button>
      <Dialog opened={opened} onClose={close} title="New domain">
        <Form team={team} />
      </Dialog>
    </>
  );
};

type Draft = { name: string; isDefault: boolean; warmup: boolean };
const EMPTY: Draft = { name: "", isDefault: false, warmup: true };

const Form = ({ team }: { team: string }) => {
  const navigate = useNavigate();
  const [draft, setDraft, clear] = useDraft<Draft>(`domain ${team}`, EMPTY);
  const fields = { team, ...draft, name: draft.name.trim() };
  const add = useAct({
    mutationFn: () => api.email.domains.create(fields),
    onSuccess: ({ id, name }) => {
      clear();
      toast(`${name} is added. Enter its records at your DNS provider.`);
      void navigate({ to: "/settings/domains/$domainId", params: { domainId: id } });
    },
  });
  useBusy(add.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  const isWrong = add.error instanceof RequestError && add.error.path === "name";
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {add.error && <Refused error={add.error} onProved={() => add.mutate()} />}
        <TextInput
          label="Name"
          description="Such as mail.example.com. A subdomain keeps its reputation apart from that of your company's mail"
          required
          maxLength={300}
          value={draft.name}
          error={isWrong}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          data-autofocus
        />
        <Switch
          label="It has sent mail before: no warm-up"
          description="Else few marketing mails of a day leave at first, and more each day for two weeks"
          checked={!draft.warmup}
          onChange={(event) => setDraft({ ...draft, warmup: !event.currentTarget.checked })}
        />
        <Switch
          label="Make it the default"
          description="The From address of all mail has the default domain. The first domain is it anyway"
          checked={draft.isDefault}
          onChange={(event) => setDraft({ ...draft, isDefault: event.currentTarget.checked })}
        />
        <Group justify="space-between">
          <CopyAs
            asked={{ api: "email", name: "domains.create", fields }}
            command={{
              name: "domains",
              args: ["add", fields.name || "mail.example.com"],
              options: ["--team", team],
            }}
          />
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
