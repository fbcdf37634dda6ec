import { setDiagnostics } from "@codemirror/lint";
import { Compartment, type Text as Doc, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { Stack, Text, useComputedColorScheme } from "@mantine/core";
import { useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import type { Problem } from "../../../../lib/lmx/compile.ts";
import { diagnosticsOf, offsetOf } from "./diagnostics.ts";
import { basics, language, nonce } from "./extensions.ts";
import type { EditorProps } from "./types.ts";

/**
 * The editor always uses
 * .
 */
const normalized = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

const useView = (props: EditorProps, hint: string, onCursor: (offset: number) => void) => {
  const { value, problems, kind, label, variables = [], components, themes, readOnly = false } = props;
  const parent = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const [parts] = useState(() => ({ language: new Compartment(), own: new Compartment() }));
  const latest = useRef({ props, variables, onCursor });
  latest.current = { props, variables, onCursor };
  const isDark = useComputedColorScheme() === "dark";
  useEffect(() => {
    const made = new EditorView({
      parent: parent.current as HTMLElement,
      doc: latest.current.props.value,
      extensions: [
        nonce(),
        ...basics,
        parts.language.of([]),
        parts.own.of([]),
        EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
          const isGiven = transactions.some((transaction) => transaction.isUserEvent("given"));
          if (docChanged && !isGiven) latest.current.props.onChange(state.doc.toString());
          if (docChanged || selectionSet) latest.current.onCursor(state.selection.main.head);
        }),
      ],
    });
    setView(made);
    return () => made.destroy();
  }, [parts]);
  useEffect(() => {
    const names = { components: components ?? [], themes: themes ?? [] };
    view?.dispatch({ effects: parts.language.reconfigure(language(kind, names, () => latest.current.variables)) });
  }, [view, parts, kind, components, themes]);
  useEffect(() => {
    const attributes = { "aria-label": label, "aria-describedby": hint, tabindex: "0" };
    const own = [EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of(attributes)];
    view?.dispatch({ effects: parts.own.reconfigure([...own, EditorView.theme({}, { dark: isDark })]) });
  }, [view, parts, label, hint, readOnly, isDark]);
  useEffect(() => {
    if (!view || view.state.doc.toString() === normalized(value)) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, userEvent: "given" });
  }, [view, value]);
  const marked = useRef<{ doc: Doc; problems: string }>(undefined);
  useEffect(() => {
    if (!view) return;
    // Resetting marks would close an open message.
    const next = { doc: view.state.doc, problems: JSON.stringify(problems) };
    if (marked.current?.doc === next.doc && marked.current.problems === next.problems) return;
    marked.current = next;
    view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, problems)));
  }, [view, problems]);
  return { parent, view };
};

const counted = (problems: readonly Problem[], severity: Problem["severity"]): string => {
  const count = problems.filter((problem) => problem.severity === severity).length;
  return count === 1 ? `1 ${severity}` : `${count} ${severity}s`;
};

/** The editor with its library, loaded by `LmxEditor`. */
export const Editor = (props: EditorProps) => {
  const { problems, handle, maxHeight = "65vh" } = props;
  const hint = useId();
  const [cursor, setCursor] = useState(0);
  const { parent, view } = useView(props, hint, setCursor);
  useImperativeHandle(
    handle,
    () => ({
      goTo: (position) => {
        if (!view) return;
        const anchor = offsetOf(view.state.doc, position);
        view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
        view.focus();
      },
    }),
    [view],
  );
  const diagnostics = view ? diagnosticsOf(view.state, problems) : [];
  const here = problems.filter((_, n) => {
    const diagnostic = diagnostics[n];
    return diagnostic !== undefined && diagnostic.from <= cursor && cursor <= diagnostic.to;
  });
  return (
    <Stack gap={4}>
      <div ref={parent} style={{ display: "grid", gridTemplateRows: "minmax(0, 1fr)", maxHeight, minHeight: 0 }} />
      <Text size="xs" c="dimmed" id={hint}>
        {problems.length === 0
          ? "No problems. "
          : `${counted(problems, "error")}, ${counted(problems, "warning")}. F8 goes to the next. `}
        Tab indents: press Escape, then Tab, to leave the editor.
      </Text>
      <div role="status">
        {here.map(({ line, column, message }) => (
          <Text key={`${line}:${column} ${message}`} size="sm" style={{ overflowWrap: "anywhere" }}>
            Line {line}, column {column}: {message}
          </Text>
        ))}
      </div>
    </Stack>
  );
};
