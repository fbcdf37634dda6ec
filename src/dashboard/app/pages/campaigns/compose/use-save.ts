import { useQueryClient } from "@tanstack/react-query";
import { useAct } from "../../../api/use-act.ts";
import { toast } from "../../../parts/acts/toast.ts";
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
  /** As the page shows it. */
  campaign: Campaign;
  message: Message;
  types: Types;
  kept: Kept;
  /** `sent`: what was kept as the save began; `stored`: what is stored now. */
  onSaved: (sent: Kept, stored: Draft) => void;
};

/**
 * Saves what is typed of a draft. It reads the campaign once more before: what another person has saved since the page read it is shown first,
 * and nothing is written. `key`: of the query of the page.
 */
export const useSave = (key: readonly unknown[], { team, campaign, message, types, kept, onSaved }: Saved) => {
  const queries = useQueryClient();
  const { id: campaignId } = campaign;
  return useAct({
    stays: true,
    mutationFn: async () => {
      const found = await team.v1.campaigns.get({ campaignId });
      const stored = draftOf(found, types);
      if (newConflicts(draftOf(campaign, types), stored, kept).length > 0)
        return { read: found, isSaved: false, sent: kept };
      const changes = requestOf(draftWith(stored, kept), changedFields(stored, kept), types);
      // Another person has saved just the same.
      if (Object.keys(changes).length === 0) return { read: found, isSaved: true, sent: kept };
      const read = await team.v1.campaigns.update({ campaignId, ...changes });
      return { read, isSaved: true, sent: kept };
    },
    onSuccess: ({ read, isSaved, sent }) => {
      // The fields would show what was stored before, until it is read anew.
      queries.setQueryData(key, { campaign: read, message });
      if (!isSaved) return;
      onSaved(sent, draftOf(read, types));
      toast("The campaign is saved.");
    },
  });
};
