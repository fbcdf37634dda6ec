import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { Drawn } from "../drawn.ts";
import { countsText, nameOf, nodeOf } from "../workflow-words.ts";
import { type Entry, nestedOf } from "./nested.ts";

export const NestedList = (drawn: Drawn) => {
  const { workflow } = drawn;
  const entries = useMemo(() => nestedOf(workflow), [workflow]);
  return (
    <section aria-label="Steps of the workflow">
      <Steps drawn={drawn} entries={entries} />
    </section>
  );
};

const Steps = ({ drawn, entries }: { drawn: Drawn; entries: readonly Entry[] }) => (
  <ol className="workflow-steps">
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two jumps may lead to the same node
      <li key={`${entry.nodeId} ${index}`}>
        {entry.isJump ? <Jump drawn={drawn} nodeId={entry.nodeId} /> : <Step drawn={drawn} nodeId={entry.nodeId} />}
        {entry.paths && <Paths drawn={drawn} nodeId={entry.nodeId} paths={entry.paths} />}
      </li>
    ))}
  </ol>
);

const Paths = ({ drawn, nodeId, paths }: { drawn: Drawn; nodeId: string; paths: readonly Entry[][] }) => {
  const edges = nodeOf(drawn.status, nodeId)?.edges ?? [];
  return (
    <ul className="workflow-steps">
      {paths.map((path, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path has no other name
        <li key={index}>
          <Text size="sm">
            Path {index + 1} of {paths.length}: {(edges[index]?.passed ?? 0).toLocaleString("en")} took it
          </Text>
          {path.length > 0 && <Steps drawn={drawn} entries={path} />}
        </li>
      ))}
    </ul>
  );
};

const NodeLink = ({ drawn, nodeId, children }: { drawn: Drawn; nodeId: string; children: ReactNode }) => (
  <Anchor
    fw={drawn.selected === nodeId ? 700 : undefined}
    className="wrap"
    renderRoot={(props) => (
      <Link
        to="."
        search={(before: Record<string, unknown>) => ({ ...before, node: nodeId, cursor: undefined }) as never}
        replace
        aria-current={drawn.selected === nodeId ? "true" : undefined}
        {...props}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          drawn.onSelect(nodeId);
        }}
      />
    )}
  >
    {children}
  </Anchor>
);

const Step = ({ drawn, nodeId }: { drawn: Drawn; nodeId: string }) => {
  const node = nodeOf(drawn.status, nodeId);
  if (!node) return null;
  const problem = drawn.problems.get(nodeId);
  return (
    <div data-node={nodeId}>
      <NodeLink drawn={drawn} nodeId={nodeId}>
        {nameOf(node)}
      </NodeLink>
      <Text size="sm">{countsText(node)}</Text>
      {drawn.traced.includes(nodeId) && <Text size="sm">The trial came here</Text>}
      {problem !== undefined && (
        <Text size="sm" c="red">
          ⚠ {problem}
        </Text>
      )}
    </div>
  );
};

const Jump = ({ drawn, nodeId }: { drawn: Drawn; nodeId: string }) => {
  const node = nodeOf(drawn.status, nodeId);
  return (
    <Text size="sm">
      goes on with{" "}
      <NodeLink drawn={drawn} nodeId={nodeId}>
        {node?.text ?? nodeId}
      </NodeLink>
    </Text>
  );
};
