import { lazy, Suspense } from "react";
import { Loading } from "../states.tsx";
import type { EditorProps } from "./types.ts";

const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

/**
 * A field for LMX: it completes tags, attributes, values and variables, marks problems where they are, folds, and goes to the next problem
 * with F8. Tab indents; Escape, then Tab, leaves it. Its code is loaded when it is first drawn.
 *
 * The page compiles, because only it knows what the document belongs to:
 *
 * @example
 * const [lmx, setLmx] = useDraft(`component ${id}`, saved.lmx);
 * const { problems } = useMemo(() => checkComponent(lmx, library, id), [lmx, library, id]);
 * <LmxEditor label="LMX" kind="component" value={lmx} onChange={setLmx} problems={problems} />
 */
export const LmxEditor = (props: EditorProps) => (
  <Suspense fallback={<Loading rows={8} />}>
    <Editor {...props} />
  </Suspense>
);
