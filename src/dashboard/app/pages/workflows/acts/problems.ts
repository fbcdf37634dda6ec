import { findingWords } from "../../../parts/finding-words.ts";

/** `nodeId`: null if no single node is affected. */
type Finding = { nodeId: string | null; code: string; message: string };

/** Problems of a dry run by node id, in the words of the page. */
export const problemsByNode = (problems: readonly Finding[]): ReadonlyMap<string, string> => {
  const all = new Map<string, string>();
  for (const { nodeId, ...finding } of problems) {
    const words = findingWords(finding);
    if (nodeId !== null) all.set(nodeId, all.has(nodeId) ? `${all.get(nodeId)} ${words}` : words);
  }
  return all;
};
