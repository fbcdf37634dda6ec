import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { answerOf, useScan } from "../../parts/scan.ts";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { Differences } from "./conflict.tsx";
import type { Editing } from "./editing.ts";
import { changesIn, type Message } from "./source.ts";

type Props = { team: string; message: Message; editing: Editing; locked: boolean };

export const Revisions = ({ opened, onClose, ...props }: Props & { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Revisions" size="xl">
    {opened && <List {...props} onClose={onClose} />}
  </Dialog>
);

const List = ({ onClose, ...props }: Props & { onClose: () => void }) => {
  const { team, message } = props;
  const fields = { team, emailMessageId: message.id };
  const [shown, setShown] = useState<string>();
  const scan = useScan(["email", team, "revisions", message.id, message.contentRevisionId], (cursor, signal) =>
    api.email.revisions.list({ ...fields, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <CopyAs asked={{ api: "email", name: "revisions.list", fields }} />
      </Group>
      <Answer query={answerOf(scan)}>
        {(found) =>
          found.map((one) => (
            <Stack key={one.id} gap="xs">
              <Group gap="sm">
                <Time at={one.createdAt} />
                <Text size="sm" className="wrap">
                  {one.subject || "(no subject)"}
                </Text>
                <Text size="sm">{one.characters} characters</Text>
                {one.isCurrent ? (
                  <Status kind="current" />
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-expanded={shown === one.id}
                    onClick={() => setShown(shown === one.id ? undefined : one.id)}
                  >
                    {shown === one.id ? "Hide" : "Compare"}
                  </Button>
                )}
              </Group>
              {shown === one.id && <One {...props} id={one.id} onRestored={onClose} />}
            </Stack>
          ))
        }
      </Answer>
      {scan.next !== null && scan.next !== undefined && (
        <Button size="xs" variant="default" onClick={scan.lookOn} loading={scan.isLooking}>
          Older revisions
        </Button>
      )}
    </Stack>
  );
};

const One = ({ team, message, editing, locked, id, onRestored }: Props & { id: string; onRestored: () => void }) => {
  const fields = { team, emailMessageId: message.id, revisionId: id };
  const query = useQuery({
    queryKey: ["email", team, "revision", message.id, id],
    queryFn: ({ signal }) => api.email.revisions.get(fields, { signal }),
    staleTime: "static",
  });
  const restored = { ...fields, expectedRevisionId: message.contentRevisionId ?? "" };
  return (
    <Stack gap="xs">
      <Answer query={query} rows={4}>
        {({ content }) => {
          const fields = Object.keys(changesIn(editing.source, content));
          if (fields.length === 0) return <Text size="sm">It is the same as what is here now.</Text>;
          return (
            <Differences
              fields={fields}
              left={{ title: "Then", content }}
              right={{ title: "Now", content: editing.source }}
            />
          );
        }}
      </Answer>
      {!locked && (
        <Group gap="xs">
          <ActButton
            disabled={editing.isChanged}
            act={{
              title: "Restore this revision?",
              label: "Restore",
              effect: () => ({
                text: "The message has the content of then, as a new revision. What it has now stays among the revisions.",
              }),
              run: () => api.email.revisions.restore(restored),
              done: () => "The revision is restored.",
              onDone: onRestored,
              asked: { api: "email", name: "revisions.restore", fields: restored },
            }}
          >
            Restore
          </ActButton>
          {editing.isChanged && <Text size="sm">Save your changes or undo them first.</Text>}
        </Group>
      )}
    </Stack>
  );
};
