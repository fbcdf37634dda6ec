import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import type { Status } from "./state.ts";

type Props = { team: string; status: Pick<Status, "id" | "name"> };

/** Says that the copy is a draft, and opens it. */
const useOpenDraft = (team: string) => {
  const navigate = useNavigate();
  return {
    done: (copy: { name: string }) => `${copy.name} is a draft.`,
    onDone: (copy: { id: string }) =>
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: copy.id }, search: { team } }),
  };
};

/** Copies a campaign as a draft and opens it. `isChanged`: unsaved text exists. */
export const Duplicate = ({ team, status: { id, name }, isChanged = false }: Props & { isChanged?: boolean }) => {
  const opening = useOpenDraft(team);
  const fields = { team, campaignId: id };
  return (
    <ActButton
      icon="copy"
      act={{
        title: `Duplicate ${name}?`,
        label: "Duplicate",
        effect: () => ({
          text: (
            <Text size="sm">
              A new draft gets its message, its audience and its group, and no time. This campaign stays as it is.
              {isChanged && " Your changes that are not saved are left out."}
            </Text>
          ),
        }),
        run: () => api.email.campaigns.duplicate(fields),
        ...opening,
        asked: { api: "email", name: "campaigns.duplicate", fields },
        command: { name: "campaign", args: ["duplicate", id], options: ["--team", team] },
      }}
    >
      Duplicate
    </ActButton>
  );
};

/** Makes a draft for the people who got a campaign and did not open it. Then opens the draft. */
export const SendAgain = ({ team, status: { id, name } }: Props) => {
  const opening = useOpenDraft(team);
  const fields = { team, campaignId: id, to: "notOpened" } as const;
  return (
    <ActButton
      icon="mail"
      act={{
        title: `Send ${name} again to those who did not open it?`,
        label: "Make a draft",
        effect: () => ({
          text: (
            <Text size="sm">
              A new draft gets its message, for those who got it and did not open it, as far as opens can be measured.
              It sends nothing yet. Who opens it meanwhile is left out.
            </Text>
          ),
        }),
        run: () => api.email.campaigns.duplicate(fields),
        ...opening,
        asked: { api: "email", name: "campaigns.duplicate", fields },
        command: { name: "campaign", args: ["duplicate", id], options: ["--to", "notOpened", "--team", team] },
      }}
    >
      Send to those who did not open it
    </ActButton>
  );
};

/** Deletes a draft and opens the list. */
export const Delete = ({ team, status: { id, name }, onGone }: Props & { onGone: () => void }) => {
  const navigate = useNavigate();
  const fields = { team, campaignId: id };
  return (
    <ActButton
      color="red"
      variant="outline"
      act={{
        title: `Delete the campaign ${name}?`,
        label: "Delete",
        color: "red",
        word: "delete",
        effect: () => ({
          text: <Text size="sm">Its message goes with it. Nothing of it was sent. This cannot be undone.</Text>,
        }),
        run: () => api.email.campaigns.remove(fields),
        done: () => `${name} is deleted.`,
        onDone: () => {
          onGone();
          void navigate({ to: "/campaigns", search: { team } });
        },
        asked: { api: "email", name: "campaigns.remove", fields },
        command: { name: "campaign", args: ["delete", id], options: ["--team", team] },
      }}
    >
      Delete
    </ActButton>
  );
};
