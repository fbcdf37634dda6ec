import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../../parts/acts/act.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { clock } from "../../parts/time.ts";
import { lostByCancel, numberText, wonByResume } from "./campaign-words.ts";
import { Duplicate, SendAgain } from "./copy-and-delete.tsx";
import { actsFor, type CampaignAct, type Status, secondsToStart } from "./state.ts";

const commandOf = (name: string, team: string, { id }: Status): Command => ({
  name: "campaign",
  args: [name, id],
  options: ["--team", team],
});

const fieldsOf = (team: string, { id }: Status) => ({ team, campaignId: id });

const text = (words: string) => <Text size="sm">{words}</Text>;

type Changed = Awaited<ReturnType<typeof api.email.campaigns.pause>>;
type Retried = Awaited<ReturnType<typeof api.email.campaigns.retryUnknown>>;

const unscheduling = (team: string, status: Status): Act<Changed> => ({
  title: `Stop the schedule of ${status.name}?`,
  label: "Stop the schedule",
  effect: () => ({ text: text("It becomes a draft again, which can be changed. Nothing of it was sent.") }),
  run: () => api.email.campaigns.unschedule(fieldsOf(team, status)),
  done: () => `${status.name} is a draft again. Nothing was sent.`,
  asked: { api: "email", name: "campaigns.unschedule", fields: fieldsOf(team, status) },
  command: commandOf("unschedule", team, status),
});

const pausing = (team: string, status: Status): Act<Changed> => ({
  title: `Pause ${status.name}?`,
  label: "Pause",
  effect: () => ({
    text: text("Sending stops until you resume. Mails that are on their way still arrive."),
  }),
  run: () => api.email.campaigns.pause(fieldsOf(team, status)),
  done: () => `${status.name} is paused.`,
  asked: { api: "email", name: "campaigns.pause", fields: fieldsOf(team, status) },
  command: commandOf("pause", team, status),
});

const resuming = (team: string, status: Status): Act<Changed> => ({
  title: `Resume ${status.name}?`,
  label: "Resume",
  effect: () => {
    const { unconfirmed } = status;
    if (unconfirmed === null) return { text: text(wonByResume(status)) };
    const { recipients, confirmed } = unconfirmed;
    const fields = { ...fieldsOf(team, status), expected: recipients };
    const { options = [], ...command } = commandOf("resume", team, status);
    return {
      text: text(
        `It has ${counted(recipients, "recipient")} now, and ${numberText(confirmed)} ${confirmed === 1 ? "was" : "were"} confirmed. Type the new number to send it to all of them.`,
      ),
      count: recipients,
      asked: { api: "email", name: "campaigns.resume", fields },
      command: { ...command, options: ["--expected", String(recipients), ...options] },
    };
  },
  run: (effect) => api.email.campaigns.resume({ ...fieldsOf(team, status), expected: effect?.count }),
  done: () => `${status.name} goes on.`,
  asked: { api: "email", name: "campaigns.resume", fields: fieldsOf(team, status) },
  command: commandOf("resume", team, status),
});

const cancelling = (team: string, status: Status): Act<Changed> => ({
  title: `Cancel ${status.name} for good?`,
  label: "Cancel the campaign",
  color: "red",
  word: "cancel",
  effect: async () => {
    const now = await api.email.campaigns.status(fieldsOf(team, status));
    if (now.status === "Sent") return { nothing: true, text: text("It is over by now: nothing is left to cancel.") };
    return { text: text(lostByCancel(now)) };
  },
  run: () => api.email.campaigns.cancel(fieldsOf(team, status)),
  done: ({ progress }) => `${status.name} is cancelled. It had sent ${counted(progress?.sent ?? 0, "mail")} by then.`,
  asked: { api: "email", name: "campaigns.cancel", fields: fieldsOf(team, status) },
  command: commandOf("cancel", team, status),
});

const retrying = (team: string, status: Status): Act<Retried> => ({
  title: `Send the mails of ${status.name} again whose outcome is unknown?`,
  label: "Send again",
  effect: async () => {
    const { progress } = await api.email.campaigns.status(fieldsOf(team, status));
    const unknown = progress?.unknown ?? 0;
    if (unknown === 0) return { nothing: true, text: text("No mail of it has an unknown outcome any more.") };
    return {
      text: text(
        `The mail provider may have taken ${counted(unknown, "mail")}, or not. They are sent again: some people may get a second copy. Those who may get no mail any more are left out.`,
      ),
      count: unknown,
    };
  },
  run: () => api.email.campaigns.retryUnknown(fieldsOf(team, status)),
  done: ({ retry }) =>
    retry === null
      ? `No mail of ${status.name} has an unknown outcome any more.`
      : `${counted(retry.unknown, "mail")} of ${status.name} ${retry.unknown === 1 ? "is" : "are"} looked at one after the other. The page shows how far that is.`,
  asked: { api: "email", name: "campaigns.retryUnknown", fields: fieldsOf(team, status) },
  command: commandOf("retry-unknown", team, status),
});

type Props = { team: string; status: Status };

const BUTTONS: Readonly<Record<CampaignAct, (props: Props) => ReactNode>> = {
  unschedule: ({ team, status }) => <ActButton act={unscheduling(team, status)}>Stop the schedule</ActButton>,
  pause: ({ team, status }) => (
    <ActButton act={pausing(team, status)} icon="pause">
      Pause
    </ActButton>
  ),
  resume: ({ team, status }) => (
    <ActButton act={resuming(team, status)} icon="play">
      Resume
    </ActButton>
  ),
  cancel: ({ team, status }) => (
    <ActButton act={cancelling(team, status)} color="red" variant="outline">
      Cancel the campaign
    </ActButton>
  ),
  retryUnknown: ({ team, status }) => (
    <ActButton act={retrying(team, status)} icon="retry">
      Send unknown mails again
    </ActButton>
  ),
};

export const CampaignActs = ({ team, status }: Props) => {
  // The countdown shows the same action without a confirmation.
  const isCounting = secondsToStart(status, clock()) !== undefined;
  const names = actsFor(status).filter((name) => name !== "unschedule" || !isCounting);
  return (
    <>
      {names.map((name) => {
        const Button = BUTTONS[name];
        return <Button key={name} team={team} status={status} />;
      })}
      {status.progress !== null && status.progress.startedAt !== null && <SendAgain team={team} status={status} />}
      <Duplicate team={team} status={status} />
    </>
  );
};
