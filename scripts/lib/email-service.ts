import { NoAnswer } from "./bridge.ts";

/** The operator API of the email service. `team`: undefined for the only team. */
export type EmailService = { url: string; token: string; team: string | undefined };

type Vars = Readonly<Record<string, string | undefined>>;
type Options = { url?: string; "email-url"?: string; team?: string };

/** Finds the email service from options and variables. Undefined if unknown. */
export const emailServiceOf = (values: Options, vars: Vars): EmailService | undefined => {
  const isHere = values.url === undefined && !vars.EMAIL_API_URL;
  const local = isHere ? `http://127.0.0.1:${vars.EMAIL_PORT || 8788}` : undefined;
  const url = (values["email-url"] ?? (vars.EMAIL_URL || local))?.replace(/\/+$/, "");
  const token = vars.EMAIL_ADMIN_TOKEN || vars.ADMIN_TOKEN;
  if (url === undefined || !token) return undefined;
  // An API key names its team.
  const [, named] = /^ms_([a-z0-9-]{1,32})_/.exec(vars.EMAIL_API_KEY ?? "") ?? [];
  return { url, token, team: values.team ?? named };
};

const onlyTeam = async (service: Pick<EmailService, "url" | "token">): Promise<string> => {
  const { data } = await askServiceAdmin<{ data: { id: string }[] }>(service, "GET", "/admin/teams?perPage=10");
  const [first, second] = data;
  if (first && !second) return first.id;
  throw new NoAnswer(`The email service has ${first ? "several teams" : "no team"}. Name one with --team.`);
};

/** A request below the team's admin path. Throws NoAnswer. */
export const askEmailService = async <T>(service: EmailService, method: "GET" | "POST", path: string): Promise<T> =>
  askServiceAdmin(service, method, `/admin/teams/${service.team ?? (await onlyTeam(service))}${path}`);

/** A request to the operator API. Throws NoAnswer. */
export const askServiceAdmin = async <T>(
  { url, token }: Pick<EmailService, "url" | "token">,
  method: "GET" | "POST",
  path: string,
): Promise<T> => {
  let response: Response;
  try {
    response = await fetch(url + path, { method, headers: { Authorization: `Bearer ${token}` } });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new NoAnswer(`The email service does not answer at ${url} (${cause}).`);
  }
  const answer = (await response.json().catch(() => undefined)) as { code?: string; message?: string } | undefined;
  if (response.ok && answer !== undefined) return answer as T;
  if (response.status === 401)
    throw new NoAnswer(`${url} refuses the token: set EMAIL_ADMIN_TOKEN to the ADMIN_TOKEN of the email service.`);
  if (answer?.code !== undefined && answer.message !== undefined) throw new NoAnswer(answer.message, answer.code);
  throw new NoAnswer(`${url} answered ${response.status}, but not as the email service does.`);
};
