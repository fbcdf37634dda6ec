export const ADMIN_TOKEN = "bench-admin-token-of-the-bench";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** Throws unless the answer is a success. */
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

/** Returns a v1 API client for a new team. */
export const createTeam = async (url: string, id: string, settings: object = {}) => {
  await ask("POST", `${url}/admin/teams`, ADMIN_TOKEN, { id, name: id, ...settings });
  const { key } = await ask("POST", `${url}/admin/teams/${id}/keys`, ADMIN_TOKEN, { name: "bench" });
  return (method: string, path: string, body?: object) => ask(method, `${url}/v1${path}`, key, body);
};
