import { Radio, Stack, Text } from "@mantine/core";
import type { Role } from "../../../../lib/contract/access.ts";
import { api } from "../../api/api.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { ROLE_NAMES, ROLES } from "../../parts/passkeys/roles.ts";
import type { Person } from "./queries.ts";

export const RoleField = ({ value, onChange }: { value?: Role; onChange?: (role: Role) => void }) => (
  <Radio.Group label="Role" value={value} onChange={(role) => onChange?.(role as Role)}>
    <Stack gap="xs" mt={4}>
      {ROLE_NAMES.map((role) => (
        <Radio key={role} value={role} label={role} description={ROLES[role]} />
      ))}
    </Stack>
  </Radio.Group>
);

export const ChangeRole = ({ person: { id, name, role: before, isMe } }: { person: Person }) => (
  <FormDialog<{ role: Role }, unknown>
    opener="Change role"
    openerProps={{ variant: "default", size: "xs", "aria-label": `Change role of ${name}` }}
    title={`Role of ${name}`}
    first={{ role: before }}
    label="Save"
    run={({ role }) => api.dashboard.people.update({ personId: id, role })}
    done={(_, { role }) => `${name} has the role ${role} now.`}
    asked={({ role }) => ({ api: "dashboard", name: "people.update", fields: { personId: id, role } })}
  >
    {(form) => {
      const { role } = form.getValues();
      return (
        <>
          <RoleField {...form.getInputProps("role")} />
          <Text size="sm">
            {isMe && role !== before
              ? "It counts from your next request on: another owner, or the admin token, can give your role back."
              : "It counts from the next request on, also where the person is logged in."}
            {before === "owner" && role !== "owner"
              ? " Links that this person made, and that were not used yet, end."
              : ""}
          </Text>
        </>
      );
    }}
  </FormDialog>
);
