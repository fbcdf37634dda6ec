import { Hono } from "hono";
import * as z from "zod";
import { team as teamName } from "../../../lib/contract/admin/email/email-fields.ts";
import { type FileContract, fileContract } from "../../../lib/contract/admin/email/files.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { onOneLine } from "../../../lib/contract/fields.ts";
import type { Route } from "../../../lib/contract/match.ts";
import { answer, type Reply } from "../../../lib/contract/mount.ts";
import { type Request as Asked, act } from "../../../lib/contract/operation.ts";
import { readerOf, readQuery } from "../../../lib/contract/read-request.ts";
import { ENCODINGS } from "../../../lib/imports/decode.ts";
import type { DELIMITERS } from "../../../lib/imports/delimiter.ts";
import { OUTCOME_HEAD } from "../../../lib/imports/outcome.ts";
import type { Env } from "../../env.ts";
import type { UploadStep } from "../../types/upload-step.ts";
import { csvFile, fileReader, refuseMethod } from "../files/csv-answer.ts";
import { receiveRows } from "./receive-rows.ts";

/** Names, because tabs and semicolons are easily lost in URLs. */
const NAMES = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const satisfies Record<
  string,
  (typeof DELIMITERS)[number]
>;

const fields = {
  team: teamName,
  name: onOneLine(z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters")).default(
    "contacts.csv",
  ),
  encoding: z.enum(ENCODINGS, `must be one of ${ENCODINGS.join(", ")}`).optional(),
  delimiter: z
    .enum(Object.keys(NAMES) as (keyof typeof NAMES)[], `must be one of ${Object.keys(NAMES).join(", ")}`)
    .transform((name) => NAMES[name])
    .optional(),
};

const upload = act("editor", {
  method: "POST",
  path: "/teams/{team}/imports",
  summary: "Upload a CSV file for an import",
  danger: false,
  request: z.strictObject(fields),
  response: z.unknown(),
  status: 201,
  refusals: [400, 404, 413, 422],
  example: { team: "acme", name: "people.csv" },
});

/** The upload of a file, which no contract has. */
export const uploadRoute: Route = { name: "email.imports.upload", operation: upload, path: upload.path };

const readOutcome = fileReader("imports.outcomeFile", fileContract.imports.outcomeFile);

const read = readerOf("imports.upload", upload, readQuery);

const TYPES =
  /^(text\/(csv|plain|tab-separated-values)|application\/(csv|octet-stream|vnd\.ms-excel|x-www-form-urlencoded))\s*(;|$)/i;

const typeRefusal = ({ headers }: Request): Refusal | undefined => {
  const type = headers.get("Content-Type") ?? "";
  const isPlain = /^identity$/i.test(headers.get("Content-Encoding") ?? "identity");
  if (isPlain && (type === "" || TYPES.test(type))) return undefined;
  const message = "Send the CSV file itself as the body, with Content-Type: text/csv and no Content-Encoding.";
  return { code: "unsupported_media_type", path: "Content-Type", message };
};

const receive = async (env: Env, request: Request, team: string): Promise<Reply> => {
  const misfit = typeRefusal(request);
  if (misfit) return { refusal: misfit };
  const apiRequest = await read(request, { team });
  if ("refusal" in apiRequest) return { refusal: apiRequest.refusal };
  const take = async (step: UploadStep): Promise<Reply> => {
    const input = { team, ...step };
    return (await env.WORKSPACE.getByName(team).admin({ operation: "imports.upload", input }, "")).reply;
  };
  return receiveRows(request, apiRequest.input as Asked<typeof upload>, take);
};

const outcome = (
  env: Env,
  { team, importId, outcome: only }: Asked<FileContract["imports"]["outcomeFile"]>,
): Promise<Response> =>
  csvFile(`${importId}-${only ?? "outcome"}.csv`, OUTCOME_HEAD, 0, async (after) => {
    const input = { team, importId, outcome: only, after };
    return (await env.WORKSPACE.getByName(team).admin({ operation: "imports.outcomeFile", input }, "")).reply;
  });

/** `POST /admin/teams/{team}/imports` and `GET …/imports/{importId}/outcome.csv`; both stream. */
export const importRoutes = (env: Env): Hono => {
  const app = new Hono();
  const files = "/admin/teams/:team/imports";
  const outcomeFile = "/admin/teams/:team/imports/:importId/outcome.csv";
  app.all(files, refuseMethod("GET, POST"));
  app.all(outcomeFile, refuseMethod("GET"));
  app.post(files, async (c) => answer(await receive(env, c.req.raw, c.req.param("team"))));
  app.get(outcomeFile, async (c) => {
    const asked = await readOutcome(c);
    return "refusal" in asked ? answer({ refusal: asked.refusal }) : outcome(env, asked.input);
  });
  return app;
};
