import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import type { Env } from "../env.ts";
import { getOnly } from "./get-only.ts";
import { drawIcon } from "./icons/draw.ts";

const HEADERS = {
  "Content-Type": "image/png",
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'",
  "X-Content-Type-Options": "nosniff",
  // Webmail shows images of other origins.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Reads SVG paths by icon name, including former names, from `scripts/assets/icons.ts`. */
export const readIcons = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list.split("\n").flatMap((line) => {
      const [names = "", path] = line.split("\t");
      return path === undefined ? [] : names.split(" ").map((name) => [name, path] as const);
    }),
  );

/**
 * `GET /icons/{name}-{rrggbb}.png`: a Font Awesome Free icon, because mail clients show no SVG. Drawing takes under 1
 * ms, so it is not cached.
 */
export const iconRoutes = ({ ASSETS }: Env): Hono => {
  const app = new Hono();
  if (!ASSETS) return app;
  let icons: ReadonlyMap<string, string> | undefined;
  const load = async (url: string) => {
    const response = await ASSETS.fetch(new Request(new URL("/icons.txt", url)));
    if (!response.ok) throw new Error(`The list of icons answers ${response.status}.`);
    return readIcons(await response.text());
  };
  app.get("/icons/:file", async (c) => {
    const [, name, color] = /^([a-z\d-]{1,60})-([\da-f]{6})\.png$/.exec(c.req.param("file")) ?? [];
    if (name === undefined || color === undefined) {
      const message =
        "The address of an icon is /icons/<name>-<color>.png, with six small hexadecimal digits: /icons/github-808080.png.";
      return answer({ refusal: { code: "not_found", message } });
    }
    icons ??= await load(c.req.url);
    const path = icons.get(name);
    if (path === undefined) {
      const message = `There is no icon "${name}". The names are those of Font Awesome Free: https://fontawesome.com/search?ic=free.`;
      return answer({ refusal: { code: "not_found", message } });
    }
    return c.body(await drawIcon(path, color), 200, HEADERS);
  });
  getOnly(app, "/icons/:file");
  return app;
};
