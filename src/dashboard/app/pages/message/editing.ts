import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { MessageSource } from "../../../../lib/lmx/message/message-source.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { toast } from "../../parts/acts/toast.ts";
import type { Team } from "../../team/team.tsx";
import { changesIn, type Draft, type Message, requestOf, sourceIn } from "./source.ts";

/** The key of the query of a message. */
export const messageKey = (team: Team, id: string) => ["v1", team.id, "message", id] as const;

const NONE: Draft = { base: null, changes: {} };

/** Whether another person has saved the message since a person began to change it. */
const isConflict = (error: unknown): boolean => error instanceof RequestError && error.code === "revision_conflict";

/** A message that a person edits: what is typed stays in this tab until it is saved, also when another person saves meanwhile. */
export const useEditing = (team: Team, message: Message) => {
  const queries = useQueryClient();
  const key = messageKey(team, message.id);
  const saved = useMemo(() => sourceIn(message), [message]);
  const [draft, setDraft, clear] = useDraft<Draft>(`message ${team.id ?? ""} ${message.id}`, NONE);
  const [aside, setAside, clearAside] = useDraft<Draft["changes"]>(`aside ${team.id ?? ""} ${message.id}`, {});
  const changes = useMemo(() => changesIn(saved, draft.changes), [saved, draft.changes]);
  const source = useMemo<MessageSource>(() => ({ ...saved, ...changes }), [saved, changes]);
  const isChanged = Object.keys(changes).length > 0;
  const latest = useRef(draft);
  latest.current = draft;
  const change = (fields: Partial<MessageSource>) =>
    setDraft(
      isChanged
        ? { base: latest.current.base, changes: { ...latest.current.changes, ...fields } }
        : { base: message.contentRevisionId, changes: fields },
    );
  const undo = () => {
    setDraft(NONE);
    clear();
  };
  const save = useAct({
    stays: true,
    mutationFn: () =>
      team.v1.emailMessages.update({
        emailMessageId: message.id,
        ...requestOf(saved, changes),
        ...(draft.base === null ? {} : { expectedRevisionId: draft.base }),
      } as Parameters<Team["v1"]["emailMessages"]["update"]>[0]),
    onSuccess: (now) => {
      queries.setQueryData(key, now);
      // What was typed while it was saved is still a change.
      const left = changesIn(sourceIn(now), latest.current.changes);
      if (Object.keys(left).length === 0) undo();
      else setDraft({ base: now.contentRevisionId, changes: left });
      toast("The message is saved.");
    },
    onError: (error) => {
      if (isConflict(error)) void queries.invalidateQueries({ queryKey: key });
    },
  });
  return {
    source,
    saved,
    changes,
    isChanged,
    change,
    undo,
    save,
    /** Another person saved the message after a person began to change it. */
    isConflict: isChanged && draft.base !== message.contentRevisionId,
    /** Only refusals that are about the content: a conflict is shown with both texts. */
    error: save.error !== null && !isConflict(save.error) ? save.error : null,
    /** What a person has typed goes over what the other has saved. */
    keepMine: () => {
      save.reset();
      setDraft({ base: message.contentRevisionId, changes });
    },
    /** What a person has typed is put aside, and can be brought back. */
    takeTheirs: () => {
      setAside(changes);
      save.reset();
      undo();
    },
    /** What was put aside can be brought back. */
    hasAside: Object.keys(changesIn(saved, aside)).length > 0,
    bringBack: () => {
      change(aside);
      setAside({});
      clearAside();
    },
  };
};

export type Editing = ReturnType<typeof useEditing>;
