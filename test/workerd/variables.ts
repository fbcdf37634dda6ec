import { env } from "cloudflare:workers";
import { onTestFinished } from "vitest";

/**
 * Sets variables of the Worker until the test ends; undefined removes one. All objects of a workerd share them, also
 * those of other test files.
 */
export const setVariables = (values: Record<string, unknown>): void => {
  const shared = env as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    const before = shared[name];
    onTestFinished(() => put(shared, name, before));
    put(shared, name, value);
  }
};

const put = (shared: Record<string, unknown>, name: string, value: unknown): void => {
  if (value === undefined) delete shared[name];
  else shared[name] = value;
};
