import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Contrast of at least 4.5; library colors have less. */
const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "light-dark(#1d4ed8, #93c5fd)" },
  { tag: tags.attributeName, color: "light-dark(#7c2d12, #fdba74)" },
  { tag: tags.attributeValue, color: "light-dark(#166534, #86efac)" },
  { tag: tags.character, color: "light-dark(#6b21a8, #d8b4fe)" },
  { tag: tags.comment, color: "light-dark(#52525b, #a1a1aa)" },
]);

const LINE = "1px solid var(--mantine-color-default-border)";
const BODY = "var(--mantine-color-body)";
const TEXT = "var(--mantine-color-text)";
const MARKED = "light-dark(#f4f4f5, #27272a)";
const CHOSEN = "light-dark(#4338ca, #a5b4fc)";
const FLOATING = { backgroundColor: BODY, color: TEXT, border: LINE, borderRadius: "4px" };

const theme = EditorView.theme({
  "&": { border: LINE, borderRadius: "4px", fontSize: "13px", color: TEXT, backgroundColor: BODY },
  "&.cm-focused": { outline: "2px solid light-dark(var(--mantine-color-indigo-8), var(--mantine-color-indigo-3))" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.6" },
  ".cm-content": { minHeight: "240px", caretColor: TEXT },
  ".cm-cursor": { borderLeftColor: TEXT },
  ".cm-gutters": {
    backgroundColor: BODY,
    borderRight: LINE,
    color: "light-dark(var(--mantine-color-gray-7), var(--mantine-color-dark-1))",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: MARKED },
  // An opaque active line would hide the selection behind it.
  "&.cm-focused .cm-activeLine": { backgroundColor: "light-dark(#f4f4f580, #27272a80)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#c7d2fe, #3730a3)",
  },
  ".cm-foldPlaceholder": { backgroundColor: MARKED, color: TEXT, border: LINE, padding: "0 6px" },
  ".cm-tooltip": FLOATING,
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: CHOSEN,
    color: "light-dark(#ffffff, #18181b)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", marginLeft: "1em" },
  ".cm-panels": { backgroundColor: BODY, color: TEXT },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: MARKED, color: TEXT },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "60ch" },
  ".cm-diagnosticAction": { backgroundColor: CHOSEN, color: "light-dark(#ffffff, #18181b)" },
});

export const look = [theme, syntaxHighlighting(colors)];
