import { compile, compileLine, type Kind, type Library, type Parts } from "../compile.ts";
import { deadFallbacks } from "../dead-links.ts";
import { MAX_DRAWN, variablesOf } from "../draw/parts.ts";
import { error, type Problem } from "../problem.ts";
import { type MessageDefaults, type MessageSource, withDefaults } from "./message-source.ts";

export type TeamLibrary = Library & { defaults?: MessageDefaults };

export type CompiledSource = {
  subject: Parts;
  fromName: Parts;
  fromEmail: Parts;
  replyTo: Parts;
  cc: Parts;
  bcc: Parts;
  html: Parts;
  text: Parts;
  variables: string[];
  fallbacks: Readonly<Record<string, string>>;
};

export type FieldProblem = Problem & { field: keyof MessageSource };

const LINES = ["subject", "previewText", "fromName", "fromEmail", "replyToEmail", "ccEmail", "bccEmail"] as const;

/** Compiles a message; errors omit `compiled`. `uses` lists library ids, and `library` provides defaults. */
export const compileMessage = (
  written: MessageSource,
  kind: Kind,
  library: TeamLibrary,
): { compiled?: CompiledSource; uses: string[]; problems: FieldProblem[] } => {
  const source = withDefaults(written, library.defaults);
  const lines = LINES.map((field) => ({ field, ...compileLine(source[field], kind) }));
  const problems: FieldProblem[] = lines.flatMap(({ field, problems }) =>
    problems.map((problem) => ({ ...problem, field })),
  );
  const partsOf = (name: (typeof LINES)[number]): Parts => lines.find(({ field }) => field === name)?.parts ?? [];

  const fields = { subject: partsOf("subject"), preview: partsOf("previewText") };
  const body = compile(source.lmx, kind, { ...fields, lang: source.languageCode, format: source.emailFormat }, library);
  problems.push(...body.problems.map((problem) => ({ ...problem, field: "lmx" as const })));
  if (!body.compiled || problems.some(({ severity }) => severity === "error")) return { uses: [], problems };
  const { html, text, themes, components } = body.compiled;
  const parts = {
    subject: partsOf("subject"),
    fromName: partsOf("fromName"),
    fromEmail: partsOf("fromEmail"),
    replyTo: partsOf("replyToEmail"),
    cc: partsOf("ccEmail"),
    bcc: partsOf("bccEmail"),
    html,
    text,
  };
  const compiled = { ...parts, variables: variablesOf(...Object.values(parts)), fallbacks: fallbacksOf(source) };
  const large = sizeProblem(compiled);
  if (large) return { uses: [], problems: [...problems, large] };
  problems.push(...fallbackProblems(compiled));
  if (problems.some(({ severity }) => severity === "error")) return { uses: [], problems };
  return { compiled, uses: [...themes, ...components], problems };
};

const MAX_COMPILED = MAX_DRAWN;

const sizeProblem = (compiled: CompiledSource): FieldProblem | undefined => {
  const bytes = new TextEncoder().encode(JSON.stringify(compiled)).length;
  if (bytes <= MAX_COMPILED) return undefined;
  const message = `The mail gets ${Math.ceil(bytes / 1000)} KB large, and ${MAX_COMPILED / 1000} KB are possible: shorten it`;
  return { ...error({ line: 1, column: 1 }, "too_large", message), field: "lmx" };
};

const FIELDS = {
  contact: "contactPropertiesFallbacks",
  event: "eventPropertiesFallbacks",
  data: "dataVariablesFallbacks",
} as const;

const fallbackProblems = ({ html, variables, fallbacks }: CompiledSource): FieldProblem[] =>
  deadFallbacks(html, variables, fallbacks).map((variable) => {
    const [namespace = "data", name = ""] = variable.split(/\.(.*)/s);
    const field = FIELDS[namespace as keyof typeof FIELDS];
    const message = `the fallback of ${name} gives no address that a link can lead to: give a full one such as https://example.com (or mailto: or tel:), or remove it`;
    return { ...error({ line: 1, column: 1 }, "bad_value", message), field };
  });

const fallbacksOf = (source: MessageSource): Record<string, string> =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([namespace, field]) =>
      Object.entries(source[field]).map(([name, value]) => [`${namespace}.${name}`, value]),
    ),
  );
