export const ADMIN_TOKEN = "bench-admin-token";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** Calls a Worker that is measured. `key`: the bearer token. Throws unless the answer is a success. */
export const ask = async (method: string, url: string, key: string, body?: object): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
};

/** Creates a team. Returns a function that calls the v1 API as that team. */
export const createTeam = async (url: string, id: string, settings: object = {}) => {
  await ask("POST", `${url}/admin/teams`, ADMIN_TOKEN, { id, name: id, ...settings });
  const { key } = await ask("POST", `${url}/admin/teams/${id}/keys`, ADMIN_TOKEN, { name: "bench" });
  return (method: string, path: string, body?: object) => ask(method, `${url}/v1${path}`, key, body);
};
