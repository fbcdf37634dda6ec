import { Button, Group, List, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../../api/api.ts";
import { pageWords } from "../../../api/page-words.ts";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { answerOf, useScan } from "../../../parts/scan.ts";
import { Answer, Newer } from "../../../parts/states.tsx";
import { Time } from "../../../parts/text.tsx";
import { keyOf, type NodeStatus, type Shown } from "../use-workflow.ts";
import { people } from "../words.ts";

type One = Awaited<ReturnType<typeof api.email.insight.here>>["data"][number];
type Removed = Awaited<ReturnType<typeof api.email.workflows.remove>>;

const nameOf = ({ contact: { id, email, userId } }: One): string => email ?? userId ?? id;
const idOf = ({ contact: { id }, run }: One): string => `${id} ${run}`;

const takingOut = ({ id: team, workflow }: Shown, one: One): Act<Removed> => {
  const fields = { team, workflowId: workflow.id, contact: one.contact.id };
  return {
    title: `Take ${nameOf(one)} out of ${workflow.name}?`,
    label: "Take out",
    color: "red",
    effect: () => ({
      text: (
        <Text size="sm">
          The passage ends here, and the person gets none of the later mails. Mail that is queued already is sent. This
          cannot be undone: a person enters again only where the trigger lets people enter more than once.
        </Text>
      ),
    }),
    run: () => api.email.workflows.remove(fields),
    done: ({ removed }) =>
      removed === 0
        ? `${nameOf(one)} is not in ${workflow.name} any more.`
        : `${nameOf(one)} is out of ${workflow.name}.`,
    asked: { api: "email", name: "workflows.remove", fields },
    command: { name: "workflow", args: ["remove", workflow.id, one.contact.id], options: ["--team", team] },
  };
};

/** People who wait, next first. */
export const Here = ({ shown, node }: { shown: Shown; node: NodeStatus }) => {
  const { id: team, workflow } = shown;
  const [cursor, setCursor] = useState<string>();
  const fields = { team, workflowId: workflow.id, nodeId: node.nodeId };
  const scan = useScan<One>(
    [...keyOf(team, workflow.id), "here", node.nodeId],
    (at, signal) => api.email.insight.here({ ...fields, cursor: at, perPage: "20" as never }, { signal }),
    { cursor, idOf, rows: 20 },
  );
  const { next, isLooking } = scan;
  return (
    <Stack gap="xs">
      <Answer query={answerOf(scan)} rows={2}>
        {(found) =>
          found.length === 0 ? (
            <Text size="sm">{cursor === undefined ? "Nobody waits here now." : "Nobody else waits here."}</Text>
          ) : (
            <>
              <Text size="sm">
                {people(node.waiting, "waits", "wait")} here. The next step of those above is due first.
              </Text>
              <List size="sm" listStyleType="none" spacing="xs" aria-label="people here">
                {found.map((one) => (
                  <List.Item key={idOf(one)}>
                    <Person shown={shown} one={one} />
                  </List.Item>
                ))}
              </List>
            </>
          )
        }
      </Answer>
      {!isLooking && (cursor !== undefined || typeof next === "string") && (
        <Group>
          {cursor !== undefined && (
            <Button size="xs" variant="default" onClick={() => setCursor(undefined)}>
              First
            </Button>
          )}
          {typeof next === "string" && (
            <Button size="xs" variant="default" onClick={() => setCursor(next)}>
              More
            </Button>
          )}
        </Group>
      )}
      <Group>
        <CopyAs
          asked={{ api: "email", name: "insight.here", fields }}
          command={{ name: "workflow", args: ["here", workflow.id], options: ["--team", team] }}
        />
      </Group>
      <Newer of={[scan]} />
    </Stack>
  );
};

const Person = ({ shown, one }: { shown: Shown; one: One }) => {
  const { contact, since, until, why } = one;
  return (
    <Stack gap={2} align="flex-start">
      <Link
        to="/people/$personId"
        params={{ personId: contact.email ?? contact.userId ?? contact.id }}
        className="wrap"
      >
        {nameOf(one)}
      </Link>
      <Text size="sm">
        Here since <Time at={since} />, next step <Time at={until} />.
      </Text>
      <Text size="xs" className="wrap">
        {pageWords(why)}
      </Text>
      <ActButton act={takingOut(shown, one)} size="compact-xs">
        Take out of the workflow
      </ActButton>
    </Stack>
  );
};
