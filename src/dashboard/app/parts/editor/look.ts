import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Library colors have too little contrast. */
const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--k-tag)" },
  { tag: tags.attributeName, color: "var(--k-attr)" },
  { tag: tags.attributeValue, color: "var(--k-str)" },
  { tag: tags.character, color: "var(--on-violet)" },
  { tag: tags.comment, color: "var(--ink-3)" },
]);

const LINE = "1px solid var(--line-strong)";
const BODY = "var(--surface)";
const TEXT = "var(--ink)";
const MARKED = "var(--hover)";
const CHOSEN = "var(--accent)";
const FLOATING = { backgroundColor: BODY, color: TEXT, border: LINE, borderRadius: "var(--radius-m)" };

const theme = EditorView.theme({
  "&": { border: LINE, borderRadius: "var(--radius-m)", fontSize: "13px", color: TEXT, backgroundColor: BODY },
  "&.cm-focused": { outline: "2px solid var(--focus)" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.6" },
  ".cm-content": { minHeight: "240px", caretColor: TEXT },
  ".cm-cursor": { borderLeftColor: TEXT },
  ".cm-gutters": {
    backgroundColor: BODY,
    borderRight: LINE,
    color: "var(--ink-3)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: MARKED },
  // An opaque active line would hide the selection behind it.
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 50%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-foldPlaceholder": { backgroundColor: MARKED, color: TEXT, border: LINE, padding: "0 6px" },
  ".cm-tooltip": FLOATING,
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: CHOSEN,
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", marginLeft: "1em" },
  ".cm-panels": { backgroundColor: BODY, color: TEXT },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: MARKED, color: TEXT },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "60ch" },
  ".cm-diagnosticAction": { backgroundColor: CHOSEN, color: "var(--on-accent)" },
});

export const look = [theme, syntaxHighlighting(colors)];
