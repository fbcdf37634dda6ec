export type Bridge = { url: string; token: string };

/** The bridge did not answer, or refused. The message has the remedy. */
export class NoAnswer extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

type Vars = Readonly<Record<string, string | undefined>>;

/** Finds the bridge from `--url`, PORT and ADMIN_TOKEN. Throws without a token. */
export const bridgeOf = (values: { url?: string }, vars: Vars): Bridge => {
  const url = values.url ?? `http://127.0.0.1:${vars.PORT || 8787}`;
  const token = vars.ADMIN_TOKEN;
  if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
  return { url: url.replace(/\/+$/, ""), token };
};

export const get = <T>(bridge: Bridge, path: string, query: Readonly<Record<string, string>> = {}): Promise<T> =>
  ask(bridge, `/admin${path}?${new URLSearchParams(query)}`, {});

export const post = <T>(bridge: Bridge, path: string, body: object): Promise<T> =>
  ask(bridge, `/admin${path}`, { method: "POST", body: JSON.stringify(body) });

const ask = async <T>({ url, token }: Bridge, path: string, init: RequestInit): Promise<T> => {
  let response: Response;
  try {
    response = await fetch(url + path, { ...init, headers: { Authorization: `Bearer ${token}` } });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new NoAnswer(
      `Nothing answers at ${url} (${cause}). Check the address of the bridge. On this machine, npm start starts it.`,
    );
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  if (response.status === 401)
    throw new NoAnswer(`${url} refuses the token: it must be the ADMIN_TOKEN of the bridge.`);
  const { code, message } = (answer ?? {}) as { code?: string; message?: string };
  if (code !== undefined && message !== undefined) throw new NoAnswer(message, code);
  throw new NoAnswer(
    `${url} answered ${response.status}, but not as the bridge does. Is this the address of the bridge?`,
  );
};
