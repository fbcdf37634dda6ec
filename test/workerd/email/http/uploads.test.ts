import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/email/env.ts";
import { createApp } from "../../../../src/email/http/app.ts";
import { Workspace } from "../../../../src/email/workspace/object.ts";
import { type PictureType, pictureTypes } from "../../../../src/lib/picture/picture.ts";
import { digest } from "../../../../src/lib/util/hmac.ts";
import { pictureOf, pictures } from "../../../pictures.ts";
import { advance, app, appWith, bindings, createTeam, isolated, request, START, type Team } from "../bench.ts";

isolated();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const png = pictureOf("image/png");

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

type Put = { type?: string; body?: BodyInit | null; headers?: Record<string, string>; on?: typeof app };
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, "");

/** A PUT as a client sends it: `fetch` and `curl -T` add the length. */
const put = async (url: string, { type = "image/png", body = png, headers = {}, on = app }: Put = {}) => {
  const length: Record<string, string> = body instanceof Uint8Array ? { "Content-Length": `${body.length}` } : {};
  const response = await on.request(pathOf(url), {
    method: "PUT",
    headers: { "Content-Type": type, ...length, ...headers },
    body,
  });
  return {
    status: response.status,
    json: (await response.json()) as { code?: string; message?: string; path?: string },
  };
};

const create = async (type: PictureType = "image/png", bytes = pictureOf(type), by = team) => {
  const { status, json } = await by.post("/uploads", { contentType: type, contentLength: bytes.length });
  expect(status).toBe(200);
  return json as { emailAssetId: string; presignedUrl: string };
};
const complete = (id: string, by = team) => by.post(`/uploads/${id}/complete`, undefined);

const publish = async (type: PictureType = "image/png", by = team) => {
  const { emailAssetId, presignedUrl } = await create(type, pictureOf(type), by);
  expect((await put(presignedUrl, { type, body: pictureOf(type) })).status).toBe(200);
  const { status, json } = await complete(emailAssetId, by);
  expect(status).toBe(200);
  return pathOf(json.finalUrl);
};

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  app.request(path, { method, headers });
const files = async () => (await bindings.UPLOADS.list()).objects.map(({ key }) => key);
const newFiles = async (work: () => Promise<unknown>) => {
  const before = new Set(await files());
  await work();
  return (await files()).filter((key) => !before.has(key));
};

