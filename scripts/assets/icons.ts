import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Font Awesome Free as published by Iconify, with former names as names. */
const SETS = ["fa7-solid", "fa7-brands"];
const FORMER: Readonly<Record<string, string>> = { "font-awesome": "font-awesome-logo-full" };

const require = createRequire(import.meta.url);
const read = (set: string, file: string): unknown =>
  JSON.parse(readFileSync(require.resolve(`@iconify-json/${set}/${file}`), "utf8"));

/** A line has names, tab, SVG path. The first set wins for shared names. */
export const iconList = (): string => {
  const paths = new Map<string, string>();
  for (const set of SETS) {
    const { icons } = read(set, "icons.json") as { icons: Record<string, { body: string }> };
    for (const [name, { body }] of Object.entries(icons)) {
      const path = /^<path fill="currentColor" d="([^"]+)"\/>$/.exec(body)?.[1];
      if (path === undefined) throw new Error(`The icon ${name} of ${set} is not a single path.`);
      for (const one of [name, FORMER[name] ?? name]) if (!paths.has(one)) paths.set(one, path);
    }
  }
  const lines = Map.groupBy(paths, ([, path]) => path);
  return [
    credits(),
    ...[...lines].map(([path, named]) => `${named.map(([name]) => name).join(" ")}\t${path}`),
    "",
  ].join("\n");
};

/** The license requires the names of author and license. */
const credits = (): string =>
  SETS.map((set) => {
    const { name, version, license } = read(set, "info.json") as {
      name: string;
      version: string;
      license: { title: string; url: string };
    };
    return `# ${name} ${version} by Fonticons, Inc., https://fontawesome.com, ${license.title}, ${license.url}`;
  }).join("\n");
