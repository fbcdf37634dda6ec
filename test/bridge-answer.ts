import { bridgeContract } from "../src/lib/contract/admin/bridge.ts";
import { operationsOf } from "../src/lib/contract/operation.ts";

const operations = operationsOf(bridgeContract).map(({ name, operation }) => ({
  name,
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  parameters: operation.path.split("{").length,
}));
// "/deliveries/retry" is not a single delivery.
operations.sort((a, b) => a.parameters - b.parameters);

const bridgeOperationAt = (method: string, path: string) =>
  operations.find(({ operation, pattern }) => operation.method === method && pattern.test(path.split("?")[0] ?? ""));

/**
 * Checks an answer of the bridge's admin API against its contract, and returns it.
 *
 * @param path with or without `/admin`
 */
export const checkedAnswer = <T>(method: string, path: string, status: number, body: T): T => {
  const { pathname } = new URL(path, "http://bridge");
  const found = bridgeOperationAt(method, pathname.replace(/^\/admin(?=\/)/, ""));
  if (!found || status >= 300) return body;
  const { operation, name } = found;
  if (status !== operation.status) throw new Error(`${name} answered ${status} and not ${operation.status}.`);
  const parsed = operation.response.safeParse(body);
  if (!parsed.success)
    throw new Error(
      `${name} answered what its contract does not have: ${parsed.error.message}\n${JSON.stringify(body)}`,
    );
  return body;
};
