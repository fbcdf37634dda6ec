/** A reason why a workflow cannot start. `nodeId`: null where it is about no single node. */
type Finding = { nodeId: string | null; message: string };

/** The problems of a dry run by their node. */
export const problemsByNode = (problems: readonly Finding[]): ReadonlyMap<string, string> => {
  const all = new Map<string, string>();
  for (const { nodeId, message } of problems)
    if (nodeId !== null) all.set(nodeId, all.has(nodeId) ? `${all.get(nodeId)} ${message}` : message);
  return all;
};
