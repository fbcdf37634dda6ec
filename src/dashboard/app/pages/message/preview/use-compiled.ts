import { useDeferredValue, useMemo } from "react";
import { compileLine } from "../../../../../lib/lmx/compile.ts";
import type { Values } from "../../../../../lib/lmx/fill.ts";
import { inspect } from "../../../../../lib/lmx/message/inspect.ts";
import type { MessageSource } from "../../../../../lib/lmx/message/message-source.ts";
import type { Library } from "../../../team/library.ts";
import { kindOf, type Message, type Owner } from "../source.ts";
import { filledWith, markedHtml, valuesOf } from "./filled.ts";

type Given = {
  message: Message;
  source: MessageSource;
  library: Library;
  owner: Owner;
  typed: Readonly<Record<string, string>>;
  person: Values | undefined;
  publicUrl: string | undefined;
};

/** Compiles the current text with the service's code when idle. `mail`: undefined on errors. */
export const useCompiled = ({ message, source: newest, library, owner, typed, person, publicUrl }: Given) => {
  const source = useDeferredValue(newest);
  const kind = kindOf(message);
  const result = useMemo(() => {
    // A draft of a published email may omit required variables, as in the service.
    const isDraft = owner.publishedId != null && owner.publishedId !== message.id;
    const known = isDraft ? { requiredDataVariables: new Set(owner.required) } : {};
    return inspect(source, kind, library.library, known);
  }, [source, kind, library, owner, message.id]);
  const { compiled, problems, verdict } = result;
  const lmxProblems = useMemo(() => problems.filter(({ field }) => field === "lmx"), [problems]);
  return useMemo(() => {
    const values = compiled ? valuesOf(compiled, typed, person) : [];
    const preview = compileLine(source.previewText, kind).parts ?? [];
    const service = { publicUrl, footer: kind === "transactional" ? undefined : library.footer };
    return {
      problems,
      lmxProblems,
      verdict,
      values,
      mail: compiled && {
        ...filledWith(compiled, preview, values, service),
        marked: markedHtml(compiled, values, service),
      },
    };
  }, [compiled, problems, lmxProblems, verdict, source.previewText, kind, typed, person, publicUrl, library.footer]);
};
