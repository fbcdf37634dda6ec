import { pictureOf } from "../../pictures.ts";
import type { Mailspan } from "../../system/mailspan.ts";
import { asOperator } from "./data.ts";

export const addContent = async ({ emailUrl }: Mailspan) => {
  const team = `${emailUrl}/admin/teams/demo`;
  const post = <T>(path: string, body?: object) => asOperator<T>(`${team}/v1${path}`, "POST", body);
  const { id: theme } = await post<{ id: string }>("/themes", { name: "Brand" });
  const lmx = "<Paragraph>Acme, 1 Main Street</Paragraph>";
  const { id: component } = await post<{ id: string }>("/components", { name: "Footer", lmx });
  const { emailAssetId: picture } = await upload(team);
  const edited = "tpl_receipt";
  type Draft = { draftEmailMessageId: string };
  const { draftEmailMessageId: draft } = await post<Draft>(`/transactional-emails/${edited}/draft`);
  const { lmx: before } = await asOperator<{ lmx: string }>(`${team}/v1/email-messages/${draft}`);
  const uses = `<Style themeId="${theme}" />\n${before.replace(/<Style[^>]*\/>/g, "")}\n<Component componentId="${component}" />`;
  await post(`/email-messages/${draft}`, { subject: "Thank you", lmx: uses });
  const event = { email: "ada@events.example", eventName: "paid", eventProperties: { amount: 12, plan: "pro" } };
  await post("/events/send", event);
  const { id } = await asOperator<{ id: string }>(`${team}/v1/event-patterns/by-name/paid`);
  return { edited, theme, component, picture, event: id };
};

/** Uploads a picture as the dashboard does. Returns its id and its address in mails. */
export const upload = async (team: string): Promise<{ emailAssetId: string; finalUrl: string }> => {
  const bytes = pictureOf("image/png");
  type Created = { emailAssetId: string; presignedUrl: string };
  const asked = { contentType: "image/png", contentLength: bytes.length };
  const { emailAssetId, presignedUrl } = await asOperator<Created>(`${team}/v1/uploads`, "POST", asked);
  await fetch(presignedUrl, { method: "PUT", headers: { "Content-Type": "image/png" }, body: bytes });
  return asOperator(`${team}/v1/uploads/${emailAssetId}/complete`, "POST");
};