describe("an upload", () => {
  it.each(pictures)("of $name is put, completed and shown", async ({ type, bytes }) => {
    const { emailAssetId, presignedUrl } = await create(type, bytes);
    expect(emailAssetId).toMatch(/^upl_[0-9a-z]{20}$/);
    expect(new URL(presignedUrl).origin).toBe("http://localhost");
    expect(await put(presignedUrl, { type, body: bytes })).toMatchObject({ status: 200, json: { success: true } });
    const { json } = await complete(emailAssetId);
    expect(json).toEqual({
      emailAssetId,
      finalUrl: expect.stringMatching(/^https:\/\/mail\.example\.com\/assets\/pic_[0-9a-z]{20}\.\w+$/),
    });
    const shown = await get(pathOf(json.finalUrl));
    expect([shown.status, shown.headers.get("Content-Type")]).toEqual([200, type]);
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(bytes);
  });

  it("can be completed twice, with the same answer, and counts once", async () => {
    const { emailAssetId, presignedUrl } = await create();
    await put(presignedUrl);
    const first = await complete(emailAssetId);
    const before = await team.everything();
    advance(30 * DAY);
    expect((await complete(emailAssetId)).json).toEqual(first.json);
    expect(await team.everything()).toBe(before);
  });

  it("has a public address that says nothing about team or upload, and is not known before it is completed", async () => {
    const { emailAssetId, presignedUrl } = await create();
    await put(presignedUrl);
    for (const name of [emailAssetId, emailAssetId.replace("upl", "pic")])
      expect((await get(`/assets/${name}.png`)).status).toBe(404);
    const { finalUrl } = (await complete(emailAssetId)).json;
    expect(finalUrl).not.toContain("acme");
    expect(finalUrl).not.toContain(emailAssetId.slice(4));
  });

  it.each<[string, (url: URL) => string]>([
    [
      "sorted",
      ({ pathname, searchParams }) =>
        `${pathname}?${[...searchParams]
          .sort()
          .map((pair) => pair.join("="))
          .join("&")}`,
    ],
    ["reversed", ({ pathname, search }) => `${pathname}?${search.slice(1).split("&").reverse().join("&")}`],
    ["with another one", ({ pathname, search }) => `${pathname}${search}&x-id=PutObject`],
    ["after another one", ({ pathname, search }) => `${pathname}?x-id=PutObject&${search.slice(1)}`],
    ["in other escapes", ({ pathname, search }) => `${pathname}${search.replace("image%2Fpng", "%69mage%2fpng")}`],
    [
      "with escapes in its path",
      ({ pathname, search }) => `${pathname.replace("acme/upl_", "%61cme/upl%5F")}${search}`,
    ],
    ["with a fragment", ({ pathname, search }) => `${pathname}${search}#x`],
  ])(
    "is put to its address with the parameters %s, because clients build queries in their own way",
    async (_, other) => {
      const { emailAssetId, presignedUrl } = await create();
      const url = other(new URL(presignedUrl));
      expect(url).not.toBe(pathOf(presignedUrl));
      expect(await put(url)).toMatchObject({ status: 200, json: { success: true } });
      expect((await complete(emailAssetId)).status).toBe(200);
    },
  );

  it("of another team is 404", async () => {
    const { emailAssetId, presignedUrl } = await create();
    await put(presignedUrl);
    const other = await createTeam({ id: "other" });
    expect(await complete(emailAssetId, other)).toMatchObject({
      status: 404,
      json: { code: "upload_not_found", path: "emailAssetId" },
    });
    for (const changed of [presignedUrl.replace("/acme/", "/other/"), presignedUrl.replace(/upl_\w{3}/, "upl_000")])
      expect(await put(changed)).toMatchObject({ status: 403, json: { code: "invalid_upload_url" } });
  });

  it("is created once per idempotency key", async () => {
    const body = { contentType: "image/png", contentLength: 10 };
    const key = { "Idempotency-Key": "once" };
    expect((await team.post("/uploads", body, key)).status).toBe(200);
    expect(await team.post("/uploads", body, key)).toMatchObject({
      status: 409,
      json: { code: "idempotency_key_used" },
    });
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(1);
  });

  it("takes a type in other letters", async () => {
    const { status, json } = await team.post("/uploads", { contentType: " Image/PNG", contentLength: png.length });
    expect(status).toBe(200);
    expect((await put(json.presignedUrl, { type: "IMAGE/png" })).status).toBe(200);
  });
});

