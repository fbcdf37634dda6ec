import { type Contract, type Operation, operationsOf } from "./operation.ts";

/** An operation with its dotted name. */
type Found = { name: string; operation: Operation };

/**
 * Finds the operation for a method and a path; undefined when the contract has none. The path may have a query and one
 * slash at its end. A path without parameters wins over one with parameters.
 *
 * @param prefix path before every operation's own, such as "/v1"
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
