import { compile, compileLine, type Parts } from "../../lmx/compile.ts";
import { variablesOf } from "../../lmx/draw/parts.ts";
import type { Problem } from "../../lmx/problem.ts";
import type { SampleTemplate } from "./samples/sample.ts";

/**
 * The compiled part of a revision: a send only fills its slots. `variables`: those of all parts, such as "data.amount".
 */
export type CompiledTemplate = {
  subject: Parts;
  fromName: Parts;
  fromEmail: Parts;
  html: Parts;
  text: Parts;
  variables: string[];
};

/** Compiles every field of a template. `compiled` is absent when any problem is an error. */
export const compileTemplate = (source: SampleTemplate): { compiled?: CompiledTemplate; problems: Problem[] } => {
  const line = (field: "subject" | "previewText" | "fromName" | "fromEmail") =>
    compileLine(source[field], "transactional");
  const [subject, preview, fromName, fromEmail] = [
    line("subject"),
    line("previewText"),
    line("fromName"),
    line("fromEmail"),
  ];
  const lines = [subject, preview, fromName, fromEmail].flatMap(({ problems }) => problems);
  if (!subject.parts || !preview.parts || !fromName.parts || !fromEmail.parts) return { problems: lines };

  const body = compile(source.lmx, "transactional", { subject: subject.parts, preview: preview.parts });
  const problems = [...lines, ...body.problems];
  if (!body.compiled) return { problems };
  const { html, text } = body.compiled;
  const parts = { subject: subject.parts, fromName: fromName.parts, fromEmail: fromEmail.parts, html, text };
  return { compiled: { ...parts, variables: variablesOf(...Object.values(parts)) }, problems };
};