describe("POST /uploads refuses", () => {
  const limits = { supportedContentTypes: pictureTypes, maxBytes: 4_000_000 };
  it.each([
    [400, "invalid_request", "contentType", { contentLength: 10 }, {}],
    [400, "invalid_request", "contentLength", { contentType: "image/png" }, {}],
    [400, "invalid_request", "contentLength", { contentType: "image/png", contentLength: "10" }, {}],
    [400, "invalid_request", "contentLength", { contentType: "image/png", contentLength: 1.5 }, {}],
    [400, "invalid_request", "contentLength", { contentType: "image/png", contentLength: 0 }, {}],
    [400, "invalid_request", "contentLength", { contentType: "image/png", contentLength: -1 }, {}],
    [400, "unsupported_picture_type", "contentType", { contentType: "image/svg+xml", contentLength: 10 }, limits],
    [400, "unsupported_picture_type", "contentType", { contentType: "image/jpg", contentLength: 10 }, limits],
    [400, "unsupported_picture_type", "contentType", { contentType: "constructor", contentLength: 10 }, limits],
    [400, "unsupported_picture_type", "contentType", { contentType: "image/bmp", contentLength: 5_000_000 }, limits],
    [413, "upload_too_large", "contentLength", { contentType: "image/png", contentLength: 4_000_001 }, limits],
  ])("%i %s at %s", async (status, code, path, body, detail) => {
    const before = await team.everything();
    const answer = await team.post("/uploads", body);
    expect([answer.status, answer.json]).toEqual([
      status,
      { success: false, code, path, message: expect.any(String), ...detail },
    ]);
    expect(await team.everything()).toBe(before);
  });

  it("more than 50 uploads that are not completed, until one is completed or expires", async () => {
    for (let i = 0; i < 50; i++) await create();
    const body = { contentType: "image/png", contentLength: png.length };
    const refused = await team.post("/uploads", body);
    expect([refused.status, refused.json.code]).toEqual([400, "too_many_pending_uploads"]);
    expect(refused.json.message).toContain("until the first expires, at 2090-01-01T14:00:00.");
    await team.run("UPDATE uploads SET arrived_at = 1 WHERE id = (SELECT min(id) FROM uploads)");
    const [{ id } = {}] = await team.rows("SELECT min(id) AS id FROM uploads");
    expect((await complete(String(id))).status).toBe(200);
    expect((await team.post("/uploads", body)).status).toBe(200);
    expect((await team.post("/uploads", body)).status).toBe(400);
    vi.setSystemTime(START + 2 * HOUR + 60_000);
    expect((await team.post("/uploads", body)).status).toBe(200);
  });
});

