import { Checkbox, Group, Stack, Text } from "@mantine/core";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { Answer } from "../../parts/states.tsx";
import type { Team } from "../../team/team.tsx";
import { type Contact, useLists } from "./queries.ts";

export const ListsOf = ({ team, contact }: { team: Team; contact: Contact }) => {
  const query = useLists(team);
  const { email, userId } = contact;
  const named = email ? { email } : { userId: userId ?? "" };
  const change = useAct({
    stays: true,
    mutationFn: (fields: Record<string, unknown>) => team.v1.contacts.update({ ...named, ...fields }),
  });
  const on = contact.mailingLists as Record<string, boolean>;
  return (
    <Stack gap="xs">
      {change.error && <Refused error={change.error} onProved={() => change.reset()} />}
      <Checkbox
        label="Gets marketing mail at all"
        checked={contact.subscribed === true}
        disabled={change.isPending}
        onChange={({ currentTarget: { checked } }) => change.mutate({ subscribed: checked })}
      />
      <Answer query={query}>
        {(lists) => (
          <>
            {lists.length === 0 && <Text size="sm">This team has no mailing list.</Text>}
            {lists.map(({ id, name, isArchived }) => (
              <Checkbox
                key={id}
                label={isArchived ? `${name} (archived)` : name}
                checked={on[id] === true}
                disabled={change.isPending || (isArchived && on[id] !== true)}
                onChange={({ currentTarget: { checked } }) => change.mutate({ mailingLists: { [id]: checked } })}
              />
            ))}
          </>
        )}
      </Answer>
      <Group>
        <CopyAs
          asked={{
            api: "v1",
            name: "contacts.update",
            fields: { ...named, subscribed: contact.subscribed, mailingLists: on },
          }}
        />
      </Group>
    </Stack>
  );
};
