import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { xml, xmlLanguage } from "@codemirror/lang-xml";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { getNonce } from "get-nonce";
import type { Kind } from "../../../../lib/lmx/compile.ts";
import { elementsOf, type Names, valueSource, variableSource } from "./completion.ts";
import { look } from "./look.ts";
import { typeOverClosing } from "./over-closing.ts";

/** LMX with completions from the compiler's tables. */
export const language = (kind: Kind, names: Names, variables: () => readonly string[]): Extension => [
  typeOverClosing,
  xml({ elements: elementsOf(kind), attributes: [] }),
  xmlLanguage.data.of({ autocomplete: valueSource(names) }),
  xmlLanguage.data.of({ autocomplete: variableSource(kind, variables) }),
  // No apostrophe, because mails are mostly prose.
  xmlLanguage.data.of({ closeBrackets: { brackets: ["{", '"'], before: ")]}:;<>.,!?'\"" } }),
];

/** Escape makes the next Tab leave the editor. Any other key cancels this. */
const leaveByTab = EditorView.domEventHandlers({
  keydown: ({ key }, view) => {
    if (key === "Escape") view.setTabFocusMode(true);
    else if (!["Tab", "Shift", "Control", "Alt", "Meta"].includes(key)) view.setTabFocusMode(false);
    return false;
  },
  blur: (_, view) => view.setTabFocusMode(false),
});

/** Handles typing over a selection, because the browser would add inline styles that the CSP forbids. */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data: text, inputType } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== "insertText" || !text || empty || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

/** Extensions without the language. */
export const basics: readonly Extension[] = [
  leaveByTab,
  typeOver,
  lineNumbers(),
  lintGutter(),
  codeFolding(),
  foldGutter(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  indentOnInput(),
  closeBrackets(),
  autocompletion({ icons: false }),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
  look,
];

/** The CSP needs this nonce for editor styles. */
export const nonce = (): Extension => EditorView.cspNonce.of(getNonce() ?? "");
