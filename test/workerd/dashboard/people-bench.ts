import { newAuthenticator, type Wrong } from "./authenticator.ts";
import { cookieOf, dashboard } from "./bench.ts";

type Authenticator = Awaited<ReturnType<typeof newAuthenticator>>;
type Options = { challenge: string };

/** The dashboard with an owner by the admin token, and people with passkeys. */
export const withPeople = async (
  changes: Parameters<typeof dashboard>[0] = {},
  context?: Parameters<typeof dashboard>[1],
) => {
  const made = dashboard(changes, context);
  const { ask, logIn } = made;
  const owner = await logIn();
  const json = async (answer: Response | Promise<Response>) => {
    const settled = await answer;
    return [settled.status, (await settled.json()) as Record<string, unknown>] as const;
  };
  const send = (cookie: string, method: string, path: string, body?: object) =>
    json(ask(method, `/api${path}`, { cookie, ...(body ? { body } : {}) }));
  const invite = async (name: string, role: string) => {
    const [status, body] = await send(owner, "POST", "/people", { name, role });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body as { id: string; invite: string };
  };
  const open = (secret: string) => json(ask("POST", "/api/invite", { body: { invite: secret } }));
  const accept = (secret: string, passkey: object) =>
    ask("POST", "/api/invite/accept", { body: { invite: secret, passkey } });
  const enrol = async (secret: string, authenticator: Authenticator, wrong: Wrong = {}) => {
    const [, body] = await open(secret);
    return accept(secret, await authenticator.create(body.options as Options, wrong));
  };
  const person = async (name: string, role: string) => {
    const { id, invite: secret } = await invite(name, role);
    const authenticator = await newAuthenticator();
    const answer = await enrol(secret, authenticator);
    return { id, authenticator, answer, cookie: cookieOf(answer) };
  };
  const options = async (body: object = {}, cookie?: string) => {
    const [, found] = await json(ask("POST", "/api/session/options", { body, ...(cookie ? { cookie } : {}) }));
    return found.options as Options;
  };
  const logInWith = async (authenticator: Authenticator, wrong: Wrong = {}) =>
    ask("POST", "/api/session", { body: { passkey: await authenticator.get(await options(), wrong) } });
  return { ...made, owner, json, send, invite, open, accept, enrol, person, options, logInWith };
};
