import { lazy, Suspense } from "react";
import { Loading } from "../states.tsx";
import type { EditorProps } from "./types.ts";

const Editor = lazy(async () => ({ default: (await import("./editor.tsx")).Editor }));

/**
 * LMX field with completion, problem marks and folding. F8: next problem. Escape, then Tab: leave. The page compiles:
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
