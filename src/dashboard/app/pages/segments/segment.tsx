import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { Conflict } from "../../parts/acts/conflict.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useEdits } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { conflictsIn, isUnseen, keptSince, keptWith, keptWithout, typedOver } from "../../parts/acts/unsaved-fields.ts";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { type ConditionFields, useConditionFields } from "./condition-fields.ts";
import { filterOf, problemsIn } from "./draft.ts";
import { changesIn, formOf, type KeptSegment, type Segment as Stored, theirsIn, typedIn, typedOf } from "./edits.ts";
import { SegmentForm } from "./form.tsx";
import { DeleteSegment, UsedBy } from "./used-by.tsx";

const route = getRouteApi("/team/segments/$segmentId");

export const Segment = () => {
  const { segmentId } = route.useParams();
  return (
    <EmailPage
      title="Segment"
      isOne
      more={(_id) => (
        <CopyAs asked={{ api: "v1", name: "audienceSegments.get", fields: { audienceSegmentId: segmentId } }} />
      )}
    >
      {(id, team) => <One key={segmentId} team={team} id={id} segmentId={segmentId} />}
    </EmailPage>
  );
};

const keyOf = (team: string, segmentId: string) => ["email", team, "segment", segmentId];

const One = ({ team, id, segmentId }: { team: Team; id: string; segmentId: string }) => {
  const fields = useConditionFields(team);
  const query = useQuery({
    queryKey: keyOf(id, segmentId),
    queryFn: ({ signal }) => team.v1.audienceSegments.get({ audienceSegmentId: segmentId }, { signal }),
  });
  return (
    <Answer query={query}>
      {(segment) => (
        <Stack gap="lg">
          <Head team={id} segment={segment} />
          <Answer query={fields}>
            {(conditionFields) => <Form team={team} id={id} segment={segment} fields={conditionFields} />}
          </Answer>
        </Stack>
      )}
    </Answer>
  );
};

const Head = ({ team, segment }: { team: string; segment: Stored }) => (
  <>
    <PageHead
      name={segment.name}
      meta={
        <>
          <Text size="sm">
            changed <Time at={segment.updatedAt} />
          </Text>
          <Id>{segment.id}</Id>
        </>
      }
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/people" search={{ segmentId: segment.id }} {...props} />}
          >
            All contacts in it
          </Button>
          <DeleteSegment team={team} segment={segment} />
        </>
      }
    />
    <UsedBy team={team} segmentId={segment.id} />
  </>
);

type FormProps = { team: Team; id: string; segment: Stored; fields: ConditionFields };

/** Stops if it would overwrite unseen changes of another person. */
const useSave = ({ team, id, segment, fields }: FormProps, kept: KeptSegment, onSaved: OnSaved) => {
  const queries = useQueryClient();
  const { id: audienceSegmentId } = segment;
  return useAct({
    stays: true,
    mutationFn: async () => {
      const read = await team.v1.audienceSegments.get({ audienceSegmentId });
      queries.setQueryData(keyOf(id, audienceSegmentId), read);
      if (isUnseen(typedOf(segment, fields.types), typedOf(read, fields.types), kept)) return undefined;
      const changes = changesIn(read, kept, fields.types);
      if (Object.keys(changes).length === 0) return { sent: kept, stored: read };
      const stored = await api.email.audience.updateSegment({ team: id, audienceSegmentId, ...changes });
      return { sent: kept, stored };
    },
    onSuccess: (saved) => {
      if (saved === undefined) return;
      queries.setQueryData(keyOf(id, audienceSegmentId), saved.stored);
      onSaved(saved.sent, saved.stored);
      toast("The segment is saved.");
    },
  });
};

/** `sent`: unsaved values when the save began. */
type OnSaved = (sent: KeptSegment, stored: Stored) => void;

const Form = (props: FormProps) => {
  const { id: team, segment, fields } = props;
  const { types } = fields;
  const { id } = segment;
  const stored = useMemo(() => typedOf(segment, types), [segment, types]);
  const { kept, keep, undo, saved } = useEdits<KeptSegment>(`fields of segment ${team} ${id}`, {});
  const draft = formOf(typedOver(stored, kept));
  const isSound = draft.name.trim() !== "" && Object.keys(problemsIn(draft, types)).length === 0;
  const isSameFilter = kept.filter === undefined;
  // The stored filter may have another key order.
  const storedFilter = isSameFilter && isSound ? filterOf(draft, types) : segment.filter;
  const changes = isSound ? changesIn(segment, kept, types) : {};
  const isChanged = isSound ? Object.keys(changes).length > 0 : Object.keys(kept).length > 0;
  const update = useSave(props, kept, (sent, now) =>
    saved(sent, (typed) => keptSince(sent, typed, typedOf(now, types))),
  );
  const save = () => update.mutate();
  const conflicts = update.isPending ? [] : conflictsIn(stored, kept);
  const denied = useDenied({ api: "email", name: "audience.updateSegment" });
  return (
    <SegmentForm
      team={team}
      fields={fields}
      draft={draft}
      stored={{ id, filter: storedFilter }}
      error={update.error}
      onChange={(next) => keep(keptWith(kept, stored, typedIn(next)))}
      onSave={isChanged && isSound && denied === undefined && !update.isPending ? save : undefined}
    >
      {() => (
        <>
          {conflicts.length > 0 && (
            <Conflict theirs={theirsIn(segment, conflicts)} onTake={() => keep(keptWithout(kept, conflicts))} />
          )}
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
                {isSound && <CopyAs asked={askedFor(team, id, changes)} />}
              </>
            )}
            <Text size="sm">{isChanged ? "Not saved yet. It stays in this tab." : "Nothing is changed."}</Text>
          </Group>
        </>
      )}
    </SegmentForm>
  );
};

const askedFor = (team: string, audienceSegmentId: string, changes: object) => ({
  api: "email" as const,
  name: "audience.updateSegment",
  fields: { team, audienceSegmentId, ...changes },
});
