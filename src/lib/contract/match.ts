import { type Contract, type Operation, operationsOf } from "./operation.ts";

type Found = { name: string; operation: Operation };

/**
 * Returns a matcher of method and path to an operation. A path without parameters wins.
 *
 * @example matcherOf(v1, "/v1")("POST", "/v1/events/send?x=1")?.name // "events.send"
 */
export const matcherOf = (contract: Contract, prefix: string) => {
  const all = operationsOf(contract).map((found) => ({
    ...found,
    pattern: new RegExp(`^${prefix}${found.operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    parameters: found.operation.path.split("{").length,
  }));
  all.sort((a, b) => a.parameters - b.parameters);
  return (method: string, path: string): Found | undefined => {
    const [pathname = ""] = path.split("?");
    return all.find(({ operation, pattern }) => operation.method === method && pattern.test(pathname));
  };
};
