import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useEdits } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { changedSince } from "../../parts/acts/unsaved-fields.ts";
import { Answer } from "../../parts/states.tsx";
import type { Team } from "../../team/team.tsx";
import { type Contact, useProperties } from "./queries.ts";
import { changesIn, editable, type Property, textOf } from "./values.ts";

const HINTS: Readonly<Record<Property["type"], string | undefined>> = {
  string: undefined,
  number: "a number",
  boolean: "true or false",
  date: "2026-01-31 or 2026-01-31T12:00:00Z",
};

/** Edits all properties. Empty text clears one. `edits`: when increased, the first field gets the focus. */
export const Properties = ({ team, contact, edits }: { team: Team; contact: Contact; edits: number }) => {
  const query = useProperties(team);
  return (
    <Stack>
      <Answer query={query}>
        {(found) => <Form team={team} contact={contact} edits={edits} properties={editable(found)} />}
      </Answer>
    </Stack>
  );
};

const Form = ({
  team,
  contact,
  properties,
  edits,
}: {
  team: Team;
  contact: Contact;
  properties: Property[];
  edits: number;
}) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (edits > 0) form.current?.querySelector("input")?.focus();
  }, [edits]);
  const { kept: texts, keep: setTexts, undo, saved } = useEdits<Record<string, string>>(`contact ${contact.id}`, {});
  const before = contact as Record<string, unknown>;
  const { changes, problems } = changesIn(properties, before, texts);
  const count = Object.keys(changes).length;
  const { email, userId } = contact;
  const fields = { ...(email ? { email } : { userId: userId ?? "" }), ...changes };
  const save = useAct({
    stays: true,
    mutationFn: async () => {
      await team.v1.contacts.update(fields);
      // The later refetch resets the changes.
      return { count, sent: texts };
    },
    onSuccess: ({ count: n, sent }) => {
      saved(sent, (typed) => changedSince(sent, typed));
      toast(n === 1 ? "One property is saved." : `${n} properties are saved.`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count > 0 && Object.keys(problems).length === 0) save.mutate();
  };
  const wrong = save.error instanceof RequestError ? save.error.path : undefined;
  return (
    <form onSubmit={submit} ref={form}>
      <Stack gap="sm">
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {properties.map(({ name, label, type }) => (
            <TextInput
              key={name}
              label={label}
              description={type === "string" ? name : `${name}, ${HINTS[type]}`}
              value={texts[name] ?? textOf(before[name])}
              onChange={({ currentTarget: { value } }) => setTexts({ ...texts, [name]: value })}
              error={problems[name] ?? (wrong === name ? save.error?.message : undefined)}
              maxLength={500}
            />
          ))}
        </SimpleGrid>
        <Group>
          <Button type="submit" disabled={count === 0 || Object.keys(problems).length > 0} loading={save.isPending}>
            Save
          </Button>
          {Object.keys(texts).length > 0 && (
            <Button variant="default" onClick={undo}>
              Undo the changes
            </Button>
          )}
          {count > 0 && <CopyAs asked={{ api: "v1", name: "contacts.update", fields }} />}
          <Text size="sm">{count === 0 ? "An empty field clears its property." : `${count} changed`}</Text>
        </Group>
      </Stack>
    </form>
  );
};
