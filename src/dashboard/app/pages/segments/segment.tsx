import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Answer } from "../../parts/states.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { type Draft, draftOf, filterOf, problemsIn } from "./draft.ts";
import { type Fields, useFields } from "./fields.ts";
import { SegmentForm } from "./form.tsx";
import { DeleteSegment, UsedBy } from "./used-by.tsx";

type Stored = Awaited<ReturnType<Team["v1"]["audienceSegments"]["get"]>>;
const route = getRouteApi("/team/segments/$segmentId");

/** One segment: who is in it, what uses it, and its change. */
export const Segment = () => {
  const { segmentId } = route.useParams();
  return (
    <TeamPage
      title="A segment"
      actions={({ id }) =>
        id !== undefined && (
          <CopyAs asked={{ api: "v1", name: "audienceSegments.get", fields: { audienceSegmentId: segmentId } }} />
        )
      }
    >
      {(team) =>
        team.id === undefined ? (
          <Text>The email service is not deployed here.</Text>
        ) : (
          <One key={`${team.id} ${segmentId}`} team={team} id={team.id} segmentId={segmentId} />
        )
      }
    </TeamPage>
  );
};

const One = ({ team, id, segmentId }: { team: Team; id: string; segmentId: string }) => {
  const fields = useFields(team);
  const query = useQuery({
    queryKey: ["email", id, "segment", segmentId],
    queryFn: ({ signal }) => team.v1.audienceSegments.get({ audienceSegmentId: segmentId }, { signal }),
  });
  return (
    <Answer query={query}>
      {(segment) => (
        <Stack gap="lg">
          <Head team={id} segment={segment} />
          <Answer query={fields}>{(found) => <Form team={id} segment={segment} fields={found} />}</Answer>
        </Stack>
      )}
    </Answer>
  );
};

const Head = ({ team, segment }: { team: string; segment: Stored }) => (
  <Stack gap="xs">
    <Group gap="md">
      <Text fw={600} style={{ overflowWrap: "anywhere" }}>
        {segment.name}
      </Text>
      <Text size="sm">
        changed <Time at={segment.updatedAt} />
      </Text>
      <Id>{segment.id}</Id>
    </Group>
    <UsedBy team={team} segmentId={segment.id} />
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        renderRoot={(props) => <Link to="/people" search={{ segmentId: segment.id }} {...props} />}
      >
        All contacts in it
      </Button>
      <DeleteSegment team={team} segment={segment} />
    </Group>
  </Stack>
);

type FormProps = { team: string; segment: Stored; fields: Fields };

const Form = ({ team, segment, fields }: FormProps) => {
  const { id, name, description, filter: storedFilter } = segment;
  const initial = useMemo(() => draftOf(segment, fields.types), [segment, fields.types]);
  const [kept, keep, clear] = useDraft<Draft | undefined>(`segment ${team} ${id}`, undefined);
  const draft = kept ?? initial;
  const isSound = draft.name.trim() !== "" && Object.keys(problemsIn(draft, fields.types)).length === 0;
  const filter = isSound ? filterOf(draft, fields.types) : undefined;
  // The fields of the stored one may stand in another order.
  const isSameFilter =
    JSON.stringify(draft.conditions) === JSON.stringify(initial.conditions) && draft.match === initial.match;
  const changes = {
    ...(draft.name.trim() === name ? {} : { name: draft.name.trim() }),
    ...(draft.description.trim() === (description ?? "") ? {} : { description: draft.description.trim() || null }),
    ...(isSameFilter ? {} : { filter }),
  };
  const asked = { team, audienceSegmentId: id, ...changes };
  const isChanged = kept !== undefined && Object.keys(changes).length > 0;
  const undo = () => {
    keep(undefined);
    clear();
  };
  const update = useMutation({
    mutationFn: () => api.email.audience.updateSegment(asked),
    onSuccess: () => {
      undo();
      toast("The segment is saved.");
    },
  });
  const save = () => update.mutate();
  const denied = useDenied({ api: "email", name: "audience.updateSegment" });
  return (
    <SegmentForm
      {...{ team, fields, draft }}
      stored={{ id, filter: isSameFilter && filter ? filter : storedFilter }}
      error={update.error}
      onChange={keep}
      onSave={isChanged && isSound && denied === undefined && !update.isPending ? save : undefined}
    >
      {() => (
        <>
          {update.error && <Refused error={update.error} onProved={save} />}
          <Group>
            <Button type="submit" {...off(denied)} disabled={!isChanged || !isSound} loading={update.isPending}>
              Save
            </Button>
            {isChanged && (
              <>
                <Button variant="default" onClick={undo}>
                  Undo the changes
                </Button>
                {isSound && <CopyAs asked={{ api: "email", name: "audience.updateSegment", fields: asked }} />}
              </>
            )}
            <Text size="sm">{isChanged ? "Not saved yet. It stays in this tab." : "Nothing is changed."}</Text>
          </Group>
        </>
      )}
    </SegmentForm>
  );
};
