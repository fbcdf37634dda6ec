import { Button, Group, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Verdict } from "../../../../lib/lmx/guardian/guardian.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { fixWords } from "../../parts/finding-words.ts";
import type { Team } from "../../team/team.tsx";
import type { Editing } from "./editing.ts";
import type { Value } from "./preview/filled.ts";
import { Revisions } from "./revisions.tsx";
import { SendPreview } from "./send-preview.tsx";
import { type Message, requestOf } from "./source.ts";

type Props = {
  team: Team;
  message: Message;
  editing: Editing;
  verdict: Verdict;
  values: readonly Value[];
  locked: boolean;
};

/** Works everywhere except in dialogs. */
const useCommand = (key: string, act: () => void) => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (!document.querySelector('[role="dialog"]')) latest.current();
    };
    // Runs before the editor's keys.
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [key]);
};

export const Toolbar = ({ team, message, editing, verdict, values, locked }: Props) => {
  const [open, setOpen] = useState<"preview" | "revisions">();
  const { isChanged, isConflict, save, saved, changes, undo, error } = editing;
  const canSave = isChanged && !locked && !isConflict;
  const close = () => setOpen(undefined);
  const denied = useDenied({ api: "v1", name: "emailMessages.update" });
  useCommand("s", () => {
    if (canSave && denied === undefined && !save.isPending) save.mutate();
  });
  const noPreview = useDenied({ api: "v1", name: "emailMessages.preview" });
  const showPreview = () => noPreview === undefined && setOpen("preview");
  useCommand("Enter", showPreview);
  const fields = {
    emailMessageId: message.id,
    expectedRevisionId: message.contentRevisionId,
    ...requestOf(saved, changes),
  };
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          onClick={() => denied === undefined && save.mutate()}
          disabled={!canSave}
          loading={save.isPending}
          title="Ctrl-S or ⌘S"
          {...off(denied)}
        >
          Save
        </Button>
        {isChanged && !locked && (
          <Button size="xs" variant="default" onClick={undo}>
            Undo the changes
          </Button>
        )}
        <Button size="xs" variant="default" onClick={showPreview} title="Ctrl-Enter or ⌘Enter" {...off(noPreview)}>
          Send a preview
        </Button>
        {message.transactionalId !== undefined && !locked && (
          <Publish team={team} transactionalId={message.transactionalId} editing={editing} verdict={verdict} />
        )}
        {team.id !== undefined && (
          <Button size="xs" variant="default" onClick={() => setOpen("revisions")}>
            Revisions
          </Button>
        )}
        {isChanged && <CopyAs asked={{ api: "v1", name: "emailMessages.update", fields }} />}
        <Text size="sm" role="status">
          {locked ? "" : isChanged ? "Not saved" : "Saved"}
        </Text>
      </Group>
      {error && <Refused error={error} onProved={() => save.mutate()} />}
      <SendPreview
        opened={open === "preview"}
        onClose={close}
        team={team}
        id={message.id}
        editing={editing}
        values={values}
      />
      {team.id !== undefined && (
        <Revisions
          opened={open === "revisions"}
          onClose={close}
          team={team.id}
          message={message}
          editing={editing}
          locked={locked}
        />
      )}
    </>
  );
};

const Publish = ({
  team,
  transactionalId,
  editing,
  verdict: { errors },
}: Pick<Props, "team" | "editing" | "verdict"> & { transactionalId: string }) => {
  const [first] = errors.flatMap(({ items }) => items);
  const said =
    first === undefined
      ? ""
      : ` The guardian finds ${errors.length === 1 ? "an error" : "errors"}: ${fixWords(first.fix)}`;
  return (
    <ActButton
      act={{
        title: "Publish this message?",
        label: editing.isChanged ? "Save and publish" : "Publish",
        effect: () => ({
          text: `Later sends of this transactional email have this content. Mail that was accepted before keeps its own.${said}`,
        }),
        run: async () => {
          if (editing.isChanged) await editing.save.mutateAsync();
          return team.v1.transactionalEmails.publish({ transactionalId });
        },
        done: ({ name }) => `${name} is published.`,
        asked: { api: "v1", name: "transactionalEmails.publish", fields: { transactionalId } },
      }}
    >
      Publish
    </ActButton>
  );
};
