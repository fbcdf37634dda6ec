import { bindings, request, runAlarm, type Team } from "../../bench.ts";

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** Sends a file to the team's imports, or requests one. */
export const file = (path: string, body?: Body, headers: Record<string, string> = { "Content-Type": "text/csv" }) =>
  request(body === undefined ? "GET" : "POST", `/admin/teams/acme/imports${path}`, {
    body,
    headers: { Authorization: `Bearer ${bindings.ADMIN_TOKEN}`, ...headers },
  });

export const finished = async (team: Team): Promise<void> => {
  const isRunning = () =>
    team.inside((sql) => sql.exec("SELECT 1 FROM imports WHERE state = 'running'").toArray().length > 0);
  while (await isRunning()) await runAlarm(team.stub);
};

type Imported = { answer: Record<string, unknown>; outcome: string };

/** Uploads a file and imports it. Returns the refusal or the import, and its outcome file. */
export const importFile = async (team: Team, body: Body, settings: object = {}, query = ""): Promise<Imported> => {
  const uploaded = await file(query, body);
  if (uploaded.status !== 201) return { answer: uploaded.json, outcome: "" };
  const { id, mapping } = uploaded.json;
  const started = await team.admin("POST", `/imports/${id}/start`, { mapping, ...settings });
  if (started.status !== 200) return { answer: started.json, outcome: "" };
  await finished(team);
  const { json } = await team.admin("GET", `/imports/${id}`);
  return { answer: json, outcome: (await file(`/${id}/outcome.csv`)).text };
};
