import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../../../api/queries.ts";
import { useDraft } from "../../../parts/acts/draft.ts";
import { Refused } from "../../../parts/acts/refused.tsx";
import { toast } from "../../../parts/acts/toast.ts";
import { keyOf, type Shown } from "../read.ts";
import { type Beginning, buildOn, readPieces, unfinishedName } from "./build.ts";
import type { Piece } from "./pieces.ts";
import { BuildProgress } from "./progress.tsx";

/** What a new workflow lacks of its template, after a request for it failed; and the way on. */
export const Unfinished = (shown: Shown) => {
  const [kept, keep, clear] = useDraft<Beginning | null>(unfinishedName(shown.id, shown.workflow.id), null);
  if (kept === null) return null;
  const forget = () => {
    keep(null);
    clear();
  };
  return <Lacking {...shown} beginning={kept} onForget={forget} />;
};

const Lacking = ({
  team,
  id,
  workflow,
  beginning,
  onForget,
}: Shown & { beginning: Beginning; onForget: () => void }) => {
  const [made, setMade] = useState<readonly Piece[]>();
  const { data } = useQuery({
    queryKey: [...keyOf(id, workflow.id), "unfinished", workflow.workflowRevisionId],
    queryFn: () => readPieces(team.v1, workflow.id, beginning),
  });
  const build = useMutation({
    mutationFn: async () => {
      await buildOn(team.v1, workflow.id, beginning, setMade);
      await queries.invalidateQueries({ queryKey: keyOf(id, workflow.id) });
    },
    onSuccess: () => {
      toast("The workflow has all parts of its template.");
      onForget();
    },
  });
  const missing = data?.pieces.filter(({ isDone }) => !isDone) ?? [];
  if (missing.length === 0) return null;
  return (
    <Alert color="orange" title="This workflow lacks parts of its template" w="100%">
      <Stack gap="xs">
        <List size="sm">
          {missing.map(({ text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
            <List.Item key={index} style={{ overflowWrap: "anywhere" }}>
              {text}
            </List.Item>
          ))}
        </List>
        <Text size="sm">What was made stays. Nothing is made twice.</Text>
        {build.error && <Refused error={build.error} onProved={() => build.mutate()} />}
        {build.isPending && made && <BuildProgress pieces={made} />}
        <Group gap="xs">
          <Button size="xs" onClick={() => build.mutate()} loading={build.isPending}>
            Add what is missing
          </Button>
          <Button size="xs" variant="default" onClick={onForget} disabled={build.isPending}>
            Leave it as it is
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
