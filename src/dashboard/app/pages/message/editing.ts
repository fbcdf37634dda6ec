import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { MessageSource } from "../../../../lib/lmx/message/message-source.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { toast } from "../../parts/acts/toast.tsx";
import type { Team } from "../../team/team.tsx";
import { changesIn, type Draft, type Message, requestOf, sourceIn } from "./source.ts";

export const messageKey = (team: Team, id: string) => ["v1", team.id, "message", id] as const;

const NONE: Draft = { base: null, changes: {} };

const isConflict = (error: unknown): boolean => error instanceof RequestError && error.code === "revision_conflict";

/** State of a message edit. Unsaved text stays in this tab, also after a concurrent save. */
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
      // Text typed during the save is still a change.
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
    /** Another person saved during the edit. */
    isConflict: isChanged && draft.base !== message.contentRevisionId,
    /** Excludes conflicts, which are shown with both texts. */
    error: save.error !== null && !isConflict(save.error) ? save.error : null,
    /** Applies typed changes over the saved text. */
    keepMine: () => {
      save.reset();
      setDraft({ base: message.contentRevisionId, changes });
    },
    takeTheirs: () => {
      setAside(changes);
      save.reset();
      undo();
    },
    hasAside: Object.keys(changesIn(saved, aside)).length > 0,
    bringBack: () => {
      change(aside);
      setAside({});
      clearAside();
    },
  };
};

export type Editing = ReturnType<typeof useEditing>;
