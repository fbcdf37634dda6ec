import * as z from "zod";
import { filterSchema } from "./filter.ts";

// Workflow file format, see docs/workflows.md.

const truth = z.boolean("must be true or false");
const text = z.string("must be a text");

const mail = z.strictObject({
  subject: text.optional(),
  previewText: text.optional(),
  fromName: text.optional(),
  fromEmail: text.optional(),
  replyToEmail: text.optional(),
  ccEmail: text.optional(),
  bccEmail: text.optional(),
  languageCode: text.optional(),
  emailFormat: text.optional(),
  lmx: z.union([text, z.strictObject({ text })], "must be LMX, or the path of a file that ends in .lmx").optional(),
  fallbacks: z.record(z.string(), z.string("must be a text; write numbers in quotes")).optional(),
});
export type FileMail = z.output<typeof mail>;

/** Keys that define the kind of a step. */
const KINDS = ["wait", "filter", "send", "branch", "experiment", "goto"] as const;

type Steps = FileStep[];
export type FilePath = {
  name?: string | undefined;
  filter?: z.output<typeof filterSchema> | undefined;
  control?: boolean | undefined;
  direct?: boolean | undefined;
  steps?: Steps | undefined;
};
export type FileStep = {
  name?: string | undefined;
  wait?: string | undefined;
  filter?: z.output<typeof filterSchema> | undefined;
  send?: FileMail | undefined;
  branch?: FilePath[] | undefined;
  experiment?: { percent: number; paths: FilePath[] } | undefined;
  goto?: string | undefined;
};

const steps = z.array(
  z.lazy((): z.ZodType<FileStep> => step),
  "must be a list of steps",
);
const range = "must be a number from 0 to 100";
const percent = z.number(range).min(0, range).max(100, range);
const atLeastOne = "must have at least one path";
const branchPath = z.strictObject({
  name: text.optional(),
  filter: filterSchema.optional(),
  direct: truth.optional(),
  steps: steps.optional(),
});
const variantPath = z.strictObject({
  name: text.optional(),
  control: truth.optional(),
  direct: truth.optional(),
  steps: steps.optional(),
});

const step: z.ZodType<FileStep> = z
  .strictObject({
    name: text.optional(),
    wait: z.string("must be a time such as 3 d, 12 h or 30 m").optional(),
    filter: filterSchema.optional(),
    send: mail.optional(),
    branch: z.array(branchPath).min(1, atLeastOne).optional(),
    experiment: z
      .strictObject({
        percent: percent,
        paths: z.array(variantPath).min(1, atLeastOne),
      })
      .optional(),
    goto: text.optional(),
  })
  .refine((given) => KINDS.filter((kind) => given[kind] !== undefined).length === 1, {
    error: `must have exactly one of ${KINDS.join(", ")}`,
  });

const comparison = z.union([text, z.record(z.string(), z.unknown())], 'must be "any" or such as { equal: pro }');

const trigger = z.union(
  [
    z.literal("signup"),
    z.strictObject({ event: text.nullable(), reEligible: truth.optional() }),
    z.strictObject({ list: z.literal("joined", 'must be "joined"'), reEligible: truth.optional() }),
    z.strictObject({
      property: text.nullable(),
      was: comparison.optional(),
      is: comparison.optional(),
      reEligible: truth.optional(),
    }),
  ],
  "must be signup, { event: name }, { list: joined }, or { property: plan, was: any, is: { equal: pro } }",
);
export type FileTrigger = z.output<typeof trigger>;

export const fileSchema = z.strictObject({
  name: text.trim().min(1, "must not be empty").max(255, "must be at most 255 characters"),
  description: text.max(1_000, "must be at most 1000 characters").optional(),
  list: text.nullable().optional(),
  trigger: trigger.optional(),
  steps,
});
export type WorkflowFile = z.output<typeof fileSchema>;
