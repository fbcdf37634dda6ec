import * as z from "zod";
import { bridgeContract } from "../../../src/lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../../src/lib/contract/admin/dashboard.ts";
import { adminContract } from "../../../src/lib/contract/admin/email.ts";
import {
  type Contract,
  hasBody,
  type Operation,
  operationsOf,
  pathParameters,
} from "../../../src/lib/contract/operation.ts";
import { v1 } from "../../../src/lib/contract/v1.ts";

const changing = (prefix: string, contract: Contract, base: string) =>
  operationsOf(contract)
    .filter(({ operation }) => operation.method !== "GET")
    .map(({ name, operation }) => ({ name: `${prefix}.${name}`, operation, path: filled(base, operation) }));

const filled = (base: string, { path, example }: Operation) =>
  (base + path).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = (example as Record<string, unknown>)[name];
    return encodeURIComponent(typeof value === "string" ? value : "x");
  });

export const FORWARDED = [
  ...changing("bridge", bridgeContract, "/api/bridge"),
  ...changing("bridge.v1", v1, "/api/bridge/v1"),
  ...changing("email", adminContract, "/api/email"),
  ...changing("email.v1", v1, "/api/email/teams/acme/v1"),
];
export const OWN = changing("dashboard", dashboardContract, "/api");

/** The body of a valid request, as an option of a request. */
export const exampleOf = (operation: Operation) => {
  const inPath = new Set(pathParameters(operation.path));
  const body = Object.fromEntries(Object.entries(operation.example).filter(([name]) => !inPath.has(name)));
  return hasBody(operation) ? { body } : {};
};

/** The same as a real act, if the example is a dry run. */
export const actOf = (operation: Operation) => {
  const { body } = exampleOf(operation);
  return body === undefined ? {} : { body: "dryRun" in body ? { ...body, dryRun: false } : body };
};

export const hasDryRun = ({ request }: Operation): boolean =>
  request instanceof z.ZodObject && "dryRun" in request.shape;
