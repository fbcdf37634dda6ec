import { Text, TextInput } from "@mantine/core";
import type { Role } from "../../../../lib/contract/access.ts";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { ShownOnce } from "../../parts/dialog.tsx";
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

export const NewLink = ({ person: { id, name } }: { person: Person }) => (
  <FormDialog
    opener="New link"
    openerProps={{ variant: "default", size: "xs", "aria-label": `New link for ${name}` }}
    title={`New link for ${name}`}
    first={{}}
    label="Make the link"
    run={() => api.dashboard.people.inviteAgain({ personId: id })}
    after={(made, close) => <Made {...made} onClose={close} />}
    asked={() => ({ api: "dashboard", name: "people.inviteAgain", fields: { personId: id } })}
  >
    {() => (
      <Text size="sm">
        With it {name} makes one more passkey, and logs in. A link of before ends. Passkeys that are lost stay until you
        revoke them.
      </Text>
    )}
  </FormDialog>
);
