import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const app = join(import.meta.dirname, "../../../src/dashboard/app");

/**
 * The paths of all pages, as the router has them, such as `/people/$personId`. One that only leads to another is none;
 * kit.test.ts opens the page of parts.
 */
export const routes = ["router.tsx", ...readdirSync(join(app, "routes")).map((name) => join("routes", name))].flatMap(
  (name) =>
    [...readFileSync(join(app, name), "utf8").matchAll(/path: "([^"]+)",(?!\s*beforeLoad)/g)]
      .map(([, path = ""]) => path)
      .filter((path) => path !== "/kit"),
);

/**
 * The routes that no path of a table leads to: a page without a row is not tested.
 *
 * @param paths with a name for each part that is known later, such as `/segments/:segment?view=all`
 * @param except routes without a row, with the reason
 */
export const routesWithoutRow = (paths: readonly string[], except: Readonly<Record<string, string>> = {}): string[] => {
  const shown = paths.map((path) => path.replace(/\?.*/, ""));
  // A named path leads to the page with that word: /segments/new is not a segment.
  const isOf = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, "[^/]+")}$`);
    return (path: string) => pattern.test(path) && (path === route || !routes.includes(path));
  };
  const lacking = routes.filter((route) => !shown.some(isOf(route)));
  const unknown = Object.keys(except).filter((route) => !lacking.includes(route));
  return [
    ...lacking.filter((route) => !(except[route] ?? "").trim()),
    ...unknown.map((route) => `${route} is an exception, and needs none`),
  ];
};
