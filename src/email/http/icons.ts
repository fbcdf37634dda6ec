import { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";
import type { Env } from "../env.ts";
import { getOnly } from "./get-only.ts";
import { drawIcon } from "./icons/draw.ts";

const HEADERS = {
  "Content-Type": "image/png",
  // The picture of a name and a colour stays the same.
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'",
  "X-Content-Type-Options": "nosniff",
  // Webmail and pages show pictures of other origins.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** The SVG paths of icons by name, former names too, from the list that `scripts/assets/icons.ts` writes. */
export const readIcons = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list.split("\n").flatMap((line) => {
      const [names = "", path] = line.split("\t");
      return path === undefined ? [] : names.split(" ").map((name) => [name, path] as const);
    }),
  );

/**
 * `GET /icons/{name}-{rrggbb}.png`: an icon of Font Awesome Free in one colour, for mails, because mail clients show no SVG.
 * Drawing one takes less than a millisecond, so nothing is kept but the list of paths.
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
        "The address of an icon is /icons/<name>-<colour>.png, with six small hexadecimal digits: /icons/github-808080.png.";
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
