import { Group, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../acts/act.tsx";
import { counted } from "../ledger/ledger-words.ts";

export type Wave = Awaited<ReturnType<typeof api.email.waves.decide>>;
type Decision = NonNullable<Wave["decision"]>;

const WORDS: Readonly<Record<Decision, { label: string; title: string; effect: (mails: string) => string }>> = {
  resend: {
    label: "They are good: send again",
    title: "Send to these addresses again?",
    effect: (mails) => `${mails} of it are sent again as far as they are of campaigns. No address is suppressed.`,
  },
  suppress: {
    label: "They do not exist: suppress",
    title: "Suppress these addresses?",
    effect: (mails) =>
      `The addresses of ${mails} get no mail any more. The same answer of this destination is believed for seven days.`,
  },
  keep: {
    label: "Neither",
    title: "Leave these addresses as they are?",
    effect: (mails) => `${mails} stay bounced. No address is suppressed, and another decision may follow.`,
  },
};

const deciding = (team: string, { id, mails, destination, campaigns }: Wave, decision: Decision): Act<Wave> => {
  const { label, title, effect } = WORDS[decision];
  const goOn = campaigns.map(({ name }) => name).join(", ");
  const fields = { team, waveId: id, decision };
  return {
    title,
    label,
    effect: () => ({
      text: (
        <Text size="sm">
          {effect(counted(mails, "mail"))} Mail to {destination} leaves again{goOn && `, and this goes on: ${goOn}`}.
        </Text>
      ),
    }),
    run: () => api.email.waves.decide(fields),
    done: ({ meaning }) => meaning,
    asked: { api: "email", name: "waves.decide", fields },
    command: { name: "suppressions", args: ["decide", id, decision], options: ["--team", team] },
  };
};

/** The decisions that a wave takes. */
export const WaveActs = ({ team, wave }: { team: string; wave: Wave }) => {
  const decisions: readonly Decision[] =
    wave.decision === null ? ["resend", "suppress", "keep"] : ["resend", "suppress"];
  if (wave.decision !== null && wave.decision !== "keep") return null;
  return (
    <Group gap="xs">
      {decisions.map((decision) => (
        <ActButton
          key={decision}
          act={deciding(team, wave, decision)}
          {...(decision === "suppress" ? { color: "red", variant: "outline" } : {})}
        >
          {WORDS[decision].label}
        </ActButton>
      ))}
    </Group>
  );
};
