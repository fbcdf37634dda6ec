import { Alert, Anchor, List, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { api } from "../../../api/api.ts";
import { findingWords } from "../../../parts/finding-words.ts";
import { NodeButton } from "../node-button.tsx";

export type Looked = Awaited<ReturnType<typeof api.email.workflows.start>>;
type Finding = Looked["problems"][number];

const IN_SETTINGS = "in the settings of the team";

type Props = { onNode: (nodeId: string) => void };

/** Findings of a start dry run, linked to nodes. */
export const Findings = ({ looked: { problems, warnings }, onNode }: { looked: Looked } & Props) => (
  <Stack gap="sm">
    <Found title="It cannot be started yet" color="red" found={problems} onNode={onNode} />
    <Found title="Look at this too" color="yellow" found={warnings} onNode={onNode} />
  </Stack>
);

const Found = ({ title, color, found, onNode }: { title: string; color: string; found: Finding[] } & Props) =>
  found.length === 0 ? null : (
    <Alert variant="light" color={color} title={title}>
      <List size="sm">
        {found.map(({ nodeId, code, message }) => (
          <List.Item key={`${nodeId} ${code} ${message}`} className="wrap">
            {findingWords({ code, message })}{" "}
            {nodeId !== null && (
              <NodeButton c="inherit" onPress={() => onNode(nodeId)} label={`Show the step: ${message}`}>
                Show the step
              </NodeButton>
            )}
          </List.Item>
        ))}
      </List>
      {found.some((one) => findingWords(one).includes(IN_SETTINGS)) && (
        <Anchor
          size="sm"
          c="inherit"
          underline="always"
          display="inline-block"
          lh="24px"
          mt={4}
          renderRoot={(props) => <Link to="/settings" {...props} />}
        >
          Settings of the team
        </Anchor>
      )}
    </Alert>
  );