describe("PUT refuses", () => {
  it.each([
    ["another type", 415, "unsupported_media_type", "Content-Type", { type: "image/jpeg" }],
    ["a type with a parameter", 415, "unsupported_media_type", "Content-Type", { type: "image/png; x=y" }],
    ["a type that pages have", 415, "unsupported_media_type", "Content-Type", { type: "text/html" }],
    ["a compressed body", 415, "unsupported_media_type", "Content-Type", { headers: { "Content-Encoding": "gzip" } }],
    ["more bytes", 400, "wrong_content_length", "Content-Length", { body: new Uint8Array([...png, 0]) }],
    ["fewer bytes", 400, "wrong_content_length", "Content-Length", { body: png.slice(1) }],
    ["no bytes", 400, "wrong_content_length", "Content-Length", { body: null }],
    ["other bytes", 422, "invalid_picture", undefined, { body: new Uint8Array(png.length) }],
  ] as [string, number, string, string | undefined, Put][])(
    "%s, stores nothing, and takes the right bytes after that",
    async (_what, status, code, path, sent) => {
      const { emailAssetId, presignedUrl } = await create();
      const stored = await newFiles(async () => {
        const answer = await put(presignedUrl, sent);
        expect([answer.status, answer.json]).toEqual([
          status,
          { success: false, code, ...(path ? { path } : {}), message: expect.any(String) },
        ]);
        expect((await complete(emailAssetId)).json).toMatchObject({ code: "upload_not_arrived", path: "emailAssetId" });
      });
      expect(stored).toEqual([]);
      expect((await put(presignedUrl)).status).toBe(200);
    },
  );

  /** A body without a Content-Length, in chunks of three bytes. */
  const chunked = (bytes: Uint8Array) => {
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + 3));
        at += 3;
      },
    });
  };

  it("chunked bodies that are longer or shorter, and takes one that fits", async () => {
    const { presignedUrl } = await create();
    for (const bytes of [new Uint8Array([...png, 0]), png.slice(1), new Uint8Array(0), new Uint8Array(100_000)])
      expect(await put(presignedUrl, { body: chunked(bytes) })).toMatchObject({
        status: 400,
        json: { code: "wrong_content_length" },
      });
    expect((await put(presignedUrl, { body: chunked(png) })).status).toBe(200);
  });

  it("an endless body, after 16 MB, and keeps nothing of it", async () => {
    const { presignedUrl } = await create();
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    const stored = await newFiles(async () => {
      expect((await put(presignedUrl, { body: endless })).json.code).toBe("wrong_content_length");
    });
    expect([stored, pulled < 20_000_000]).toEqual([[], true]);
  });

  it("a URL with other values, cut off, or signed with another secret", async () => {
    const { emailAssetId, presignedUrl: url } = await create();
    const other = await create();
    const [, signature = ""] = /signature=([\w-]{22})$/.exec(url) ?? [];
    const flipped = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    const changed = [
      url.replace(signature, flipped),
      url.replace(signature, ""),
      url.replace(`&signature=${signature}`, ""),
      url.slice(0, -1),
      `${url}0`,
      url.replace("image%2Fpng", "image%2Fgif"),
      url.replace("?", "?type=image%2Fgif&"),
      url.replace(/type=[^&]+&/, ""),
      url.replace("&expires", "%0A&expires"),
      url.replace(emailAssetId, other.emailAssetId),
      url.replace("/acme/", "/evil/"),
      url.replace(`size=${png.length}`, "size=4000000"),
      url.replace(/expires=\d/, "expires=9"),
      url.replace("/uploads/", "//uploads/"),
    ];
    for (const one of changed) {
      const { status, json } = await put(one);
      expect([status, json.code], one).toEqual(
        one.includes("//uploads/") ? [404, "not_found"] : [403, "invalid_upload_url"],
      );
    }
    expect((await put(url.replace(/size=\d+/, "size=1"))).json.message).toContain("size");
    for (const on of [appWith({ API_KEY_SECRET: "another secret" }), appWith({ API_KEY_SECRET: "" })])
      expect(await put(url, { on })).toMatchObject({ status: 403, json: { code: "invalid_upload_url" } });
    expect((await put(url)).status).toBe(200);
  });

  it("a URL that has expired, after one hour", async () => {
    const { presignedUrl } = await create();
    const late = await create();
    advance(HOUR - 10_000);
    expect((await put(presignedUrl)).status).toBe(200);
    advance(10_000);
    const answer = await put(late.presignedUrl);
    expect([answer.status, answer.json.code]).toEqual([403, "upload_url_expired"]);
  });

  it("a second PUT of other bytes, before and after the upload is completed; one of the same bytes is a repetition", async () => {
    const { emailAssetId, presignedUrl } = await create("image/png");
    await put(presignedUrl);
    const check = async () => {
      expect(await put(presignedUrl)).toMatchObject({ status: 200, json: { success: true } });
      const body = new Uint8Array(png.length);
      expect(await put(presignedUrl, { body })).toMatchObject({ status: 409, json: { code: "upload_url_used" } });
    };
    await check();
    const { finalUrl } = (await complete(emailAssetId)).json;
    await check();
    expect(new Uint8Array(await (await get(pathOf(finalUrl))).arrayBuffer())).toEqual(new Uint8Array(png));
  });

  it.each(["GET", "POST", "DELETE", "PATCH", "OPTIONS"])("%s", async (method) => {
    const { presignedUrl } = await create();
    const answer = await request(method, pathOf(presignedUrl));
    expect([answer.status, answer.json.code, answer.headers.get("Allow")]).toEqual([405, "method_not_allowed", "PUT"]);
  });
});

