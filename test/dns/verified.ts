import type { startResolver } from "./stand-in.ts";

type Shown = { id: string; state: string; records: { type: string; host: string; value: string }[] };

/**
 * Adds and verifies a sending domain. The Worker needs DKIM_KEY_SECRET, and the fake resolver as DNS_OVER_HTTPS_URL.
 */
export const addVerifiedDomain = async (
  { emailUrl, token, team, name }: { emailUrl: string; token: string; team: string; name: string },
  dns: Pick<Awaited<ReturnType<typeof startResolver>>, "serve">,
): Promise<Shown> => {
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${emailUrl}/admin/teams/${team}/domains${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Shown;
  };
  const { id, records } = await post("", { name });
  const byName = Map.groupBy(records, ({ type, host }) => `${type} ${host}`);
  dns.serve(Object.fromEntries([...byName].map(([at, same]) => [at, same.map(({ value }) => value)])));
  const checked = await post(`/${id}/check`);
  if (checked.state !== "verified") throw new Error(`The domain is ${checked.state}.`);
  return checked;
};
