import { Button, Group } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.tsx";
import { Answer } from "../../parts/states.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { type ConditionFields, useConditionFields } from "./condition-fields.ts";
import { type Draft, emptyDraft, filterOf, problemsIn } from "./draft.ts";
import { SegmentForm } from "./form.tsx";

export const NewSegment = () => (
  <EmailPage title="New segment" more={() => <CopyAs asked={{ api: "v1", name: "audienceSegments.list" }} />}>
    {(id, team) => <Found team={team} id={id} />}
  </EmailPage>
);

const Found = ({ team, id }: { team: Team; id: string }) => {
  const query = useConditionFields(team);
  return <Answer query={query}>{(fields) => <Form team={team} id={id} fields={fields} />}</Answer>;
};

const Form = ({ team, id, fields }: { team: Team; id: string; fields: ConditionFields }) => {
  const [draft, setDraft, clear] = useDraft<Draft>(`segment ${id} new`, emptyDraft);
  const navigate = useNavigate();
  const isReady = draft.name.trim() !== "" && Object.keys(problemsIn(draft, fields.types)).length === 0;
  const asked = (filter: AudienceFilter) => ({
    name: draft.name.trim(),
    ...(draft.description.trim() === "" ? {} : { description: draft.description.trim() }),
    filter,
  });
  const create = useAct({
    mutationFn: () => team.v1.audienceSegments.create(asked(filterOf(draft, fields.types))),
    onSuccess: ({ id: segmentId, name }) => {
      clear();
      toast(`${name} is created.`);
      void navigate({ to: "/segments/$segmentId", params: { segmentId } });
    },
  });
  const save = () => create.mutate();
  const denied = useDenied({ api: "v1", name: "audienceSegments.create" });
  return (
    <SegmentForm
      team={id}
      fields={fields}
      draft={draft}
      error={create.error}
      onChange={setDraft}
      onSave={isReady && denied === undefined && !create.isPending ? save : undefined}
    >
      {(filter) => (
        <>
          {create.error && <Refused error={create.error} onProved={save} />}
          <Group>
            <Button type="submit" {...off(denied)} disabled={!isReady} loading={create.isPending}>
              Create
            </Button>
            {filter && <CopyAs asked={{ api: "v1", name: "audienceSegments.create", fields: asked(filter) }} />}
          </Group>
        </>
      )}
    </SegmentForm>
  );
};
