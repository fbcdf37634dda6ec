import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";

type Property = { name: string; label: string; description: string };

export const DescribeButton = ({ team, property }: { team: string; property: Property }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "properties.update" });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...off(denied)}
        onClick={() => denied === undefined && open()}
        aria-label={`Describe ${property.name}`}
      >
        Describe
      </Button>
      <Dialog opened={opened} onClose={close} title={property.name}>
        <Form team={team} property={property} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, property, onClose }: { team: string; property: Property; onClose: () => void }) => {
  const [label, setLabel] = useState(property.label);
  const [description, setDescription] = useState(property.description);
  const fields = { team, name: property.name, label, description: description.trim() || null };
  const save = useAct({
    mutationFn: () => api.email.properties.update(fields),
    onSuccess: () => {
      toast(`${property.name} is changed.`);
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
      <Stack gap="sm">
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        <TextInput
          label="Label"
          required
          maxLength={100}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label="Description"
          description="What it is for, and who sets it"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "email", name: "properties.update", fields }} />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
