import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseAst } from "vitest/node";

export const SRC = join(import.meta.dirname, "..", "..", "src");

/** An import of a file. `target` is a path below src, or the name of a package. */
export type Import = { file: string; target: string; typeOnly: boolean };

/** A function and its number of statements. */
export type Size = { file: string; name: string; statements: number };

export type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Found = { node: Node; above: Node[] };

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

export const nodesIn = (node: Node, above: Node[] = [], found: Found[] = []): Found[] => {
  found.push({ node, above });
  const around = [node, ...above];
  for (const child of Object.values(node).flat()) if (isNode(child)) nodesIn(child, around, found);
  return found;
};

/** Paths of the files below a folder. */
export const allFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** All files below src, without folders. */
export const allFiles = allFilesIn(SRC);

export const parse = (text: string, lang: "ts" | "tsx" = "ts"): Node => parseAst(text, { lang }) as unknown as Node;

/** Every TypeScript file below a folder with its text and, once it is asked for, its syntax tree. */
export const sourcesIn = (folder: string) =>
  allFilesIn(folder)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      let tree: Node | undefined;
      return {
        file,
        text,
        get tree(): Node {
          tree ??= parse(text, file.endsWith(".tsx") ? "tsx" : "ts");
          return tree;
        },
      };
    });

export const sources = sourcesIn(SRC);

const resolve = (file: string, target: string) => (target.startsWith(".") ? join(dirname(file), target) : target);

const isTypeOnly = (node: Node): boolean => {
  if (node.importKind === "type" || node.exportKind === "type") return true;
  const names = (node.specifiers ?? []) as Node[];
  return names.length > 0 && names.every((name) => name.importKind === "type" || name.exportKind === "type");
};

/** Every import of a file: statements, re-exports, `import("…")` as a value and as a type. */
export const importsOf = ({ file, tree }: { file: string; tree: Node }): Import[] =>
  nodesIn(tree).flatMap(({ node }) => {
    const source = node.source as { value?: unknown } | null | undefined;
    if (typeof source?.value !== "string" || !/^(Import|Export|TSImportType)/.test(node.type)) return [];
    return { file, target: resolve(file, source.value), typeOnly: node.type === "TSImportType" || isTypeOnly(node) };
  });

/** True if a file only re-exports: it declares nothing. */
export const isBarrel = ({ tree }: { tree: Node }): boolean => {
  const statements = tree.body as Node[];
  return statements.every(
    ({ type, source, declaration }) => /^(Import|Export(All|Named))Declaration$/.test(type) && (source || !declaration),
  );
};

/** The names in the code of a file: variables, types, fields and methods, each once. */
export const namesOf = ({ tree }: { tree: Node }): string[] => [
  ...new Set(
    nodesIn(tree).flatMap(({ node }) => (/^(Private)?Identifier$/.test(node.type) ? [String(node.name)] : [])),
  ),
];

export const nameOf = (above: Node[]): string => {
  const named = above.find(({ id, key }) => isNode(id) || isNode(key));
  const name = (named?.id ?? named?.key) as { name?: string; value?: string } | undefined;
  return name?.name ?? name?.value ?? "(no name)";
};

const FUNCTION = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/;

/** Statements of the blocks below a node, as ESLint's max-statements counts them: not those of inner functions. */
const statementsIn = (node: Node): number =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .filter(({ type }) => !FUNCTION.test(type))
    .reduce(
      (sum, child) => sum + statementsIn(child),
      node.type === "BlockStatement" ? (node.body as Node[]).length : 0,
    );

export const functionsOf = ({ file, tree }: { file: string; tree: Node }): Size[] =>
  nodesIn(tree)
    .filter(({ node }) => FUNCTION.test(node.type))
    .map(({ node, above }) => ({ file, name: nameOf([node, ...above]), statements: statementsIn(node) }));

/** Lines that have a spread of a literal, such as `...{ a, b }` or `...[a, b]`. */
export const literalSpreadsOf = (source: { file: string; text: string; tree: Node }): string[] => {
  const { file, text } = source;
  if (!/\.\.\.[\s(]*[[{]/.test(text)) return [];
  return nodesIn(source.tree)
    .filter(
      ({ node }) =>
        /^(SpreadElement|SpreadProperty|JSXSpreadAttribute)$/.test(node.type) &&
        /^(Object|Array)Expression$/.test((node.argument as Node).type),
    )
    .map(({ node }) => `${file}:${text.slice(0, node.start).split("\n").length}`);
};
