import { Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useAct } from "../../../api/use-act.ts";
import type { Asked } from "../../../parts/acts/commands.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { useLeaveGuard, useSaveKey } from "../../../parts/acts/leave-guard.ts";
import { toast } from "../../../parts/acts/toast.tsx";
import { isSame } from "../../../parts/acts/unsaved-fields.ts";
import { isStale } from "./change.ts";
import type { Kept, StepEdits } from "./edits.ts";
import { ChangeRefused, Conflict } from "./stale.tsx";

type Props<D> = {
  label: string;
  nodeId: string;
  edits: StepEdits;
  stored: D;
  isLocked: boolean;
  isSound: (draft: D) => boolean;
  /** The operation of a save. */
  asked: (draft: D) => Asked;
  /** Saves a draft. Resolves to what is stored then, once the page shows it. */
  save: (draft: D) => Promise<D>;
  done: string;
  /** A refusal that a field shows. */
  isShown?: (error: Error) => boolean;
  /** Effect on people who wait there. */
  note?: ReactNode;
  children: (draft: D, change: (next: D) => void, error: Error | null) => ReactNode;
};

/** Fields of a step. Typed values stay until they are saved, also beside a change of another person. */
export const StepForm = <D,>(props: Props<D>) => {
  const { label, nodeId, edits, stored, isLocked, isSound, asked, done, isShown, note, children } = props;
  const kept = edits.keptOf(nodeId) as Kept<D> | null;
  const draft = kept?.draft ?? stored;
  const isChanged = !isSame(draft, stored);
  const save = useAct({
    stays: true,
    mutationFn: async (sent: D) => ({ sent, now: await props.save(sent) }),
    onSuccess: ({ sent, now }) => {
      edits.saved(nodeId, sent, now);
      toast(done);
    },
  });
  const isConflict = kept !== null && isChanged && !save.isPending && !isSame(kept.base, stored);
  const denied = useDenied(asked(draft));
  const canSave = isChanged && isSound(draft) && !isLocked && !isConflict && !save.isPending;
  useLeaveGuard(edits.hasEdits);
  useSaveKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSave && denied === undefined) save.mutate(draft);
  };
  const change = (next: D) => {
    if (save.isError) save.reset();
    edits.keep(nodeId, { draft: next, base: kept?.base ?? stored });
  };
  const { error } = save;
  return (
    <form onSubmit={submit} aria-label={label} data-edits>
      <Fieldset variant="unstyled" p={0} disabled={isLocked}>
        <Stack gap="sm">
          {isConflict && (
            <Conflict
              onKeep={() => edits.keep(nodeId, { draft, base: stored })}
              onTake={() => edits.keep(nodeId, null)}
            />
          )}
          {children(draft, change, error !== null && isStale(error) ? null : error)}
          {isChanged && note}
          {error && !isShown?.(error) && <ChangeRefused error={error} onAgain={() => save.mutate(draft)} />}
          <Group gap="xs">
            <Button type="submit" {...off(denied)} disabled={!canSave} loading={save.isPending} data-save>
              Save the step
            </Button>
            {isChanged && (
              <>
                <Button variant="default" onClick={() => edits.keep(nodeId, null)}>
                  Undo the changes
                </Button>
                {isSound(draft) && <CopyAs asked={asked(draft)} />}
              </>
            )}
          </Group>
          {isChanged && <Text size="sm">Not saved yet. It stays in this tab.</Text>}
        </Stack>
      </Fieldset>
    </form>
  );
};
