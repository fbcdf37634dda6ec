import { Button, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import { Icon } from "../../parts/icons.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { More } from "../../parts/page/more.tsx";
import type { Domain } from "./domain-words.ts";

type Fields = { team: string; domainId: string };
type Changes = Omit<Parameters<typeof api.email.domains.update>[0], "team" | "domainId">;

const text = (words: string) => <Text size="sm">{words}</Text>;

/** The equivalent `npm run domains` command. */
export const commandOf = (act: string, team: string, { name }: Pick<Domain, "name">): Command => ({
  name: "domains",
  args: [act, name],
  options: ["--team", team],
});

const changing = (
  fields: Fields,
  changes: Changes,
  words: { title: string; label: string; text: string; done: string },
  command?: Command,
): Act<Domain> => ({
  title: words.title,
  label: words.label,
  effect: () => ({ text: text(words.text) }),
  run: () => api.email.domains.update({ ...fields, ...changes } as Parameters<typeof api.email.domains.update>[0]),
  done: () => words.done,
  asked: { api: "email", name: "domains.update", fields: { ...fields, ...changes } },
  ...(command ? { command } : {}),
});

const makingDefault = (fields: Fields, { name, state }: Domain): Act<Domain> =>
  changing(
    fields,
    { isDefault: true },
    {
      title: `Send from ${name}?`,
      label: "Make it the default",
      text: `The From address of all mail of the team has ${name} from then on.${state === "verified" || state === "warning" ? "" : " It is not verified: no mail leaves until its records are right."}`,
      done: `Mail is sent from ${name}.`,
    },
    commandOf("default", fields.team, { name }),
  );

const endingWarmup = (fields: Fields, { name }: Domain): Act<Domain> =>
  changing(
    fields,
    { warmup: false },
    {
      title: `End the warm-up of ${name}?`,
      label: "End the warm-up",
      text: "Mail that waits for it leaves at once. Receivers may take a sudden lot of mail from a new domain for spam.",
      done: `The warm-up of ${name} has ended.`,
    },
    commandOf("warm", fields.team, { name }),
  );

const beginningWarmup = (fields: Fields, { name }: Domain): Act<Domain> =>
  changing(
    fields,
    { warmup: true },
    {
      title: `Warm ${name} up?`,
      label: "Begin a warm-up",
      text: "Only some marketing mail of a day leaves at first, and more of it each day for two weeks. The rest waits.",
      done: `The warm-up of ${name} begins.`,
    },
  );

const capping = (fields: Fields, { name }: Domain, capsTransactional: boolean): Act<Domain> =>
  changing(
    fields,
    { capsTransactional },
    {
      title: capsTransactional
        ? `Let transactional mail wait for the warm-up of ${name} too?`
        : `Let transactional mail of ${name} leave at once?`,
      label: capsTransactional ? "Let it wait" : "Let it leave",
      text: capsTransactional
        ? "Sign-in codes and receipts wait as well when the mails of a day have left."
        : "The warm-up holds back marketing mail only.",
      done: "The warm-up is changed.",
    },
  );

const rotating = (fields: Fields, { name }: Domain): Act<Domain> => ({
  title: `Replace the DKIM key of ${name}?`,
  label: "Make the next key",
  effect: () => ({
    text: text(
      "A next key is made, and its record is shown here. It signs as soon as a check finds that record; until then the present key does. The record of the former key stays needed for 7 days.",
    ),
  }),
  run: () => api.email.domains.rotate(fields),
  done: () => "The next key is made. Enter its record at your DNS provider.",
  asked: { api: "email", name: "domains.rotate", fields },
  command: commandOf("rotate", fields.team, { name }),
});

const deleting = (fields: Fields, { name, isDefault }: Domain, onDone: () => void): Act<unknown> => ({
  title: `Delete the domain ${name}?`,
  label: "Delete",
  color: "red",
  word: "delete",
  effect: () => ({
    text: text(
      `Its DKIM keys are deleted, so that its records are of no use any more.${isDefault ? " It is the default: another domain of the team takes its place, if there is one." : ""} A domain with mail that waits is not deleted. This cannot be undone.`,
    ),
  }),
  run: () => api.email.domains.remove(fields),
  done: () => `${name} is deleted.`,
  onDone,
  asked: { api: "email", name: "domains.remove", fields },
  command: commandOf("remove", fields.team, { name }),
});

type Props = { team: string; domain: Domain; isChecking: boolean; onCheck: () => void };

export const DomainActs = ({ team, domain, isChecking, onCheck }: Props) => {
  const navigate = useNavigate();
  useButtonKey("r");
  const fields = { team, domainId: domain.id };
  const { warmup } = domain;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="retry" />} onClick={onCheck} loading={isChecking} data-key="r">
        Check now
      </Button>
      <More>
        {!domain.isDefault && <ActButton act={makingDefault(fields, domain)}>Make it the default</ActButton>}
        {warmup === null ? (
          <ActButton act={beginningWarmup(fields, domain)}>Begin a warm-up</ActButton>
        ) : (
          <>
            <ActButton act={endingWarmup(fields, domain)}>End the warm-up</ActButton>
            <ActButton act={capping(fields, domain, !warmup.capsTransactional)}>
              {warmup.capsTransactional ? "Let transactional mail leave at once" : "Let transactional mail wait too"}
            </ActButton>
          </>
        )}
        {domain.keys.every(({ state }) => state !== "next") && (
          <ActButton act={rotating(fields, domain)}>Replace the DKIM key</ActButton>
        )}
        <ActButton act={deleting(fields, domain, () => void navigate({ to: "/settings/domains" }))}>
          Delete the domain
        </ActButton>
        <CopyAs asked={{ api: "email", name: "domains.get", fields }} />
        <CopyAs
          what="Zone file as command"
          asked={{ api: "email", name: "domains.zone", fields }}
          command={commandOf("zone", team, domain)}
        />
        <CopyAs
          what="Reports as command"
          asked={{ api: "email", name: "domains.reports", fields }}
          command={commandOf("reports", team, domain)}
        />
      </More>
    </>
  );
};
