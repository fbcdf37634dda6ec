// Setup of tests of objects. A call of an object asks Vite for the path of the main module: its first answer is kept.
type Resolve = (id: string, importer?: string) => Promise<unknown>;
type Runner = { vitestOptions: { transport: { resolveId: Resolve } } };

const shared = globalThis as unknown as {
  __vitest_mocker__: { moduleRunner: Runner };
  keptPaths?: Map<string, unknown>;
};

if (!shared.keptPaths) {
  const kept = new Map<string, unknown>();
  const { transport } = shared.__vitest_mocker__.moduleRunner.vitestOptions;
  const { resolveId } = transport;
  // The map has answers, no promises: a promise of one object's event does not end in another's.
  transport.resolveId = async (id, importer) => {
    if (importer !== undefined) return resolveId(id, importer);
    if (!kept.has(id)) kept.set(id, await resolveId(id));
    return kept.get(id);
  };
  shared.keptPaths = kept;
}
