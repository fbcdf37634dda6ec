import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import type { IconName } from "../../parts/icon-paths.ts";
import type { Status } from "./state.ts";

type Props = { team: string; status: Pick<Status, "id" | "name"> };
type CopyProps = Props & {
  opener: string;
  icon: IconName;
  title: string;
  label: string;
  text: string;
  to?: "notOpened";
};

/** Copies a campaign as a draft, which sends nothing yet, and opens it. */
const Copy = ({ team, status: { id }, opener, icon, title, label, text, to }: CopyProps) => {
  const navigate = useNavigate();
  const fields = { team, campaignId: id, ...(to === undefined ? {} : { to }) };
  const options = [...(to === undefined ? [] : ["--to", to]), "--team", team];
  return (
    <ActButton
      icon={icon}
      act={{
        title,
        label,
        effect: () => ({ text: <Text size="sm">{text}</Text> }),
        run: () => api.email.campaigns.duplicate(fields),
        done: (copy) => `${copy.name} is a draft.`,
        onDone: (copy) =>
          void navigate({ to: "/campaigns/$campaignId", params: { campaignId: copy.id }, search: { team } }),
        asked: { api: "email", name: "campaigns.duplicate", fields },
        command: { name: "campaign", args: ["duplicate", id], options },
      }}
    >
      {opener}
    </ActButton>
  );
};

/** `isChanged`: unsaved text exists. */
export const Duplicate = ({ isChanged = false, ...props }: Props & { isChanged?: boolean }) => (
  <Copy
    {...props}
    opener="Duplicate"
    icon="copy"
    title={`Duplicate ${props.status.name}?`}
    label="Duplicate"
    text={`A new draft gets its message, its audience and its group, and no time. This campaign stays as it is.${isChanged ? " Your changes that are not saved are left out." : ""}`}
  />
);

/** For the people who got a campaign and did not open it. */
export const SendAgain = (props: Props) => (
  <Copy
    {...props}
    opener="Send to those who did not open it"
    icon="mail"
    title={`Send ${props.status.name} again to those who did not open it?`}
    label="Make a draft"
    text="A new draft gets its message, for those who got it and did not open it, as far as opens can be measured. It sends nothing yet. Who opens it meanwhile is left out."
    to="notOpened"
  />
);

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
