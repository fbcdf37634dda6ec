type Settings = { url: string; secret: string };

/** Signs by Standard Webhooks and sends. Repeat with the same id after a failure: it acts once. */
export const send = async (id: string, type: string, data: object, { url, secret }: Settings): Promise<Response> => {
  const now = new Date();
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const bytes = Uint8Array.from(atob(secret.replace("whsec_", "")), (char) => char.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return fetch(url, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
};
