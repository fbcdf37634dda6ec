import { beforeEach, describe, expect, it } from "vitest";
import { pictureOf } from "../../../pictures.ts";
import { app, appWith, bindings, createTeam, isolated, type Team } from "../bench.ts";

isolated();

const png = pictureOf("image/png");
let team: Team;
let id = "";
beforeEach(async () => {
  team = await createTeam();
  const { json } = await team.post("/uploads", { contentType: "image/png", contentLength: png.length });
  id = json.emailAssetId;
});

type Sent = { type?: string; body?: BodyInit; token?: string; on?: typeof app };
const ask = async (method: string, path: string, { type, body, token = bindings.ADMIN_TOKEN, on = app }: Sent = {}) => {
  const headers = { Authorization: `Bearer ${token}`, ...(type === undefined ? {} : { "Content-Type": type }) };
  const response = await on.request(`/admin/teams/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const json = isJson ? (JSON.parse(new TextDecoder().decode(bytes)) as { code?: string }) : {};
  return { status: response.status, headers: response.headers, bytes, code: json.code };
};
const put = (sent: Sent = {}) => ask("PUT", `acme/uploads/${id}/file`, { type: "image/png", body: png, ...sent });
const get = (of = id) => ask("GET", `acme/uploads/${of}/file`);

describe("the file of an upload, for the operator", () => {
  it("is put without the signed URL, completed by the API, and read", async () => {
    expect((await put()).status).toBe(200);
    expect((await team.post(`/uploads/${id}/complete`, undefined)).status).toBe(200);
    const { status, headers, bytes } = await get();
    expect([status, headers.get("Content-Type"), headers.get("X-Content-Type-Options")]).toEqual([
      200,
      "image/png",
      "nosniff",
    ]);
    expect(bytes).toEqual(png);
  });

  it.each([
    ["another type", { type: "image/gif" }, 415, "unsupported_media_type"],
    ["fewer bytes", { body: png.slice(1) }, 400, "wrong_content_length"],
    ["no picture", { body: new Uint8Array(png.length) }, 422, "invalid_picture"],
    ["a wrong token", { token: "wrong" }, 401, "invalid_api_key"],
  ] as const)("is refused with %s", async (_, sent, status, code) => {
    const answer = await put(sent);
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect((await get()).status).toBe(404);
  });

  it("is taken once, and a repetition of it changes nothing", async () => {
    await put();
    expect((await put()).status).toBe(200);
    const again = await put({ body: new Uint8Array(png.length) });
    expect([again.status, again.code]).toEqual([409, "upload_url_used"]);
  });

  it("is not there before it arrives, for an upload that does not exist, nor for another team", async () => {
    expect((await get()).code).toBe("upload_not_found");
    expect((await get("upl_none")).status).toBe(404);
    await put();
    await createTeam({ id: "bravo" });
    for (const other of ["bravo", "ghost"]) {
      expect((await ask("GET", `${other}/uploads/${id}/file`)).status, other).toBe(404);
      expect((await ask("PUT", `${other}/uploads/${id}/file`, { type: "image/png", body: png })).status).toBe(404);
    }
  });

  it("is refused where there is no bucket, and with another method", async () => {
    const without = await put({ on: appWith({ UPLOADS: undefined }) });
    expect([without.status, without.code]).toEqual([400, "uploads_not_configured"]);
    const { status, headers } = await ask("DELETE", `acme/uploads/${id}/file`);
    expect([status, headers.get("Allow")]).toEqual([405, "GET, PUT"]);
  });
});