describe("two PUTs at once", () => {
  const appWhere = (change: Partial<R2Bucket>) => {
    const bucket = Object.assign(Object.create(bindings.UPLOADS) as R2Bucket, {
      put: bindings.UPLOADS.put.bind(bindings.UPLOADS),
      head: bindings.UPLOADS.head.bind(bindings.UPLOADS),
      get: bindings.UPLOADS.get.bind(bindings.UPLOADS),
      delete: bindings.UPLOADS.delete.bind(bindings.UPLOADS),
      ...change,
    });
    return createApp({ ...bindings, UPLOADS: bucket } as unknown as Env);
  };
  const other = png.slice();
  other.set([0xaa], png.length - 20);

  it("of different bytes: the first stays", async () => {
    const { emailAssetId, presignedUrl } = await create();
    const real = bindings.UPLOADS.put.bind(bindings.UPLOADS);
    let first: Promise<unknown> | undefined;
    const slow = appWhere({
      put: (async (key: string, value: never, options: never) => {
        first ??= put(presignedUrl, { body: other });
        await first;
        return real(key, value, options);
      }) as never,
    });
    expect(await put(presignedUrl, { on: slow })).toMatchObject({ status: 409, json: { code: "upload_url_used" } });
    expect(await first).toMatchObject({ status: 200 });
    const { finalUrl } = (await complete(emailAssetId)).json;
    expect(new Uint8Array(await (await get(pathOf(finalUrl))).arrayBuffer())).toEqual(other);
  });

  it("a PUT that ended after the file was stored, without an answer, can be repeated with the same bytes", async () => {
    const { emailAssetId, presignedUrl } = await create();
    const real = bindings.UPLOADS.put.bind(bindings.UPLOADS);
    vi.spyOn(console, "log").mockImplementation(() => {});
    const dying = appWhere({
      put: (async (key: string, value: never, options: never) => {
        await real(key, value, options);
        throw new Error("gone");
      }) as never,
    });
    expect((await put(presignedUrl, { on: dying })).status).toBe(500);
    expect((await complete(emailAssetId)).json.code).toBe("upload_not_arrived");
    expect((await put(presignedUrl)).status).toBe(200);
    expect((await complete(emailAssetId)).status).toBe(200);
  });

  it("after such a PUT, other bytes are refused and the first can be completed", async () => {
    const { emailAssetId, presignedUrl } = await create();
    const [{ file } = {}] = await team.rows("SELECT file FROM uploads");
    await bindings.UPLOADS.put(String(file), png, { httpMetadata: { contentType: "image/png" } });
    expect(await put(presignedUrl, { body: other })).toMatchObject({ status: 409, json: { code: "upload_url_used" } });
    expect((await complete(emailAssetId)).status).toBe(200);
  });

  it("a PUT that ends after its upload expired leaves no file", async () => {
    const { presignedUrl } = await create();
    const real = bindings.UPLOADS.put.bind(bindings.UPLOADS);
    const slow = appWhere({
      put: (async (key: string, value: never, options: never) => {
        await team.run("DELETE FROM uploads");
        return real(key, value, options);
      }) as never,
    });
    const left = await newFiles(async () => {
      expect(await put(presignedUrl, { on: slow })).toMatchObject({ status: 404, json: { code: "upload_not_found" } });
    });
    expect(left).toEqual([]);
  });
});

describe("POST /uploads/{id}/complete", () => {
  it("refuses an unknown id, and an upload without its file", async () => {
    expect(await complete("upl_none")).toMatchObject({
      status: 404,
      json: { code: "upload_not_found", path: "emailAssetId", message: expect.stringContaining("upl_none") },
    });
    const { emailAssetId } = await create();
    expect(await complete(emailAssetId)).toMatchObject({
      status: 400,
      json: { code: "upload_not_arrived", path: "emailAssetId" },
    });
    expect((await complete("x".repeat(101))).status).toBe(400);
  });

  it("takes 50 in any 24 hours, and says so in the published form", async () => {
    for (let i = 0; i < 50; i++) await create();
    await team.run("UPDATE uploads SET arrived_at = 1");
    for (const { id } of await team.rows("SELECT id FROM uploads"))
      expect((await complete(String(id))).status).toBe(200);
    const { emailAssetId: last } = await create();
    await team.run("UPDATE uploads SET arrived_at = 1, expires_at = ? WHERE completed_at IS NULL", START + 30 * HOUR);
    const refused = await complete(last);
    expect([refused.status, refused.json]).toEqual([
      429,
      {
        success: false,
        code: "upload_limit_reached",
        message: expect.stringContaining("2090-01-02T12:00:"),
        maxUploads: 50,
        windowHours: 24,
      },
    ]);
    advance(DAY);
    expect((await complete(last)).status).toBe(200);
  });
});

