import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Role } from "../../../../lib/contract/access.ts";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { Dialog, ShownOnce, useBusy } from "../../parts/dialog.tsx";
import { address, filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { namedOrigin } from "../../parts/passkeys/passkeys.ts";
import { Copyable } from "../../parts/states.tsx";
import type { Person } from "./queries.ts";
import { RoleField } from "./role.tsx";

export const Invite = () => {
  const { access, accessRole } = useAbout();
  return (
    <FormDialog
      opener="Invite a person"
      shortcut="n"
      title="Invite a person"
      draft="invite"
      first={{ name: "", role: "viewer" as Role }}
      check={{ name: access ? address : filled("Write the name or the address of the person") }}
      label="Invite"
      run={(fields) => api.dashboard.people.invite(fields)}
      after={(made, close) => <Made {...made} onClose={close} />}
      asked={(fields) => ({ api: "dashboard", name: "people.invite", fields })}
    >
      {(form) => (
        <>
          <TextInput
            label={access ? "Address" : "Name"}
            type={access ? "email" : "text"}
            description={
              access
                ? "The address with which Cloudflare Access knows the person: the role counts there too"
                : "A name or an address. It is in the audit, and cannot be changed"
            }
            maxLength={200}
            {...form.getInputProps("name")}
            data-autofocus
          />
          <RoleField {...form.getInputProps("role")} />
          {access && accessRole === null && (
            <Text size="sm">
              From the first entry on, Cloudflare Access lets in only people who are in this list. You get an entry too.
            </Text>
          )}
        </>
      )}
    </FormDialog>
  );
};

/** The link is shown only once. */
const Made = ({ name, invite, onClose }: { name: string; invite: string; onClose: () => void }) => (
  <ShownOnce onClose={onClose}>
    <Text size="sm">
      Send this link to {name} yourself, by a way that only {name} reads. It is good once, for 24 hours, and is not
      shown again.
    </Text>
    <Copyable text={`${namedOrigin(location)}/#invite=${invite}`} label="Copy the link" />
  </ShownOnce>
);

export const NewLink = ({ person }: { person: Person }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "dashboard", name: "people.inviteAgain" });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`New link for ${person.name}`}
        {...off(denied)}
        onClick={() => denied === undefined && open()}
      >
        New link
      </Button>
      <Dialog opened={opened} onClose={close} title={`New link for ${person.name}`} closeOnClickOutside={false}>
        <Again person={person} onClose={close} />
      </Dialog>
    </>
  );
};

const Again = ({ person: { id, name }, onClose }: { person: Person; onClose: () => void }) => {
  const make = useAct({ mutationFn: () => api.dashboard.people.inviteAgain({ personId: id }) });
  useBusy(make.isPending);
  if (make.data) return <Made {...make.data} onClose={onClose} />;
  return (
    <Stack gap="sm">
      {make.error && <Refused error={make.error} onProved={() => make.mutate()} />}
      <Text size="sm">
        With it {name} makes one more passkey, and logs in. A link of before ends. Passkeys that are lost stay until you
        revoke them.
      </Text>
      <Group justify="space-between">
        <CopyAs asked={{ api: "dashboard", name: "people.inviteAgain", fields: { personId: id } }} />
        <Button onClick={() => make.mutate()} loading={make.isPending} data-autofocus>
          Make the link
        </Button>
      </Group>
    </Stack>
  );
};
