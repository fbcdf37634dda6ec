import { type SampleFile, sampleFiles } from "../../../../scripts/lib/sample-files.ts";
import bold from "../../../../src/email/samples/themes/bold.json" with { type: "json" };
import calm from "../../../../src/email/samples/themes/calm.json" with { type: "json" };
import { compile, compileLine, type Problem } from "../../../../src/lib/lmx/compile.ts";
import { fill } from "../../../../src/lib/lmx/fill.ts";
import type { ThemeStyles } from "../../../../src/lib/lmx/language/theme.ts";

export const themes: Readonly<Record<string, { name: string; styles: ThemeStyles }>> = { calm, bold };

const LINES = ["subject", "previewText", "fromName", "fromEmail"] as const;

export const sampleMail = (
  sample: SampleFile,
  theme = "calm",
  given: Readonly<Record<string, string>> = sample.values,
) => {
  const values = { ...sample.fallbacks, ...given };
  const lines = LINES.map((field) => ({ field, ...compileLine(sample.fields[field] ?? "", "transactional") }));
  const partsOf = (name: (typeof LINES)[number]) => lines.find(({ field }) => field === name)?.parts ?? [];
  const { compiled, problems } = compile(
    sample.lmx,
    "transactional",
    { subject: partsOf("subject"), preview: partsOf("previewText"), lang: sample.fields.languageCode ?? "" },
    { themes: { [theme]: themes[theme]?.styles ?? {} }, defaultThemeId: theme },
  );
  const all: Problem[] = [...lines.flatMap((line) => line.problems), ...problems];
  if (compiled === undefined) throw new Error(`${sample.file}: ${JSON.stringify(all)}`);
  const variables = new Set([...lines.flatMap((line) => line.variables), ...compiled.variables]);
  return {
    problems: all,
    variables: [...variables].toSorted(),
    lines: Object.fromEntries(LINES.map((field) => [field, fill(partsOf(field), values)])),
    html: fill(compiled.html, values),
    text: fill(compiled.text, values),
  };
};

/** Each sample template with each sample theme, such as `receipt-bold`. */
export const sampleMails: readonly (readonly [name: string, html: string])[] = sampleFiles.flatMap((sample) =>
  Object.keys(themes).map((theme) => [`${sample.file}-${theme}`, sampleMail(sample, theme).html] as const),
);