describe("GET /assets", () => {
  it("has headers for caches, browsers and web mail", async () => {
    const path = await publish();
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    const expected = {
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Disposition": 'inline; filename="picture.png"',
      "Content-Length": `${png.length}`,
      "Content-Security-Policy": "default-src 'none'",
      "Content-Type": "image/png",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected);
    expect(headers.get("ETag")).toMatch(/^"[0-9a-f]{32}"$/);
    expect([...headers.keys()].join()).not.toMatch(/access-control|set-cookie/);
  });

  it("answers HEAD, and 304 for a known ETag", async () => {
    const path = await publish("image/gif");
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([200, "image/gif", ""]);
    const etag = head.headers.get("ETag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers } = await get(path, { "If-None-Match": known });
      expect([known, status, headers.get("ETag"), headers.get("Cache-Control")?.includes("immutable")]).toEqual([
        known,
        304,
        etag,
        true,
      ]);
    }
    for (const unknown of ['"other"', "", etag.slice(1, -1)])
      expect((await get(path, { "If-None-Match": unknown })).status).toBe(200);
  });

  it("is 404 for anything else, also for other files in the bucket, and 405 for other methods", async () => {
    const path = await publish();
    await bindings.UPLOADS.put("secret.txt", "x");
    for (const other of ["secret.txt", "pic_x.png", path.slice(8).replace(".png", ".gif"), "..%2Fsecret.txt", "%ff"]) {
      const { status, headers } = await get(`/assets/${other}`);
      expect([other, status, headers.get("Cache-Control")]).toEqual([other, 404, "no-store"]);
    }
    for (const method of ["PUT", "POST", "DELETE"])
      expect(await request(method, path)).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
  });
});

describe("an upload that is not completed", () => {
  const alarm = () => runDurableObjectAlarm(team.stub);

  it("is deleted two hours after it was created, or a day after its file arrived, and completed ones stay", async () => {
    const path = await publish();
    await create();
    const arrived = await create();
    await put(arrived.presignedUrl);
    const [{ file } = {}] = await team.rows(`SELECT file FROM uploads WHERE id = '${arrived.emailAssetId}'`);
    vi.setSystemTime(START + 2 * HOUR + 60_000);
    await alarm();
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(2);
    vi.setSystemTime(START + 25 * HOUR);
    expect(await complete(arrived.emailAssetId)).toMatchObject({ status: 404 });
    expect(await bindings.UPLOADS.head(String(file))).not.toBeNull();
    await alarm();
    expect(await bindings.UPLOADS.head(String(file))).toBeNull();
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(1);
    advance(400 * DAY);
    await alarm();
    expect((await get(path)).status).toBe(200);
  });

  it("is deleted by an alarm that is set when it is created", async () => {
    await create();
    expect(await team.inside((_, storage) => storage.getAlarm())).toBeLessThanOrEqual(Date.now() + 2 * HOUR);
    await team.inside((_, storage) => storage.deleteAlarm());
    await runInDurableObject(team.stub, async (_, state) => {
      new Workspace(state, bindings as never);
      await vi.waitFor(async () => expect(await state.storage.getAlarm()).not.toBeNull());
    });
  });

  it("stays, with its file, while the bucket fails, and the alarm tries again", async () => {
    const { presignedUrl } = await create();
    await put(presignedUrl);
    advance(2 * DAY);
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    await runInDurableObject(team.stub, async (_, state) => {
      const failing = { ...bindings, UPLOADS: { delete: () => Promise.reject(new Error("R2 is down")) } };
      await new Workspace(state, failing as never).alarm();
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
    });
    expect(lines.mock.calls.flat().join()).toContain("uploads_not_expired");
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(1);
    await alarm();
    expect(await team.rows("SELECT 1 FROM uploads")).toEqual([]);
  });
});

