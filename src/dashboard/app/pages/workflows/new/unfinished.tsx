import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { useDraft } from "../../../parts/acts/draft.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { toast } from "../../../parts/acts/toast.tsx";
import { keyOf, type Shown } from "../use-workflow.ts";
import type { Beginning } from "./beginning.ts";
import { buildOn, readPieces, unfinishedName } from "./build.ts";
import type { Piece } from "./pieces.ts";
import { BuildProgress } from "./progress.tsx";

/** Missing template parts after a failure. */
export const Unfinished = (shown: Shown) => {
  const [kept, keep, clear] = useDraft<Beginning | null>(unfinishedName(shown.id, shown.workflow.id), null);
  const drop = useCallback(() => {
    keep(null);
    clear();
  }, [keep, clear]);
  return kept && <Lacking {...shown} beginning={kept} onDrop={drop} />;
};

const Lacking = ({ team, id, workflow, beginning, onDrop }: Shown & { beginning: Beginning; onDrop: () => void }) => {
  const [made, setMade] = useState<readonly Piece[]>();
  const { data } = useQuery({
    queryKey: [...keyOf(id, workflow.id), "unfinished", workflow.workflowRevisionId],
    queryFn: () => readPieces(team.v1, workflow.id, beginning),
  });
  const build = useAct({
    mutationFn: async () => {
      await buildOn(team.v1, workflow.id, beginning, setMade);
      await queries.invalidateQueries({ queryKey: keyOf(id, workflow.id) });
    },
    onSuccess: () => {
      toast("The workflow has all parts of its template.");
      onDrop();
    },
  });
  const missing = data?.pieces.filter(({ isDone }) => !isDone) ?? [];
  const isWhole = data !== undefined && missing.length === 0 && !build.isPending;
  useEffect(() => {
    // A later manual deletion is not a missing part.
    if (isWhole) onDrop();
  }, [isWhole, onDrop]);
  if (data === undefined || missing.length === 0) return null;
  if (!data.canGoOn && !build.isPending) return <ChangedByHand missing={missing} onDrop={onDrop} />;
  return (
    <Alert color="orange" title="This workflow lacks parts of its template" w="100%">
      <Stack gap="xs">
        <Missing pieces={missing} />
        <Text size="sm">What was made stays. Nothing is made twice.</Text>
        {build.error && <Refused error={build.error} onProved={() => build.mutate()} />}
        {build.isPending && made && <BuildProgress pieces={made} />}
        <Group gap="xs">
          <Button size="xs" onClick={() => build.mutate()} loading={build.isPending}>
            Add what is missing
          </Button>
          <Button size="xs" variant="default" onClick={onDrop} disabled={build.isPending}>
            Leave it as it is
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};

const Missing = ({ pieces }: { pieces: readonly Piece[] }) => (
  <List size="sm">
    {pieces.map(({ text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
      <List.Item key={index} className="wrap">
        {text}
      </List.Item>
    ))}
  </List>
);

const ChangedByHand = ({ missing, onDrop }: { missing: readonly Piece[]; onDrop: () => void }) => (
  <Alert color="orange" title="This workflow was changed by hand before it had all parts of its template" w="100%">
    <Stack gap="xs">
      <Text size="sm">
        Nothing is added to it now, so that no step comes twice. Finish it in its steps below. These parts were not
        found at their place:
      </Text>
      <Missing pieces={missing} />
      <Group gap="xs">
        <Button size="xs" onClick={onDrop}>
          Finish it by hand
        </Button>
      </Group>
    </Stack>
  </Alert>
);
