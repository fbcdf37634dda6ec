import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askToEnd } from "../../../../../lib/contract/admin/to-end.ts";
import { api } from "../../../api/api.ts";
import { showParts } from "../../../api/queries.ts";
import { CopyAs } from "../../../parts/acts/copy-as.tsx";
import { Panel } from "../../../parts/cards/cards.tsx";
import { Answer } from "../../../parts/states.tsx";
import { keyOf, type Shown } from "../use-workflow.ts";
import { DifferenceOf } from "./difference.tsx";

type Version = Awaited<ReturnType<typeof api.email.insight.versions>>["data"][number];

const labelOf = ({ revision, at, ran, isCurrent }: Version): string => {
  const notes = [...(isCurrent ? ["current"] : []), ...(ran ? ["ran"] : [])];
  const when = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return `${when}${notes.length > 0 ? ` (${notes.join(", ")})` : ""} · ${revision.slice(0, 10)}`;
};

type Range = { from: string | undefined; to: string | undefined };
type Props = Shown & Range & { onRange: (range: Range) => void; onSelect: (nodeId: string) => void };

/** Compares versions. Loads only when opened, because counting people who wait is slow. */
export const Versions = (props: Props) => {
  const [isOpen, setOpen] = useState(props.from !== undefined || props.to !== undefined);
  const toggle = (
    <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? "Hide the versions" : "Show the versions"}
    </Button>
  );
  return (
    <Panel title="Versions" aside={toggle}>
      {isOpen ? <Opened {...props} /> : <Text size="sm">What differs between two versions, and for whom.</Text>}
    </Panel>
  );
};

const Opened = ({ from, to, onRange, onSelect, ...shown }: Props) => {
  const { id: team, workflow } = shown;
  const fields = { team, workflowId: workflow.id };
  const query = useQuery({
    queryKey: [...keyOf(team, workflow.id), "versions", workflow.workflowRevisionId],
    queryFn: ({ signal }) => api.email.insight.versions(fields, { signal }),
  });
  return (
    <Answer query={query} rows={2}>
      {({ data }) => {
        const current = to ?? workflow.workflowRevisionId;
        const older = from ?? data.find(({ ran, isCurrent }) => ran && !isCurrent)?.revision ?? data[1]?.revision;
        const options = data.map((version) => ({ value: version.revision, label: labelOf(version) }));
        if (data.length < 2 || older === undefined) return <Text size="sm">It was never changed.</Text>;
        return (
          <Stack gap="xs">
            <Group gap="xs" align="flex-end">
              <Select
                label="From"
                size="xs"
                w={260}
                maw="100%"
                data={options}
                value={older}
                allowDeselect={false}
                onChange={(value) => onRange({ from: value ?? undefined, to })}
              />
              <Select
                label="To"
                size="xs"
                w={260}
                maw="100%"
                data={options}
                value={current}
                allowDeselect={false}
                onChange={(value) => onRange({ from, to: value ?? undefined })}
              />
              <CopyAs
                asked={{ api: "email", name: "insight.diff", fields: { ...fields, from: older, to: current } }}
                command={{
                  name: "workflow",
                  args: ["diff", workflow.id],
                  options: ["--from", older, "--to", current, "--team", team],
                }}
              />
            </Group>
            <Compared key={`${older} ${current}`} shown={shown} from={older} to={current} onSelect={onSelect} />
          </Stack>
        );
      }}
    </Answer>
  );
};

const Compared = ({
  shown: { id: team, workflow },
  from,
  to,
  onSelect,
}: {
  shown: Shown;
  from: string;
  to: string;
  onSelect: (nodeId: string) => void;
}) => {
  const queryKey = [...keyOf(team, workflow.id), "diff", from, to];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const fields = { team, workflowId: workflow.id, from, to };
      return askToEnd((more) => api.email.insight.diff({ ...fields, ...more }, { signal }), showParts(queryKey));
    },
    // Counting is expensive, so it runs only on opening and after edits.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Answer query={query} rows={2}>
      {(diff) => <DifferenceOf diff={diff} onSelect={onSelect} has={(nodeId) => nodeId in workflow.nodes} />}
    </Answer>
  );
};
