import { changesNothing, fieldsOf } from "../../lib/audit/dry-run.ts";
import { includes, type Part, type Role } from "../../lib/contract/access.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import type { Operation } from "../../lib/contract/operation.ts";
import { operations } from "./routes.ts";

/** Returns the part with its own role that a request asks for. */
export const partOf = async ({ needs, part, method, maxBody }: Operation, request: Request) => {
  if (!part) return undefined;
  const fields = method === "GET" ? queryOf(request) : await fieldsOf(request.clone(), maxBody);
  const applies = fields === undefined ? includes(part.needs, needs) : part.when(fields);
  return applies ? part : undefined;
};

const queryOf = (request: Request) => {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
};

/** True for acts and restricted reads, except dry runs and questions. */
export const isAudited = async (operation: Operation, request: Request, part?: Part): Promise<boolean> => {
  if (part?.audited) return true;
  if (operation.effect === "read") return (part ?? operation).needs !== "viewer";
  return !(await changesNothing(operation, request));
};

export const roleRefusal = (role: Role, { needs }: Pick<Operation, "needs">): Refusal | undefined => {
  if (includes(role, needs)) return undefined;
  const message = `This needs the role ${needs}, and yours is ${role}. An owner can change it: Settings, Members.`;
  return { code: "role_required", message };
};

const roles = [...operations].flatMap(([name, { needs, part }]): [string, Role][] =>
  part
    ? [
        [name, needs],
        [`${name}?${part.name}`, part.needs],
      ]
    : [[name, needs]],
);

/** Returns what a role may not do, such as "email.keys.create", with the minimum role. */
export const beyond = (role: Role): Record<string, Role> =>
  Object.fromEntries(roles.filter(([, needed]) => !includes(role, needed)));
