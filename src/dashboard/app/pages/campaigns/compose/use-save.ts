import { useQueryClient } from "@tanstack/react-query";
import { useAct } from "../../../api/use-act.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import type { Team } from "../../../team/team.tsx";
import type { Types } from "../../segments/draft.ts";
import type { Message } from "../message.ts";
import {
  type Campaign,
  changedFields,
  type Draft,
  draftOf,
  draftWith,
  type Kept,
  newConflicts,
  requestOf,
} from "./draft.ts";

type Saved = {
  team: Team;
  campaign: Campaign;
  message: Message;
  types: Types;
  zone: string;
  kept: Kept;
  /** `sent`: unsaved values when the save began. `stored`: current values. */
  onSaved: (sent: Kept, stored: Draft) => void;
};

/** Saves a draft after a fresh read. Writes nothing if another person changed it. `key`: page query key. */
export const useSave = (key: readonly unknown[], { team, campaign, message, types, zone, kept, onSaved }: Saved) => {
  const queries = useQueryClient();
  const { id: campaignId } = campaign;
  return useAct({
    stays: true,
    mutationFn: async () => {
      const found = await team.v1.campaigns.get({ campaignId });
      const stored = draftOf(found, types, zone);
      if (newConflicts(draftOf(campaign, types, zone), stored, kept).length > 0)
        return { read: found, isSaved: false, sent: kept };
      const changes = requestOf(draftWith(stored, kept), changedFields(stored, kept), types, zone);
      if (Object.keys(changes).length === 0) return { read: found, isSaved: true, sent: kept };
      const read = await team.v1.campaigns.update({ campaignId, ...changes });
      return { read, isSaved: true, sent: kept };
    },
    onSuccess: ({ read, isSaved, sent }) => {
      // Prevents old values in the fields until the refetch.
      queries.setQueryData(key, { campaign: read, message });
      if (!isSaved) return;
      onSaved(sent, draftOf(read, types, zone));
      toast("The campaign is saved.");
    },
  });
};
