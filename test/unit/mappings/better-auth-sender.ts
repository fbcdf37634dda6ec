import type { BetterAuthPlugin } from "better-auth";
import { Webhook } from "standardwebhooks";

type Settings = { url: string; secret: string };

/** Posts one event, up to three times with one id: Mailspan acts once. */
export const send = async (type: string, data: object, { url, secret }: Settings): Promise<void> => {
  const at = new Date();
  const id = `msg_${crypto.randomUUID()}`;
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  for (const wait of [0, 500, 2000]) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const request = { method: "POST", headers, body, signal: AbortSignal.timeout(5000) };
    const response = await fetch(url, request).catch(() => undefined);
    if (response?.ok) return;
  }
  console.error(`Mailspan did not take ${type} ${id}.`);
};

type User = { id: string; email: string; emailVerified: boolean; name: string; createdAt: Date; updatedAt: Date };

/** The fields that Mailspan reads. Anonymous users have a made-up address. */
export const sendUser = async (type: string, user: User & Record<string, unknown>, to: Settings): Promise<void> => {
  const { id, email, emailVerified, name, createdAt, updatedAt } = user;
  if (!user.isAnonymous) await send(type, { id, email, emailVerified, name, createdAt, updatedAt }, to);
};

export const mailspan = (to: Settings) =>
  ({
    id: "mailspan",
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: { after: (user) => sendUser("user.created", user, to) },
            update: { after: (user) => sendUser("user.updated", user, to) },
            delete: { after: (user) => sendUser("user.deleted", user, to) },
          },
        },
      },
    }),
  }) satisfies BetterAuthPlugin;
