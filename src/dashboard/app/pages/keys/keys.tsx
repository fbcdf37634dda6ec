import { Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { keyTestOf } from "../../parts/acts/commands.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import { ShownOnce } from "../../parts/dialog.tsx";
import { filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { type Column, ListTable, Second } from "../../parts/list/list-table.tsx";
import { Answer, Copyable, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { clock } from "../../parts/time.ts";
import { EmailPage } from "../../team/team.tsx";

export const Keys = () => (
  <EmailPage
    title="API keys"
    actions={(id) => <NewKey team={id} />}
    more={(id) => <CopyAs asked={{ api: "email", name: "keys.list", fields: { team: id } }} />}
  >
    {(id) => <Found team={id} />}
  </EmailPage>
);

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "keys"],
    queryFn: () => api.email.keys.list({ team }),
  });
  return (
    <Answer query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="key" title="No API keys yet">
            A program needs one to call the API.
          </Empty>
        ) : (
          <ListTable what="API keys" rows={data} columns={columnsFor(team)} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};

type Key = Awaited<ReturnType<typeof api.email.keys.list>>["data"][number];

const columnsFor = (team: string): readonly Column<Key>[] => [
  { title: "Name", cell: ({ name }) => name },
  { title: "Begins with", cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  { title: "Made", cell: ({ createdAt }) => <Time at={createdAt} />, onPhone: "named" },
  {
    title: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "not used yet" : <Time at={lastUsedAt} />),
    onPhone: "named",
  },
  {
    title: "State",
    cell: (key) =>
      key.revokedAt === null ? (
        <Revoke team={team} apiKey={key} />
      ) : (
        <>
          <Status kind="revoked" />
          <Second>
            <Time at={key.revokedAt} />
          </Second>
        </>
      ),
  },
];

/** A key that was used since is still in use by some program. */
const IN_USE_MS = 24 * 3_600_000;

const Revoke = ({ team, apiKey: { id: keyId, name, lastUsedAt } }: { team: string; apiKey: Key }) => {
  const isUsed = lastUsedAt !== null && clock() - Date.parse(lastUsedAt) < IN_USE_MS;
  return (
    <ActButton
      color="red"
      variant="outline"
      aria-label={`Revoke ${name}`}
      act={{
        title: `Revoke the API key ${name}?`,
        label: "Revoke",
        color: "red",
        word: "revoke",
        effect: () => ({
          text: (
            <Stack gap="sm">
              {isUsed && (
                <Note tone="bad" title="This key is in use.">
                  A program used it <Time at={lastUsedAt} />. Give that program another key first, else it stops.
                </Note>
              )}
              <Text size="sm">
                Every program that uses this key is refused from now on.
                {lastUsedAt === null && " No program has used it yet."} This cannot be undone.
              </Text>
            </Stack>
          ),
        }),
        run: () => api.email.keys.revoke({ team, keyId }),
        done: () => `${name} is revoked.`,
        asked: { api: "email", name: "keys.revoke", fields: { team, keyId } },
      }}
    >
      Revoke
    </ActButton>
  );
};

const NewKey = ({ team }: { team: string }) => (
  <FormDialog
    opener="New key"
    title="New API key"
    size="lg"
    first={{ name: "" }}
    check={{ name: filled("Write where the key is used, such as production") }}
    label="Create"
    run={({ name }) => api.email.keys.create({ team, name })}
    after={({ key }, close) => <Made apiKey={key} onClose={close} />}
    asked={({ name }) => ({ api: "email", name: "keys.create", fields: { team, name } })}
  >
    {(form) => (
      <TextInput
        label="Name"
        description="Where it is used, such as production"
        maxLength={100}
        {...form.getInputProps("name")}
        data-autofocus
      />
    )}
  </FormDialog>
);

/** The key is in no later answer. */
const Made = ({ apiKey, onClose }: { apiKey: string; onClose: () => void }) => {
  const { email } = useAbout();
  return (
    <ShownOnce onClose={onClose}>
      <Text size="sm">Put it in a password manager or a secret store now: it is not shown again.</Text>
      <Copyable text={apiKey} label="Copy the key" />
      <Text size="sm">To test it in a terminal, which asks for the key:</Text>
      <Copyable text={keyTestOf(email?.publicUrl ?? undefined)} label="Copy the test" />
    </ShownOnce>
  );
};
