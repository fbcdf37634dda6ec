import { Alert, Button, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../parts/acts/leave-guard.ts";
import { counted } from "../../parts/ledger/words.ts";
import { Answer } from "../../parts/states.tsx";
import { DeleteUnused } from "../../parts/usage/delete.tsx";
import { LibraryHead } from "../../parts/usage/library-head.tsx";
import { UsedBy, Uses } from "../../parts/usage/usage.tsx";
import { reachOf } from "../../parts/usage/words.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Rendered } from "../mail/content.tsx";
import { draftedStyles, faultsOf, type StyleDraft, shownStyle, styleChanges } from "./fields.ts";
import { sampleWith } from "./sample.ts";
import { StyleFields } from "./style-fields.tsx";

type Theme = Awaited<ReturnType<Team["v1"]["themes"]["get"]>>;
type Draft = { name?: string; styles: StyleDraft };

const route = getRouteApi("/team/themes/$themeId");

/** One theme: its values, a sample with them, and the messages that a change reaches. */
export const ThemePage = () => {
  const { themeId } = route.useParams();
  return (
    <TeamPage title="A theme" actions={() => <CopyAs asked={{ api: "v1", name: "themes.get", fields: { themeId } }} />}>
      {(team) => <One key={`${team.id} ${themeId}`} team={team} themeId={themeId} />}
    </TeamPage>
  );
};

const One = ({ team, themeId }: { team: Team; themeId: string }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "themes", "one", themeId],
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
  const [draft, setDraft, clear] = useDraft<Draft>(`theme ${team.id} ${theme.id}`, { styles: {} });
  const { styles } = theme;
  const faults = useMemo(() => faultsOf(styles, draft.styles), [styles, draft]);
  const changes = styleChanges(styles, draft.styles);
  const name = draft.name ?? theme.name;
  const isRenamed = name.trim() !== theme.name;
  const count = Object.keys(changes).length + (isRenamed ? 1 : 0);
  const undo = () => {
    setDraft({ styles: {} });
    clear();
  };
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
        <ActButton act={saving(team, theme, fields, undo)} disabled={count === 0} variant="filled" data-save>
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
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <TextInput
              label="Name"
              maxLength={100}
              value={name}
              onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
              error={name.trim() === "" ? "A theme needs a name." : undefined}
            />
            <StyleFields
              shownOf={(one) => shownStyle(styles, draft.styles, one)}
              errorOf={(one) => faults[one]}
              onChange={(one, value) => setDraft({ ...draft, styles: { ...draft.styles, [one]: value } })}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Preview styles={draftedStyles(styles, draft.styles)} />
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
      {...{ noun: "theme", name, isDefault }}
      usage={() => api.email.themes.usage(fields)}
      remove={() => api.email.themes.remove(fields)}
      onDone={() => void navigate({ to: "/themes", search: { team } })}
      asked={{ api: "email", name: "themes.remove", fields }}
    />
  );
};

const Preview = ({ styles }: { styles: Theme["styles"] }) => {
  const drawn = useMemo(() => sampleWith(styles), [styles]);
  if ("problem" in drawn) return <Alert color="red">{drawn.problem}</Alert>;
  return (
    // Beside a long form the sample stays in sight.
    <div style={{ position: "sticky", top: 70 }}>
      <Rendered html={drawn.html} title="A sample mail with this theme" />
    </div>
  );
};

type Fields = Parameters<Team["v1"]["themes"]["update"]>[0];

const saving = (
  { id, v1 }: Team,
  { id: themeId, name }: Theme,
  fields: Fields,
  onSaved: () => void,
): Act<Awaited<ReturnType<Team["v1"]["themes"]["update"]>>> => ({
  title: `Save ${name}?`,
  label: "Save",
  effect: async () => {
    if (fields.styles === undefined) return { text: "Only its name changes. No message changes." };
    if (id === undefined) return { text: "Every message that uses it gets the new values within minutes." };
    const usage = await api.email.themes.usage({ team: id, themeId });
    return {
      text: (
        <Stack gap="xs">
          <Text size="sm">{reachOf(usage)}</Text>
          <Uses usage={usage} />
        </Stack>
      ),
    };
  },
  run: () => v1.themes.update(fields),
  done: ({ affectedEmailCount: n }) =>
    n === 0
      ? `${name} is saved.`
      : `${name} is saved. ${counted(n, "message")} ${n === 1 ? "gets" : "get"} it within minutes.`,
  onDone: onSaved,
  asked: { api: "v1", name: "themes.update", fields },
});
