import { admin } from "../../../src/routes/admin.ts";
import { checkedAnswer } from "../../bridge-answer.ts";
import type { Bench } from "./setup.ts";

const TOKEN = "an-admin-token-of-the-tests";

/** The admin API over the Outbox of a bench. Each answer is checked against the contract. */
export const adminOf = (bench: Bench, vars: Record<string, unknown> = {}) => {
  const stub = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        (...given: unknown[]) =>
          bench.ask((outbox) =>
            (outbox as unknown as Record<string, (...all: unknown[]) => unknown>)[name]?.(...given),
          ),
    },
  );
  const env = { ADMIN_TOKEN: TOKEN, OUTBOX: { getByName: () => stub }, ...vars };
  return async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<{ status: number; json: T }> => {
    const headers = { Authorization: `Bearer ${TOKEN}`, ...more };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await admin.request(path, init, env);
    const json = (await answer.json()) as T;
    return { status: answer.status, json: checkedAnswer(method, path, answer.status, json) };
  };
};
