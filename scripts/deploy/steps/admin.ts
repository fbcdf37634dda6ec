import { DeployError } from "../io.ts";
import { record } from "../record.ts";
import type { State } from "../state.ts";

type AdminAnswer = { status: number; body: Record<string, unknown> };

/** Sends a POST if there is a body. Throws for status 500 and above. */
export const callAdmin = async (
  { io, emailUrl, adminToken }: State,
  path: string,
  body?: object,
  method = body === undefined ? "GET" : "POST",
): Promise<AdminAnswer> => {
  const request = new Request(`${emailUrl}/admin${path}`, {
    method,
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const next = "Run this again: an existing team is used.";
  const response = await io.fetch(request).catch((error: Error) => {
    throw new DeployError(`${request.url} does not answer: ${error.message}`, next);
  });
  const answer = { status: response.status, body: record(await response.json().catch(() => undefined)) };
  if (answer.status >= 500) throw refused(answer, next);
  return answer;
};

export const refused = ({ status, body }: AdminAnswer, next: string): DeployError =>
  new DeployError(`The email Worker answered ${status}: ${String(body.message ?? "without a message")}`, next);
