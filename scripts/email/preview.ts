import { openInBrowser } from "./browser.ts";
import type { Built } from "./build.ts";
import { frame, type Look, paint } from "./frames.ts";
import { versionOf } from "./page.ts";
import { servePreview } from "./serve.ts";
import { counts, failed } from "./summary.ts";
import { makeWatched, watchFiles } from "./watch.ts";

type Options = { port: number | undefined; open: boolean; look: Look };

const print = ({ path, findings }: Built, look: Look): void => {
  for (const finding of findings) console.log(`${frame(finding, look)}\n`);
  const sign = failed(findings) ? paint(look, "red", "✗") : paint(look, "green", "✓");
  console.log(`${sign} ${path}: ${counts(findings)}`);
};

/** No save of the file fixes these. */
const FINAL = new Set(["no_file", "is_folder", "not_a_file"]);

/** Shows a mail and updates it after each save, until SIGINT or SIGTERM. False without the file. */
export const preview = async (make: () => Built, { port, open, look }: Options): Promise<boolean> => {
  const first = makeWatched(make);
  print(first.made, look);
  if (first.made.source === "" && first.made.findings.some(({ code }) => FINAL.has(code))) return false;
  const page = await servePreview(first.made, port);
  console.log(`\n  ${paint(look, "bold", page.url)}   reloads when you save; Ctrl-C ends it\n`);
  if (open) openInBrowser(page.url);
  let shown = versionOf(first.made);
  const end = watchFiles(first, make, (built) => {
    const version = versionOf(built);
    if (version === shown) return;
    shown = version;
    print(built, look);
    page.show(built);
  });
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  end();
  await page.close();
  return true;
};
