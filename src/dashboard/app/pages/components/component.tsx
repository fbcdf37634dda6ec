import { Button, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { type Act, ActButton, type Effect } from "../../parts/acts/act.tsx";
import { Conflict } from "../../parts/acts/conflict.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useEdits } from "../../parts/acts/draft.ts";
import { useLeaveGuard, useSaveKey } from "../../parts/acts/leave-guard.ts";
import { conflictsIn, isUnseen, type Kept, keptWith, keptWithout, NOT_SAVED } from "../../parts/acts/unsaved-fields.ts";
import { LmxEditor } from "../../parts/editor/lmx-editor.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Answer, Problem } from "../../parts/states.tsx";
import { DeleteUnused } from "../../parts/usage/delete.tsx";
import { LibraryHead } from "../../parts/usage/library-head.tsx";
import { UsedBy, Uses } from "../../parts/usage/usage.tsx";
import { reachOf } from "../../parts/usage/usage-words.ts";
import { type Library, useLibrary } from "../../team/library.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Rendered } from "../mail/content.tsx";
import { drawn, problemsOf } from "./drawn.ts";

type Component = Awaited<ReturnType<Team["v1"]["components"]["get"]>>;
type Typed = Pick<Component, "name" | "lmx">;

const route = getRouteApi("/team/templates/components/$componentId");

export const ComponentPage = () => {
  const { componentId } = route.useParams();
  return (
    <TeamPage
      title="Component"
      isOne
      more={() => <CopyAs asked={{ api: "v1", name: "components.get", fields: { componentId } }} />}
    >
      {(team) => <One key={`${team.id} ${componentId}`} team={team} componentId={componentId} />}
    </TeamPage>
  );
};

const keyOf = (team: Team, componentId: string) => ["v1", team.id, "components", "one", componentId];

const One = ({ team, componentId }: { team: Team; componentId: string }) => {
  const query = useQuery({
    queryKey: keyOf(team, componentId),
    queryFn: ({ signal }) => team.v1.components.get({ componentId }, { signal }),
  });
  const { id } = team;
  return (
    <Stack>
      <Answer query={query}>{(component) => <Edit team={team} component={component} />}</Answer>
      {id !== undefined && query.data && (
        <UsedBy
          queryKey={["email", id, "components", componentId]}
          read={() => api.email.components.usage({ team: id, componentId })}
        />
      )}
    </Stack>
  );
};

const typedOf = ({ name, lmx }: Component): Typed => ({ name, lmx });

const theirsIn = (component: Component, fields: readonly (keyof Typed)[]) =>
  fields.map((field) => ({ label: field === "name" ? "Name" : "LMX", text: component[field] }));

const NONE: Library["library"] = { themes: {}, components: {} };

const Edit = ({ team, component }: { team: Team; component: Component }) => {
  const queries = useQueryClient();
  const { kept, keep, undo } = useEdits<Kept<Typed>>(`fields of component ${team.id} ${component.id}`, {});
  const change = (fields: Partial<Typed>) => keep(keptWith(kept, typedOf(component), fields));
  const conflicts = conflictsIn(typedOf(component), kept);
  const query = useLibrary(team);
  const library = query.data?.library ?? NONE;
  const lmx = kept.lmx?.now ?? component.lmx;
  const name = kept.name?.now ?? component.name;
  const problems = useMemo(() => problemsOf(lmx, library, component.id), [lmx, library, component.id]);
  const html = useMemo(() => drawn(lmx, library), [lmx, library]);
  const changes = {
    ...(name.trim() === component.name ? {} : { name: name.trim() }),
    ...(lmx === component.lmx ? {} : { lmx }),
  };
  const isChanged = Object.keys(changes).length > 0;
  useLeaveGuard(isChanged);
  useSaveKey();
  return (
    <Stack gap="md">
      <LibraryHead of={component} lmx={`<Component componentId="${component.id}" />`} gives="content" />
      <Group>
        <ActButton
          act={saving({ queries, team, component, kept, changes, onSaved: undo })}
          disabled={!isChanged}
          variant="filled"
          data-save
        >
          Save
        </ActButton>
        {isChanged && (
          <Button size="xs" variant="default" onClick={undo}>
            Undo the changes
          </Button>
        )}
        <Text size="sm">{isChanged ? "Not saved yet." : "Nothing is changed."}</Text>
        {team.id !== undefined && <Delete team={team.id} component={component} />}
      </Group>
      {conflicts.length > 0 && (
        <Conflict theirs={theirsIn(component, conflicts)} onTake={() => keep(keptWithout(kept, conflicts))} />
      )}
      <Problem query={query} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <TextInput
              label="Name"
              maxLength={100}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={name.trim() === "" ? "A component needs a name." : undefined}
            />
            <LmxEditor
              value={lmx}
              onChange={(next) => change({ lmx: next })}
              problems={problems}
              kind="transactional"
              label={`LMX of the component ${component.name}`}
              {...(query.data ? { components: query.data.components, themes: query.data.themes } : {})}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {html === undefined ? (
            <Text size="sm">The preview comes when the LMX has no error.</Text>
          ) : (
            <Rendered html={html} title="The component in a mail" />
          )}
        </Grid.Col>
      </Grid>
    </Stack>
  );
};

const Delete = ({ team, component: { id: componentId, name } }: { team: string; component: Component }) => {
  const navigate = useNavigate();
  const fields = { team, componentId };
  return (
    <DeleteUnused
      noun="component"
      name={name}
      usage={() => api.email.components.usage(fields)}
      remove={() => api.email.components.remove(fields)}
      onDone={() => void navigate({ to: "/templates/components", search: { team } })}
      asked={{ api: "email", name: "components.remove", fields }}
    />
  );
};

const effectOf = async (id: string | undefined, componentId: string, lmx: string | undefined): Promise<Effect> => {
  if (lmx === undefined) return { text: "Only its name changes. No message changes." };
  if (id === undefined) return { text: "Every message that uses it gets the new content within minutes." };
  const usage = await api.email.components.usage({ team: id, componentId });
  return {
    text: (
      <Stack gap="xs">
        <Text size="sm">{reachOf(usage)}</Text>
        {usage.total > 0 && (
          <Text size="sm">Content that some of them could not be sent with is refused, and nothing is saved then.</Text>
        )}
        <Uses usage={usage} />
      </Stack>
    ),
  };
};

type Saved = Awaited<ReturnType<Team["v1"]["components"]["update"]>>;

type Saving = {
  queries: QueryClient;
  team: Team;
  component: Component;
  kept: Kept<Typed>;
  changes: Partial<Typed>;
  onSaved: () => void;
};

/** Stops if it would overwrite unseen changes of another person. */
const save = async ({ queries, team, component, kept, changes }: Saving): Promise<Saved | undefined> => {
  const { id: componentId } = component;
  const read = await team.v1.components.get({ componentId });
  queries.setQueryData(keyOf(team, componentId), read);
  if (isUnseen(typedOf(component), typedOf(read), kept)) return undefined;
  return team.v1.components.update({ componentId, ...changes });
};

const doneOf = (name: string, n: number): string =>
  n === 0
    ? `${name} is saved.`
    : `${name} is saved. ${counted(n, "message")} ${n === 1 ? "gets" : "get"} it within minutes.`;

const saving = (asked: Saving): Act<Saved | undefined> => {
  const { team, component, changes, onSaved } = asked;
  const { id: componentId, name } = component;
  return {
    title: `Save ${name}?`,
    label: "Save",
    effect: () => effectOf(team.id, componentId, changes.lmx),
    run: () => save(asked),
    done: (saved) => (saved === undefined ? NOT_SAVED : doneOf(name, saved.affectedEmailCount)),
    onDone: (saved) => saved !== undefined && onSaved(),
    asked: { api: "v1", name: "components.update", fields: { componentId, ...changes } },
  };
};
