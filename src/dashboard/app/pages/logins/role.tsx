import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import type { Role } from "../../../../lib/contract/access.ts";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { ROLE_NAMES, ROLES } from "../../parts/passkeys/roles.ts";
import type { Person } from "./queries.ts";

export const RoleField = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
    <Stack gap="xs" mt={4}>
      {ROLE_NAMES.map((role) => (
        <Radio key={role} value={role} label={role} description={ROLES[role]} />
      ))}
    </Stack>
  </Radio.Group>
);

export const ChangeRole = ({ person }: { person: Person }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "dashboard", name: "people.update" });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Change role of ${person.name}`}
        {...off(denied)}
        onClick={() => denied === undefined && open()}
      >
        Change role
      </Button>
      <Dialog opened={opened} onClose={close} title={`Role of ${person.name}`}>
        <Form person={person} onDone={close} />
      </Dialog>
    </>
  );
};

const Form = ({ person: { id, name, role: before, isMe }, onDone }: { person: Person; onDone: () => void }) => {
  const [role, setRole] = useState(before);
  const change = useAct({
    mutationFn: () => api.dashboard.people.update({ personId: id, role }),
    onSuccess: () => {
      toast(`${name} has the role ${role} now.`);
      onDone();
    },
  });
  useBusy(change.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {change.error && <Refused error={change.error} onProved={() => change.mutate()} />}
        <RoleField value={role} onChange={setRole} />
        <Text size="sm">
          {isMe && role !== before
            ? "It counts from your next request on: another owner, or the admin token, can give your role back."
            : "It counts from the next request on, also where the person is logged in."}
          {before === "owner" && role !== "owner"
            ? " Links that this person made, and that were not used yet, end."
            : ""}
        </Text>
        <Group justify="space-between">
          <CopyAs asked={{ api: "dashboard", name: "people.update", fields: { personId: id, role } }} />
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
