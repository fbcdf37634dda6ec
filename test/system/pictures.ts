import { expect } from "vitest";
import { pictureOf } from "../pictures.ts";
import { type Mailspan, startMailspan, until } from "./mailspan.ts";

export const png = pictureOf("image/png");

/** Both Workers, with the picture address of the email Worker, as in npm start. */
export const startWithPictures = async (): Promise<Mailspan> => {
  const mailspan = await startMailspan();
  await mailspan.restart({ emailVars: { ...mailspan.emailVars, PUBLIC_URL: mailspan.emailUrl } });
  return mailspan;
};

export const post = async (url: string, key: string, path: string, body: unknown = {}) => {
  // The team's limit is ten requests a second.
  await new Promise((resolve) => setTimeout(resolve, 110));
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(`${url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as Record<string, string> };
};

/** Begins an upload at a Worker. `url`: the target of the picture. */
export const createUpload = async (by: string, key: string) => {
  const body = { contentType: "image/png", contentLength: png.length };
  const { status, json } = await post(by, key, "/uploads", body);
  expect(status).toBe(200);
  return { id: json.emailAssetId ?? "", url: json.presignedUrl ?? "" };
};

export const put = (url: string, body = png) =>
  fetch(url, { method: "PUT", headers: { "Content-Type": "image/png" }, body });

export const publishPicture = async (by: string, key: string): Promise<string> => {
  const { id, url } = await createUpload(by, key);
  expect((await put(url)).status).toBe(200);
  return (await post(by, key, `/uploads/${id}/complete`)).json.finalUrl ?? "";
};

/** Sends a mail with an uploaded picture, and waits until it is in the inbox. */
export const mailPicture = async (mailspan: Mailspan): Promise<{ id: string; finalUrl: string }> => {
  const finalUrl = await publishPicture(mailspan.emailUrl, mailspan.key);
  const delivery = (path: string, body: unknown) => post(mailspan.emailUrl, mailspan.key, path, body);
  const email = (await delivery("/transactional-emails", { name: "With a picture" })).json;
  const lmx = `<Image src="${finalUrl}" alt="Logo" />`;
  const content = { subject: "A picture", fromName: "Acme", fromEmail: "hello", lmx };
  expect(await delivery(`/email-messages/${email.draftEmailMessageId}`, content)).toMatchObject({ status: 200 });
  expect((await delivery(`/transactional-emails/${email.id}/publish`, {})).status).toBe(200);
  await delivery("/transactional", { transactionalId: email.id, email: "ada@example.com", dataVariables: {} });
  const { id } = await until("the mail", async () =>
    (await mailspan.inbox()).mails.find(({ subject }) => subject === "A picture"),
  );
  return { id, finalUrl };
};
