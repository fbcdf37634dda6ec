/** `nodeId`: null if no single node is affected. */
type Finding = { nodeId: string | null; message: string };

/** Problems of a dry run by node id. */
export const problemsByNode = (problems: readonly Finding[]): ReadonlyMap<string, string> => {
  const all = new Map<string, string>();
  for (const { nodeId, message } of problems)
    if (nodeId !== null) all.set(nodeId, all.has(nodeId) ? `${all.get(nodeId)} ${message}` : message);
  return all;
};
