import { Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import { unsentOf } from "../shape.ts";
import type { Shown } from "../use-workflow.ts";
import { counted } from "../words.ts";
import { inWords, leaveText, waitText } from "./discard.ts";
import { ChangeList } from "./list.tsx";
import { Settings } from "./settings.tsx";

/** Rare acts on a workflow, as items of a menu. */
export const RareActs = (shown: Shown) => {
  const navigate = useNavigate();
  return (
    <>
      <Settings {...shown} />
      <ChangeList {...shown} />
      <ActButton act={deleting(shown, () => void navigate({ to: "/workflows" }))} icon="delete">
        Delete
      </ActButton>
    </>
  );
};

const deleting = (shown: Shown, onDone: () => void): Act<unknown> => {
  const { team, workflow, status } = shown;
  const { id: workflowId, workflowRevisionId: expectedRevisionId, name } = workflow;
  const fields = { workflowId, expectedRevisionId, confirmDelete: true };
  const unsent = unsentOf(status.nodes, Object.keys(workflow.nodes));
  return {
    title: `Delete the workflow ${name}?`,
    label: "Delete",
    color: "red",
    word: "delete",
    effect: () => ({
      text: (
        <Stack gap="xs">
          {workflow.status === "Sending" && <Text size="sm">It is live. Nobody enters it any more.</Text>}
          <Text size="sm">
            {status.active === 0
              ? "Nobody waits in it."
              : `${waitText(status.active)} in it. ${leaveText(status.active)}`}
          </Text>
          {unsent > 0 && <Text size="sm">{counted(unsent, "mail")} that did not leave yet will not be sent.</Text>}
          <Text size="sm">
            Its counts are deleted too. Its mails stay readable in the list of mails. This cannot be undone.
          </Text>
        </Stack>
      ),
    }),
    run: () =>
      team.v1.workflows.delete(fields).catch(async (error) => {
        throw await inWords(error, shown);
      }),
    done: () => `${name} is deleted.`,
    onDone,
    asked: { api: "v1", name: "workflows.delete", fields },
  };
};
