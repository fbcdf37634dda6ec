import { type Fields, isTrue } from "../contract/access.ts";
import { readText } from "../contract/body.ts";
import { MAX_BODY, type Operation } from "../contract/operation.ts";

/** True for a question or dry run, if unambiguous. Reads a copy of the body. */
export const changesNothing = async ({ effect, dryRun, maxBody }: Operation, request: Request): Promise<boolean> => {
  if (effect !== "act") return true;
  const fields = dryRun === undefined ? undefined : await fieldsOf(request.clone(), maxBody);
  if (dryRun === undefined || fields === undefined) return false;
  const inQuery = request.method === "DELETE" ? new URL(request.url).searchParams.getAll("dryRun") : [];
  const given = [fields.dryRun, ...inQuery].filter((one) => one !== undefined);
  return given.length === 0 ? dryRun : given.every(isTrue);
};

/** Returns JSON fields; undefined above `most` bytes or for other bodies. */
export const fieldsOf = async (request: Request, most = MAX_BODY): Promise<Fields | undefined> => {
  const text = await readText(request, most);
  if (text === undefined) return undefined;
  try {
    const body: unknown = text.trim() === "" ? {} : JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
};
