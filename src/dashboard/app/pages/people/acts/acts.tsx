import { Group, List, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useAbout } from "../../../api/about.ts";
import { api } from "../../../api/api.ts";
import { useButtonKey } from "../../../frame/keys.ts";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import { forgettable, type Named } from "../../../story/names.ts";
import type { Subject } from "../../../story/subject.ts";
import type { Team } from "../../../team/team.tsx";
import { liftingByOperator } from "../../suppressions/lift.ts";
import type { Contact, KnownPerson } from "../queries.ts";
import { forget, listOf } from "./forget.ts";
import { countsIn } from "./forgotten.ts";
import { TrackingAct } from "./tracking.tsx";

type Props = {
  team: Team;
  contact: Contact | undefined;
  known: KnownPerson | undefined;
  address: string | undefined;
  subject: Subject;
  isSuppressed: boolean | undefined;
};

export const PersonActs = ({ team, contact, known, address, subject, isSuppressed }: Props) => {
  const { bridge } = useAbout();
  const navigate = useNavigate();
  useButtonKey("s");
  const leave = () => void navigate({ to: "/people" });
  const named = forgettable(subject, contact, known);
  return (
    <Group gap="xs">
      {team.id !== undefined && address !== undefined && !isSuppressed && (
        <ActButton act={suppressing(team.id, address)} icon="suppressions" data-key="s">
          Suppress
        </ActButton>
      )}
      {contact && address !== undefined && isSuppressed && (
        <ActButton act={team.id === undefined ? lifting(team, address) : liftingByOperator(team.id, address, "")}>
          Lift the suppression
        </ActButton>
      )}
      {contact && team.id !== undefined && <TrackingAct team={team.id} contact={contact} />}
      {contact && (
        <ActButton act={deleting(team, contact, leave)} color="red" variant="outline">
          Delete the contact
        </ActButton>
      )}
      {named && team.unreachable === undefined && (
        <ActButton act={forgetting(named, team, bridge !== null && team.bridge, leave)} color="red" variant="outline">
          Forget the person
        </ActButton>
      )}
    </Group>
  );
};

const suppressing = (team: string, email: string): Act<unknown> => ({
  title: `Suppress ${email}?`,
  label: "Suppress",
  effect: () => ({ text: `No mail is sent to ${email} any more: neither transactional nor marketing mail.` }),
  run: () => api.email.suppressions.add({ team, email }),
  done: () => `${email} is suppressed.`,
  asked: { api: "email", name: "suppressions.add", fields: { team, email } },
});

/** A removal at another host counts in the team's quota. */
const lifting = (team: Team, email: string): Act<unknown> => ({
  title: `Lift the suppression of ${email}?`,
  label: "Lift",
  effect: async () => {
    const { removalQuota } = await team.v1.suppression.get({ email });
    return {
      text: `Mail to ${email} is sent again. The team has ${removalQuota.remaining} of ${removalQuota.limit} removals left in 30 days.`,
      nothing: removalQuota.remaining === 0,
    };
  },
  run: () => team.v1.suppression.remove({ email }),
  done: () => `The suppression of ${email} is lifted.`,
  asked: { api: "v1", name: "suppression.remove", fields: { email } },
});

const deleting = (team: Team, { email, userId, id }: Contact, onDone: () => void): Act<unknown> => {
  const named = email ? { email } : { userId: userId ?? "" };
  return {
    title: `Delete the contact ${email ?? userId ?? id}?`,
    label: "Delete",
    color: "red",
    word: "delete",
    effect: () => ({
      text: "The contact goes, with its properties, lists and events, and leaves its workflows. The record of its mails stays, to answer questions. To erase that too, forget the person.",
    }),
    run: () => team.v1.contacts.delete(named),
    done: () => "The contact is deleted.",
    onDone,
    asked: { api: "v1", name: "contacts.delete", fields: named },
  };
};

const forgetting = (
  named: Named,
  team: Team,
  hasBridge: boolean,
  onDone: () => void,
): Act<Awaited<ReturnType<typeof forget>>> => ({
  title: `Forget ${Object.values(named)[0]}?`,
  label: "Forget",
  color: "red",
  word: "forget",
  effect: async () => {
    const { erased, host, notReached } = await forget(named, team, { dryRun: true, hasBridge });
    return {
      text: (
        <Stack gap="xs">
          <Text size="sm">
            {hasBridge ? `In the bridge: ${countsIn(erased)}.` : `Erased: ${countsIn(erased)}.`}
            {host ? ` At the email service: ${countsIn(host)}.` : ""} This cannot be undone.
          </Text>
          {notReached.length > 0 && <Text size="sm">This stays:</Text>}
          <List size="sm">
            {notReached.map((one) => (
              <List.Item key={one}>{one}</List.Item>
            ))}
          </List>
        </Stack>
      ),
    };
  },
  run: () => forget(named, team, { dryRun: false, hasBridge }),
  done: ({ message, finished }) => (finished ? "The person is forgotten." : message),
  onDone,
  ...(hasBridge
    ? {
        asked: { api: "bridge" as const, name: "people.forget", fields: { ...named, host: true } },
        command: { name: "act", args: ["forget", ...Object.values(named)], options: ["--host"] },
      }
    : { asked: { api: "email" as const, name: "people.forget", fields: { team: team.id, ...listOf(named) } } }),
});
