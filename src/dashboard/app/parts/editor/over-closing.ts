import { Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const TAG = /<!--[\s\S]*?-->|<(\/?)([A-Za-z][\w.-]*)(?:"[^"]*"|'[^']*'|[^<>"'])*?(\/?)>/g;

/** Innermost open element at the end of text, or undefined. */
export const openAt = (text: string): string | undefined => {
  const open: string[] = [];
  for (const [, closes, name, isEmpty] of text.matchAll(TAG)) {
    if (name === undefined || isEmpty === "/") continue;
    if (closes !== "/") open.push(name);
    else if (open.includes(name)) open.length = open.lastIndexOf(name);
  }
  return open.at(-1);
};

/**
 * Handles typing over an automatic closing tag. `skip`: cursor move after deleting `drop` characters; undefined for
 * normal text.
 */
export const overClosing = (
  before: string,
  after: string,
  typed: string,
): { drop: number; skip: number } | undefined => {
  if (typed === "/" && before.endsWith("<")) {
    const [closing, name] = /^\s*<\/([\w.-]+)>/.exec(after) ?? [];
    if (closing === undefined || openAt(before.slice(0, -1)) !== name) return undefined;
    return { drop: 1, skip: closing.indexOf("/") + 1 };
  }
  const isInside = /<\/[\w.-]*$/.test(before) && /^[\w.-]*>/.test(after);
  return isInside && after.startsWith(typed) ? { drop: 0, skip: 1 } : undefined;
};

/** Types over an existing closing tag. Runs before the handler that closes tags. */
export const typeOverClosing = Prec.high(
  EditorView.inputHandler.of((view, from, to, typed) => {
    const { state } = view;
    if (view.composing || state.readOnly || from !== to || typed.length !== 1 || state.selection.ranges.length > 1)
      return false;
    const text = state.doc.toString();
    const over = overClosing(text.slice(0, from), text.slice(from), typed);
    if (!over) return false;
    view.dispatch({
      changes: { from: from - over.drop, to: from },
      selection: { anchor: from - over.drop + over.skip },
      userEvent: "input.type",
      scrollIntoView: true,
    });
    return true;
  }),
);
