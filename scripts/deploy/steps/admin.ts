import { DeployError } from "../io.ts";
import { record } from "../record.ts";
import type { State } from "../state.ts";

/** Answer of the email Worker's /admin: its status and body. */
type AdminAnswer = { status: number; body: Record<string, unknown> };

/** Calls the email Worker's /admin with the ADMIN_TOKEN. Answers of 500 and above are thrown. */
export const callAdmin = async (
  { io, emailUrl, adminToken }: State,
  path: string,
  body: object,
): Promise<AdminAnswer> => {
  const request = new Request(`${emailUrl}/admin${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const next = "Run this again: a team that exists is carried on with.";
  const response = await io.fetch(request).catch((error: Error) => {
    throw new DeployError(`${request.url} does not answer: ${error.message}`, next);
  });
  const answer = { status: response.status, body: record(await response.json().catch(() => undefined)) };
  if (answer.status >= 500) throw refused(answer, next);
  return answer;
};

/** The failure an answer of /admin means. */
export const refused = ({ status, body }: AdminAnswer, next: string): DeployError =>
  new DeployError(`The email Worker answered ${status}: ${String(body.message ?? "without a message")}`, next);