describe("DELETE /admin/teams/{team}/uploads/{uploadId}", () => {
  it.each(["emailAssetId", "file name"])("deletes a picture by its %s, at once", async (by) => {
    const path = await publish();
    const kept = await publish();
    const [{ id, file } = {}] = await team.rows("SELECT id, file FROM uploads ORDER BY n LIMIT 1");
    expect(path).toBe(`/assets/${file}`);
    const name = by === "file name" ? file : id;
    expect(await team.admin("DELETE", `/uploads/${name}`)).toMatchObject({ status: 200, json: { success: true } });
    expect((await complete(String(id))).status).toBe(404);
    expect(await team.inside((_, storage) => storage.getAlarm())).toBeLessThanOrEqual(Date.now());
    await runDurableObjectAlarm(team.stub);
    expect([(await get(path)).status, (await get(kept)).status]).toEqual([404, 200]);
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(1);
    expect(await team.admin("DELETE", `/uploads/${name}`)).toMatchObject({
      status: 404,
      json: { code: "upload_not_found", path: "uploadId" },
    });
  });

  it("is 404 for a picture of another team, which stays", async () => {
    const path = await publish();
    const other = await createTeam({ id: "other" });
    expect((await other.admin("DELETE", `/uploads/${path.slice("/assets/".length)}`)).status).toBe(404);
    expect((await get(path)).status).toBe(200);
  });
});

describe("without a bucket", () => {
  const inWorkspace = <T>(work: (workspace: Workspace) => Promise<T>) =>
    runInDurableObject(team.stub, (_, state) => {
      const { UPLOADS: _bucket, ...without } = bindings;
      return work(new Workspace(state, without as never));
    });
  const run = async (operation: string, input: Record<string, unknown>) => {
    const keyHash = await digest(team.key);
    return inWorkspace((workspace) =>
      workspace.run({ keyHash, origin: "http://localhost", request: { operation, input } }),
    );
  };

  it("uploads are refused with the fix", async () => {
    const { emailAssetId, presignedUrl } = await create();
    const refusal = { code: "uploads_not_configured", message: expect.stringContaining("npm run deploy") };
    const before = await team.everything();
    advance(1_000);
    expect(await run("uploads.create", { contentType: "image/png", contentLength: 10 })).toMatchObject({ refusal });
    expect(await run("uploads.complete", { emailAssetId })).toMatchObject({ refusal });
    expect(await team.everything()).toBe(before);
    const without = appWith({ UPLOADS: undefined });
    expect(await put(presignedUrl, { on: without })).toMatchObject({
      status: 400,
      json: { code: "uploads_not_configured" },
    });
  });

  it("everything else works", async () => {
    const path = await publish();
    const without = appWith({ UPLOADS: undefined });
    expect((await request("GET", path, {}, without)).status).toBe(404);
    expect((await request("GET", "/health", {}, without)).status).toBe(200);
    expect(await run("themes.list", {})).toMatchObject({ status: 200 });
    await create();
    advance(DAY);
    await inWorkspace((workspace) => workspace.alarm());
    expect(await team.rows("SELECT 1 FROM uploads")).toHaveLength(2);
  });
});

describe("the log", () => {
  it("has no signed URL, also not of a request that failed", async () => {
    const { presignedUrl } = await create();
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    const broken = createApp({ ...bindings, WORKSPACE: { getByName: () => ({}) } } as unknown as Env);
    expect((await put(presignedUrl, { on: broken })).status).toBe(500);
    await put(presignedUrl);
    const text = lines.mock.calls.flat().join("\n");
    expect(text).toContain("request_failed");
    expect(text).toContain('{"event":"picture_uploaded","team":"acme","type":"image/png"');
    expect(text).not.toMatch(/signature|expires=/);
  });
});
