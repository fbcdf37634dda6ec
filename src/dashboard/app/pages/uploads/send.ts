import { RequestError } from "../../api/client.ts";
import type { Team } from "../../team/team.tsx";

type Upload = Parameters<Team["v1"]["uploads"]["create"]>[0];

/** Dashboard URL of an uploaded file. */
export const fileAddress = (team: string, id: string): string =>
  `/api/email/teams/${encodeURIComponent(team)}/uploads/${encodeURIComponent(id)}/file`;

/**
 * Uploads a file and returns its public URL.
 *
 * @throws {RequestError} with the name of the file
 */
export const uploadFile = async (team: string, v1: Team["v1"], file: File): Promise<{ id: string; url: string }> => {
  try {
    // Files with equal name and size need separate keys. An unfinished upload is harmless.
    const key = { idempotencyKey: crypto.randomUUID() };
    // The service refuses a type that is none of a picture.
    const contentType = file.type as Upload["contentType"];
    const { emailAssetId: id } = await v1.uploads.create({ contentType, contentLength: file.size }, key);
    await putFile(fileAddress(team, id), file);
    const { finalUrl: url } = await v1.uploads.complete({ emailAssetId: id });
    return { id, url };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status, code, message } = error;
    throw new RequestError(status, { code, message: `${file.name}: ${message}` });
  }
};

/** The only request without a JSON body. */
const putFile = async (address: string, file: File): Promise<void> => {
  const headers = { "X-Mailspan": "1", "Content-Type": file.type };
  const answer = await fetch(address, { method: "PUT", headers, body: file }).catch(() => {
    throw new RequestError(0, { code: "no_answer", message: "The dashboard gave no answer. Check your connection." });
  });
  if (answer.ok) return;
  const body = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  const { code = "unreadable_answer", message = `The answer ${answer.status} could not be read.` } = body;
  throw new RequestError(answer.status, { code, message }, answer.headers);
};
