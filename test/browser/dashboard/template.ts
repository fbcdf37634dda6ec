type Api = { url: string; key: string };

const ask = async ({ url, key }: Api, path: string, body?: object) => {
  const response = await fetch(`${url}/v1${path}`, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
};

export const publish = async (api: Api, transactionalId: string, change: (lmx: string) => string): Promise<void> => {
  const { draftEmailMessageId } = await ask(api, `/transactional-emails/${transactionalId}/draft`, {});
  const draft = await ask(api, `/email-messages/${draftEmailMessageId}`);
  const { contentRevisionId: expectedRevisionId, lmx = "" } = draft;
  await ask(api, `/email-messages/${draftEmailMessageId}`, { expectedRevisionId, lmx: change(lmx) });
  await ask(api, `/transactional-emails/${transactionalId}/publish`, {});
};
