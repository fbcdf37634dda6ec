import { convertIndexedToRgb, type DecodedPng, decode } from "fast-png";
import type { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { iconList } from "../../../../scripts/assets/icons.ts";
import type { Env } from "../../../../src/email/env.ts";
import { coverageOf } from "../../../../src/email/http/icons/coverage.ts";
import { outlinesOf } from "../../../../src/email/http/icons/outline.ts";
import { pngOf } from "../../../../src/email/http/icons/png.ts";
import { iconRoutes, readIcons } from "../../../../src/email/http/icons.ts";
import iconNames from "../../../../src/lib/lmx/language/icon-names.json" with { type: "json" };

const list = iconList();

let reads = 0;
let broken = false;
let app: Hono;
beforeEach(() => {
  [reads, broken] = [0, false];
  const ASSETS = {
    fetch: async ({ url }: Request) => {
      reads += 1;
      if (broken) return new Response("no", { status: 500 });
      return new URL(url).pathname === "/icons.txt" ? new Response(list) : new Response("no", { status: 404 });
    },
  };
  app = iconRoutes({ ASSETS } as unknown as Env);
});
const get = (path: string, method = "GET") => app.request(path, { method });

const pixelsOf = (png: DecodedPng) => {
  const bytes = convertIndexedToRgb(png);
  return (x: number, y: number) => [...bytes.slice((y * png.width + x) * 4, (y * png.width + x) * 4 + 4)];
};
const read = async (response: Response): Promise<DecodedPng> =>
  decode(await response.arrayBuffer(), { checkCrc: true });

describe("GET /icons/{name}-{rrggbb}.png", () => {
  it("gives a PNG of the icon in that color, on nothing", async () => {
    const png = await read(await get("/icons/square-1a2b3c.png"));
    expect([png.width, png.height]).toEqual([96, 96]);
    const pixel = pixelsOf(png);
    expect(pixel(48, 48)).toEqual([0x1a, 0x2b, 0x3c, 255]);
    for (const [x, y] of [
      [0, 0],
      [95, 0],
      [0, 95],
      [95, 95],
    ] as const)
      expect(pixel(x, y)[3]).toBe(0);
    expect(png.text.Copyright).toMatch(/^Font Awesome Free .*CC BY 4\.0/);
  });

  it("may be kept for ever, is shown on pages of other origins, and is nothing but a picture", async () => {
    const { status, headers } = await get("/icons/github-808080.png");
    expect([status, Object.fromEntries(headers)]).toEqual([
      200,
      {
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'",
        "content-type": "image/png",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
      },
    ]);
  });

  it("has the name of every icon that a mail may have", async () => {
    const all = iconNames.flatMap((line) => line.split(" "));
    expect([...readIcons(list).keys()].toSorted()).toEqual(all.toSorted());
    for (const name of all.filter((name, n) => n % 20 === 0 || /^\d/.test(name) || name.length > 25)) {
      expect([name, (await get(`/icons/${name}-808080.png`)).status]).toEqual([name, 200]);
    }
    expect(reads).toBe(1);
  });

  it("draws former names as the icon of today", async () => {
    const bytes = async (name: string) => Buffer.from(await (await get(`/icons/${name}-000000.png`)).arrayBuffer());
    expect(await bytes("home")).toEqual(await bytes("house"));
    expect(await bytes("font-awesome-logo-full")).toEqual(await bytes("font-awesome"));
    expect(await bytes("github")).not.toEqual(await bytes("square-github"));
  });

  it("answers HEAD without a body, and other methods with 405", async () => {
    const head = await get("/icons/github-808080.png", "HEAD");
    expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([200, "image/png", ""]);
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const { status, headers } = await get("/icons/github-808080.png", method);
      expect([method, status, headers.get("Allow")]).toEqual([method, 405, "GET"]);
    }
  });

  it.each(["no-such-icon", "constructor", "-", "a".repeat(60)])("refuses the unknown name %s", async (name) => {
    const response = await get(`/icons/${name}-808080.png`);
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        success: false,
        code: "not_found",
        message: `There is no icon "${name}". The names are those of Font Awesome Free: https://fontawesome.com/search?ic=free.`,
      },
    ]);
    expect(response.headers.get("Cache-Control")).toBeNull();
  });

  it.each([
    ["github.png"],
    ["github-red.png"],
    ["github-80808.png"],
    ["github-8080800.png"],
    ["github-FFFFFF.png"],
    ["github-80808g.png"],
    ["github-808080.svg"],
    ["github-808080.png.png"],
    ["-808080.png"],
    ["GITHUB-808080.png"],
    ["__proto__-808080.png"],
    ["%2e%2e%2ficons.txt-808080.png"],
    ["github%00-808080.png"],
    ["github%0a-808080.png"],
    ["%ff-808080.png"],
    ["a".repeat(5_000).concat("-808080.png")],
  ])("refuses %.60s without a look into the list", async (file) => {
    const response = await get(`/icons/${file}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, "not_found"]);
    expect(reads).toBe(0);
  });

  it("reads the list again after a failure", async () => {
    broken = true;
    expect((await get("/icons/github-808080.png")).status).toBe(500);
    broken = false;
    expect((await get("/icons/github-808080.png")).status).toBe(200);
  });

  it("does not exist where the Worker has no files", async () => {
    expect((await iconRoutes({} as Env).request("/icons/github-808080.png")).status).toBe(404);
  });
});

describe("a path", () => {
  const covered = (path: string, size: number, scale = 1) =>
    coverageOf(
      outlinesOf(path).map((outline) => outline.map((value) => value * scale)),
      size,
    );
  const sum = (parts: Float32Array) => parts.reduce((all, part) => all + part, 0);
  const area = (path: string) => sum(covered(path, 64));
  /** Area of a path on 640 units. Curves are straight pieces, good enough for 64 pixels. */
  const areaOfIcon = (path: string) => sum(covered(path, 64, 0.1));

  it("covers a pixel as far as it lies in it", () => {
    expect([...covered("M1.5 1.25H3V3H1.5z", 4)]).toEqual([0, 0, 0, 0, 0, 0.375, 0.75, 0, 0, 0.5, 1, 0, 0, 0, 0, 0]);
    expect([...covered("M0 0L3 3H0z", 3)].map((part) => part.toFixed(3))).toEqual(
      [0.5, 0, 0, 1, 0.5, 0, 1, 1, 0.5].map((part) => part.toFixed(3)),
    );
  });

  it("may reach to every edge", () => {
    expect([...covered("M0 0h4v4h-4z", 4)]).toEqual(Array(16).fill(1));
    expect([...covered("M4 0L4 4L0 4L0 0z", 4)]).toEqual(Array(16).fill(1));
  });

  it("has holes where its direction turns, and none where it overlaps itself", () => {
    expect(area("M0 0h64v64H0zM16 16v32h32V16z")).toBeCloseTo(64 * 64 - 32 * 32, 3);
    expect(area("M0 0h40v40H0zM20 20h40v40H20z")).toBeCloseTo(40 * 40 * 2 - 20 * 20, 3);
  });

  it.each([
    ["arcs", "M320 20a300 300 0 0 1 0 600a300 300 0 0 1 0-600z"],
    ["a large arc and its rest", "M320 20A300 300 0 1 1 20 320A300 300 0 0 1 320 20"],
    ["arcs whose radii are too small", "M320 20a1 1 0 0 1 0 600a1 1 0 0 1 0-600z"],
    ["arcs the other way", "M320 20a300 300 0 0 0 0 600a300 300 0 0 0 0-600z"],
    ["curves", "M320 20C485.7 20 620 154.3 620 320S485.7 620 320 620S20 485.7 20 320S154.3 20 320 20z"],
    ["relative curves", "M320 20c165.7 0 300 134.3 300 300s-134.3 300-300 300s-300-134.3-300-300s134.3-300 300-300z"],
  ])("is round with %s", (_, path) => {
    expect(Math.abs(areaOfIcon(path) - Math.PI * 30 ** 2)).toBeLessThan(4);
  });

  it("has an ellipse that is turned", () => {
    // Radii of 20 and 10, turned by 90 degrees: 20 wide, 40 high.
    const path = "M320 120a200 100 90 0 1 0 400a200 100 90 0 1 0-400z";
    expect(sum(covered(path, 64, 0.1).slice(32 * 64, 33 * 64))).toBeCloseTo(20, 0);
    expect(Math.abs(areaOfIcon(path) - Math.PI * 200)).toBeLessThan(2);
  });

  it("reads quadratic curves, their mirrors, and every form of a line", () => {
    const parabola = (2 / 3) * 32 * 12;
    const isParabola = (path: string, count: number) =>
      expect(Math.abs(areaOfIcon(path) - count * parabola)).toBeLessThan(2);
    isParabola("M0 320Q160 80 320 320z", 1);
    isParabola("M0 320q160-240 320 0t320 0z", 2);
    isParabola("M0 320Q160 80 320 320T640 320z", 2);
    // T and S without a curve before them start straight.
    expect(area("M0 0T32 0L32 32z")).toBeCloseTo(512, 3);
    expect(area("M0 0S32 0 32 0L32 32z")).toBeCloseTo(512, 3);
    for (const square of [
      "M8 8H24V24H8Z",
      "m8 8h16v16h-16z",
      "M8,8 24,8 24,24 8,24z",
      "m8 8 16 0 0 16-16 0z",
      "M8 8l16 0l0 16l-16 0",
      "M1 1m7 7H24V24H8z",
      "M8.0.0m0 8h16v16H8z",
    ]) {
      expect([square, area(square)]).toEqual([square, 256]);
    }
    expect(area("M8 8h8v8h-8zm16 0h8v8h-8z")).toBe(128);
  });
});

describe("a PNG", () => {
  it("has sixteen steps of transparency of one color", async () => {
    const coverage = Float32Array.from({ length: 16 * 16 }, (_, index) => (index % 16) / 15);
    const pixel = pixelsOf(decode(await pngOf(coverage, [255, 0, 128], "a note"), { checkCrc: true }));
    for (let x = 0; x < 16; x++) expect(pixel(x, 15)).toEqual([255, 0, 128, x * 17]);
  });
});
