import { syntaxTree } from "@codemirror/language";
import type { Diagnostic } from "@codemirror/lint";
import type { ChangeSpec, EditorState, Text } from "@codemirror/state";
import type { Problem } from "../../../../lib/lmx/compile.ts";
import type { Position } from "./types.ts";

/** Offset of a place, or the nearest one if it is gone. */
export const offsetOf = (doc: Text, { line, column }: Position): number => {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + Math.max(column - 1, 0), found.to);
};

const WORD = /^(?:<\/?[\w.:-]*|\{+[^}\s<]*\}*|[\w.:-]+|[\s\S])/;

/** Compiler problems as editor marks. Component problems mark the component's use. */
export const diagnosticsOf = (state: EditorState, problems: readonly Problem[]): Diagnostic[] =>
  problems.map((problem) => {
    const { doc } = state;
    const from = offsetOf(doc, problem);
    const [word = ""] = WORD.exec(doc.sliceString(from, doc.lineAt(from).to)) ?? [];
    const fix = fixOf(problem);
    const { severity, message } = problem;
    return {
      from,
      to: from + word.length,
      severity,
      message,
      ...(fix === undefined
        ? {}
        : {
            actions: [
              {
                name: `Write ${fix}`,
                apply: (view, at, end) =>
                  view.dispatch({ changes: changesOf(view.state, at, end, fix), userEvent: "input.complete" }),
              },
            ],
          }),
    };
  });

/** The compiler's suggested name, without brackets. */
export const fixOf = ({ message, component }: Problem): string | undefined => {
  if (component !== undefined) return undefined;
  const [, tag, variable, name] = /did you mean (?:<(\w+)>|(\{[\w.-]+\})|(\w+))\?$/.exec(message) ?? [];
  return tag ?? variable ?? name;
};

const changesOf = (state: EditorState, from: number, to: number, fix: string): ChangeSpec[] => {
  const wrong = state.sliceDoc(from, to);
  const start = from + (wrong.startsWith("<") ? 1 : 0);
  const changes = [{ from: start, to, insert: fix }];
  if (!wrong.startsWith("<")) return changes;
  let node = syntaxTree(state).resolveInner(start, 1);
  while (node.name !== "Element" && node.parent) node = node.parent;
  const last = node.lastChild?.getChild("TagName");
  if (!last || last.from < to || state.sliceDoc(last.from, last.to) !== wrong.slice(1)) return changes;
  return [...changes, { from: last.from, to: last.to, insert: fix }];
};
