import { APIError, LoopsClient } from "loops";
import { expect } from "vitest";
import { type Mailspan, secrets } from "../system/mailspan.ts";
import type { Shape } from "./shapes.ts";

type Method = {
  [K in keyof LoopsClient]: LoopsClient[K] extends (...args: never) => unknown ? K : never;
}[keyof LoopsClient];
export type Answer<M extends Method> = Awaited<ReturnType<LoopsClient[M]>>;

export const methodsOf = (): string[] =>
  Object.getOwnPropertyNames(LoopsClient.prototype).filter((name) => !/^(constructor|_)/.test(name));

/** Methods of campaigns: test/clients/official-client-campaigns.test.ts. */
export const isCampaignMethod = (name: string): boolean => /Campaigns?$/.test(name);

/** Methods of workflows: test/clients/official-client-workflows.test.ts. */
export const isWorkflowMethod = (name: string): boolean => /Workflow/.test(name);

export const isContentMethod = (name: string): boolean =>
  /^(create|update|ensure|publish)TransactionalEmail|Theme|Component|EmailMessage|Group|Upload|AudienceSegment/.test(
    name,
  );

export const operator = async (mailspan: Mailspan, path: string, body: unknown) => {
  const response = await fetch(`${mailspan.emailUrl}/admin/teams${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${path}: ${response.status}`).toBe(true);
  return (await response.json()) as { id: string; key: string };
};

/** The client of a team. Adds each method that got an answer to `used`. */
export const recordingClient = (mailspan: Mailspan, key: string, used: Set<string>): LoopsClient => {
  const client = new LoopsClient(key);
  client.apiRoot = `${mailspan.emailUrl}/`;
  return new Proxy(client, {
    get(target, name: Method) {
      const member: unknown = target[name];
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        const answer: unknown = await member.apply(target, args);
        used.add(name);
        return answer;
      };
    },
  });
};

/** The same with a pause before each request: the team's limit is ten a second. */
export const pacedClient = (mailspan: Mailspan, key: string, used: Set<string>): LoopsClient =>
  new Proxy(recordingClient(mailspan, key, used), {
    get: (target, name: Method) => {
      const member: unknown = target[name];
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        await new Promise((resolve) => setTimeout(resolve, 110));
        return member(...args);
      };
    },
  });

export const failure = async (promise: Promise<unknown>): Promise<APIError> => {
  const error = await promise.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
};

export const pagination: Shape<Answer<"listEventPatterns">["pagination"]> = {
  totalResults: { number: true },
  returnedResults: { number: true },
  perPage: { number: true },
  totalPages: { number: true },
  nextCursor: { string: true, null: true },
  nextPage: { string: true, null: true },
};

export const transactional: Shape<Answer<"getTransactionalEmail">> = {
  id: { string: true },
  url: { string: true },
  name: { string: true },
  draftEmailMessageId: { string: true, null: true },
  publishedEmailMessageId: { string: true, null: true },
  transactionalGroupId: { string: true, null: true },
  createdAt: { string: true },
  updatedAt: { string: true },
  dataVariables: { array: true },
};
