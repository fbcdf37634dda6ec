import { Badge, Group, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { type Column, Second } from "../../parts/list/list-table.tsx";
import { Time } from "../../parts/text.tsx";
import { NewLink } from "./invite.tsx";
import { Passkeys } from "./passkeys.tsx";
import type { Person } from "./queries.ts";
import { ChangeRole } from "./role.tsx";

export const PEOPLE: readonly Column<Person>[] = [
  {
    title: "Name",
    cell: ({ name, isMe, invitedBy, createdAt }) => (
      <>
        {name}
        {isMe && " (you)"}
        <Second>
          Invited by {invitedBy}, <Time at={createdAt} />
        </Second>
      </>
    ),
  },
  { title: "Role", cell: ({ role }) => <Badge>{role}</Badge>, onPhone: "beside" },
  { title: "Logs in with", cell: (person) => <With person={person} /> },
  {
    title: "Last seen",
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? "never" : <Time at={lastSeenAt} />),
    onPhone: "named",
  },
  {
    title: "Acts",
    cell: (person) => (
      <Group gap="xs">
        <ChangeRole person={person} />
        <NewLink person={person} />
        <Remove person={person} />
      </Group>
    ),
  },
];

const With = ({ person }: { person: Person }) => {
  const { access } = useAbout();
  const { passkeys, recoveryCodes, invitedUntil, name, isMe } = person;
  return (
    <>
      {passkeys !== null && passkeys.length > 0 && !isMe && <Passkeys passkeys={passkeys} of={name} />}
      {passkeys !== null && passkeys.length > 0 && isMe && <Text size="sm">{countOf(passkeys.length, "passkey")}</Text>}
      {recoveryCodes !== null && recoveryCodes > 0 && <Text size="sm">{countOf(recoveryCodes, "recovery code")}</Text>}
      {access && name.includes("@") && <Text size="sm">Cloudflare Access</Text>}
      {invitedUntil !== null && (
        <Text size="sm">
          a link that ends <Time at={invitedUntil} />
        </Text>
      )}
      {passkeys?.length === 0 && invitedUntil === null && (
        <Text size="sm" c="dimmed">
          no passkey, and no link that is good
        </Text>
      )}
    </>
  );
};

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const Remove = ({ person: { id, name, isMe } }: { person: Person }) => {
  const { access, accessRole } = useAbout();
  return (
    <ActButton
      color="red"
      variant="outline"
      aria-label={`Remove ${name}`}
      act={{
        title: `Remove ${name}?`,
        label: "Remove",
        color: "red",
        word: "remove",
        effect: () => ({
          text: [
            `${isMe ? "You are" : `${name} is`} logged out everywhere, at once. Passkeys and recovery codes are deleted.`,
            `Links that ${isMe ? "you" : name} made for others, and that were not used yet, end.`,
            "The audit keeps what was done.",
            ...(access && name.includes("@")
              ? [
                  accessRole === null
                    ? "Cloudflare Access alone does not let this address in again."
                    : `Cloudflare Access still lets this address in, with the role ${accessRole} (ACCESS_ROLE): end it there.`,
                ]
              : []),
          ].join(" "),
        }),
        run: () => api.dashboard.people.remove({ personId: id }),
        done: () => `${name} is removed.`,
        asked: { api: "dashboard", name: "people.remove", fields: { personId: id } },
      }}
    >
      Remove
    </ActButton>
  );
};
