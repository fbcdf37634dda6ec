import { List, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../../api/api.ts";
import { useAbout } from "../../../api/use-about.ts";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import { useButtonKey } from "../../../parts/keys.ts";
import { More } from "../../../parts/page/more.tsx";
import { erasable, type Named } from "../../../story/names.ts";
import type { Subject } from "../../../story/subject.ts";
import type { Team } from "../../../team/team.tsx";
import { removingByOperator } from "../../suppressions/remove.ts";
import { CopyPerson } from "../copy-person.tsx";
import type { Contact, KnownPerson } from "../queries.ts";
import { erase, listOf } from "./erase.ts";
import { countsIn } from "./erased.ts";
import { TrackingAct } from "./tracking.tsx";

type Props = {
  team: Team;
  contact: Contact | undefined;
  known: KnownPerson | undefined;
  address: string | undefined;
  subject: Subject;
  isSuppressed: boolean | undefined;
  tracked: boolean | undefined;
};

export const PersonActs = ({ team, contact, known, address, subject, isSuppressed, tracked }: Props) => {
  const { bridge } = useAbout();
  const navigate = useNavigate();
  useButtonKey("s");
  const leave = () => void navigate({ to: "/people" });
  const named = erasable(subject, contact, known);
  return (
    <>
      {team.id !== undefined && address !== undefined && !isSuppressed && (
        <ActButton act={suppressing(team.id, address)} icon="suppressed" size="sm" data-key="s">
          Suppress
        </ActButton>
      )}
      {contact && address !== undefined && isSuppressed && (
        <ActButton
          size="sm"
          act={team.id === undefined ? removing(team, address) : removingByOperator(team.id, address, "")}
        >
          Remove from suppression
        </ActButton>
      )}
      <More>
        {contact && team.id !== undefined && tracked !== undefined && (
          <TrackingAct team={team.id} contact={contact} tracked={tracked} />
        )}
        {contact && <ActButton act={deleting(team, contact, leave)}>Delete the contact</ActButton>}
        {named && team.unreachable === undefined && (
          <ActButton act={erasing(named, team, bridge !== null && team.bridge, leave)}>Erase the person</ActButton>
        )}
        <CopyPerson team={team} contact={contact} known={known} subject={subject} />
      </More>
    </>
  );
};

const suppressing = (team: string, email: string): Act<unknown> => ({
  title: `Suppress ${email}?`,
  label: "Suppress",
  effect: () => ({ text: `${email} gets no mail at all: no newsletters, no receipts, no sign-in links.` }),
  run: () => api.email.suppressions.add({ team, email }),
  done: () => `${email} is suppressed.`,
  asked: { api: "email", name: "suppressions.add", fields: { team, email } },
});

/** A removal at another email service counts in the team's quota. */
const removing = (team: Team, email: string): Act<unknown> => ({
  title: `Remove ${email} from suppression?`,
  label: "Remove",
  effect: async () => {
    const { removalQuota } = await team.v1.suppression.get({ email });
    return {
      text: `Mail to ${email} is sent again. The team has ${removalQuota.remaining} of ${removalQuota.limit} removals left in 30 days.`,
      nothing: removalQuota.remaining === 0,
    };
  },
  run: () => team.v1.suppression.remove({ email }),
  done: () => `${email} is removed from suppression.`,
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
      text: "Deletes the contact with its properties, lists and events, and ends its workflows. The log of sent mail stays. To remove that too, choose Erase.",
    }),
    run: () => team.v1.contacts.delete(named),
    done: () => "The contact is deleted.",
    onDone,
    asked: { api: "v1", name: "contacts.delete", fields: named },
  };
};

const erasing = (
  named: Named,
  team: Team,
  hasBridge: boolean,
  onDone: () => void,
): Act<Awaited<ReturnType<typeof erase>>> => ({
  title: `Erase ${Object.values(named)[0]}?`,
  label: "Erase",
  color: "red",
  word: "erase",
  effect: async () => {
    const { erased, service, notReached } = await erase(named, team, { dryRun: true, hasBridge });
    return {
      text: (
        <Stack gap="xs">
          <Text size="sm">
            {hasBridge ? `In the bridge: ${countsIn(erased)}.` : `Erased: ${countsIn(erased)}.`}
            {service ? ` At the email service: ${countsIn(service)}.` : ""} This cannot be undone.
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
  run: () => erase(named, team, { dryRun: false, hasBridge }),
  done: ({ message, finished }) => (finished ? "The person is erased." : message),
  onDone,
  ...(hasBridge
    ? {
        asked: { api: "bridge" as const, name: "people.erase", fields: { ...named, service: true } },
        command: { name: "act", args: ["erase", ...Object.values(named)], options: ["--service"] },
      }
    : { asked: { api: "email" as const, name: "people.erase", fields: { team: team.id, ...listOf(named) } } }),
});
