import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";

export const NewCampaign = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "campaigns.create" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        New campaign
      </Button>
      <Dialog opened={opened} onClose={close} title="New campaign">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [name, setName, clear] = useDraft(`new campaign ${team.id}`, "");
  const navigate = useNavigate();
  const fields = { name: name.trim() };
  const create = useAct({
    mutationFn: () => team.v1.campaigns.create(fields),
    onSuccess: ({ id }) => {
      clear();
      toast(`${fields.name} is a draft. Nothing is sent until you send or schedule it.`);
      onClose();
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: id } });
    },
  });
  useBusy(create.isPending);
  const wrong = create.error instanceof RequestError && create.error.path === "name" ? create.error.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {create.error && wrong === undefined && <Refused error={create.error} onProved={() => create.mutate()} />}
        <TextInput
          label="Name"
          description="Of its page and its lists. Its recipients do not see it"
          required
          maxLength={255}
          value={name}
          error={wrong}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "campaigns.create", fields }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
