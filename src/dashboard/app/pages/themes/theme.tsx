import { Alert, Button, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { type Act, ActButton, type Effect } from "../../parts/acts/act.tsx";
import { Conflict } from "../../parts/acts/conflict.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useEdits } from "../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../parts/acts/leave-guard.ts";
import { conflictsIn, isUnseen, keptWith, keptWithout, NOT_SAVED } from "../../parts/acts/unsaved-fields.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer } from "../../parts/states.tsx";
import { DeleteUnused } from "../../parts/usage/delete.tsx";
import { LibraryHead } from "../../parts/usage/library-head.tsx";
import { UsedBy, Uses } from "../../parts/usage/usage.tsx";
import { reachOf } from "../../parts/usage/usage-words.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Rendered } from "../mail/content.tsx";
import { type KeptTheme, type Theme, theirsIn, typedOf, typedStyles } from "./edits.ts";
import { sampleWith } from "./sample.ts";
import { StyleFields } from "./style-fields.tsx";
import { draftedStyles, faultsOf, shownStyle, styleChanges } from "./styles.ts";

const route = getRouteApi("/team/templates/brand/$themeId");

export const ThemePage = () => {
  const { themeId } = route.useParams();
  return (
    <TeamPage
      title="Brand style"
      isOne
      more={() => <CopyAs asked={{ api: "v1", name: "themes.get", fields: { themeId } }} />}
    >
      {(team) => <One key={`${team.id} ${themeId}`} team={team} themeId={themeId} />}
    </TeamPage>
  );
};

const keyOf = (team: Team, themeId: string) => ["v1", team.id, "themes", "one", themeId];

const One = ({ team, themeId }: { team: Team; themeId: string }) => {
  const query = useQuery({
    queryKey: keyOf(team, themeId),
    queryFn: ({ signal }) => team.v1.themes.get({ themeId }, { signal }),
  });
  const { id } = team;
  return (
    <Stack>
      <Answer query={query}>{(theme) => <Edit team={team} theme={theme} />}</Answer>
      {id !== undefined && query.data && (
        <UsedBy
          queryKey={["email", id, "themes", themeId]}
          read={() => api.email.themes.usage({ team: id, themeId })}
        />
      )}
    </Stack>
  );
};

const Edit = ({ team, theme }: { team: Team; theme: Theme }) => {
  const queries = useQueryClient();
  const { kept, keep, undo } = useEdits<KeptTheme>(`fields of theme ${team.id} ${theme.id}`, {});
  const { styles } = theme;
  const stored = useMemo(() => typedOf(theme), [theme]);
  const typed = useMemo(() => typedStyles(kept), [kept]);
  const faults = useMemo(() => faultsOf(styles, typed), [styles, typed]);
  const changes = styleChanges(styles, typed);
  const name = kept.name?.now ?? theme.name;
  const isRenamed = name.trim() !== theme.name;
  const count = Object.keys(changes).length + (isRenamed ? 1 : 0);
  const conflicts = conflictsIn(stored, kept);
  useLeaveGuard(count > 0);
  useSaveKey();
  const fields = {
    themeId: theme.id,
    ...(isRenamed ? { name: name.trim() } : {}),
    ...(Object.keys(changes).length > 0 ? { styles: changes } : {}),
  };
  return (
    <Stack gap="md">
      <LibraryHead of={theme} lmx={`<Style themeId="${theme.id}" />`} gives="values" />
      <Group>
        <ActButton
          act={saving({ queries, team, theme, kept, fields, onSaved: undo })}
          disabled={count === 0}
          variant="filled"
          data-save
        >
          Save
        </ActButton>
        {count > 0 && (
          <Button size="xs" variant="default" onClick={undo}>
            Undo the changes
          </Button>
        )}
        <Text size="sm">{count === 0 ? "Nothing is changed." : `${count} changed`}</Text>
        {team.id !== undefined && <Delete team={team.id} theme={theme} />}
      </Group>
      {conflicts.length > 0 && (
        <Conflict theirs={theirsIn(theme, conflicts)} onTake={() => keep(keptWithout(kept, conflicts))} />
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <TextInput
              label="Name"
              maxLength={100}
              value={name}
              onChange={(event) => keep(keptWith(kept, stored, { name: event.currentTarget.value }))}
              error={name.trim() === "" ? "A theme needs a name." : undefined}
            />
            <StyleFields
              shownOf={(one) => shownStyle(styles, typed, one)}
              errorOf={(one) => faults[one]}
              onChange={(one, value) => keep(keptWith(kept, stored, { [one]: value }))}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Preview styles={draftedStyles(styles, typed)} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
};

const Delete = ({ team, theme: { id: themeId, name, isDefault } }: { team: string; theme: Theme }) => {
  const navigate = useNavigate();
  const fields = { team, themeId };
  return (
    <DeleteUnused
      noun="theme"
      name={name}
      isDefault={isDefault}
      usage={() => api.email.themes.usage(fields)}
      remove={() => api.email.themes.remove(fields)}
      onDone={() => void navigate({ to: "/templates/brand", search: { team } })}
      asked={{ api: "email", name: "themes.remove", fields }}
    />
  );
};

const Preview = ({ styles }: { styles: Readonly<Record<string, string | number>> }) => {
  const drawn = useMemo(() => sampleWith(styles), [styles]);
  if ("problem" in drawn) return <Alert color="red">{drawn.problem}</Alert>;
  return (
    <div className="sticky">
      <Rendered html={drawn.html} title="A sample mail with this theme" />
    </div>
  );
};

type Fields = Parameters<Team["v1"]["themes"]["update"]>[0];

type Saved = Awaited<ReturnType<Team["v1"]["themes"]["update"]>>;
type Saving = {
  queries: QueryClient;
  team: Team;
  theme: Theme;
  kept: KeptTheme;
  fields: Fields;
  onSaved: () => void;
};

/** Stops if it would overwrite unseen changes of another person. */
const save = async ({ queries, team, theme, kept, fields }: Saving): Promise<Saved | undefined> => {
  const { themeId } = fields;
  const read = await team.v1.themes.get({ themeId });
  queries.setQueryData(keyOf(team, themeId), read);
  return isUnseen(typedOf(theme), typedOf(read), kept) ? undefined : team.v1.themes.update(fields);
};

const effectOf = async (team: string | undefined, { themeId, styles }: Fields): Promise<Effect> => {
  if (styles === undefined) return { text: "Only its name changes. No message changes." };
  if (team === undefined) return { text: "Every message that uses it gets the new values within minutes." };
  const usage = await api.email.themes.usage({ team, themeId });
  return {
    text: (
      <Stack gap="xs">
        <Text size="sm">{reachOf(usage)}</Text>
        <Uses usage={usage} />
      </Stack>
    ),
  };
};

const doneOf = (name: string, n: number): string =>
  n === 0
    ? `${name} is saved.`
    : `${name} is saved. ${counted(n, "message")} ${n === 1 ? "gets" : "get"} it within minutes.`;

const saving = (asked: Saving): Act<Saved | undefined> => ({
  title: `Save ${asked.theme.name}?`,
  label: "Save",
  effect: () => effectOf(asked.team.id, asked.fields),
  run: () => save(asked),
  done: (saved) => (saved === undefined ? NOT_SAVED : doneOf(asked.theme.name, saved.affectedEmailCount)),
  onDone: (saved) => saved !== undefined && asked.onSaved(),
  asked: { api: "v1", name: "themes.update", fields: asked.fields },
});
