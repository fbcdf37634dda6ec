import { isNode, type Node, nameOf, nodesIn } from "./source.ts";

/** A loop that awaits, and that no number in its head ends. */
export type Loop = { file: string; name: string; line: number };

const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTION =
  /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|MethodDefinition|PropertyDefinition)$/;
const COMPARISON = /^[<>]=?$/;

/** `0` is no bound: `rows.length > 0`. */
const isConstant = (node: unknown): boolean =>
  isNode(node) &&
  ((node.type === "Literal" && typeof node.value === "number" && node.value > 0) ||
    (node.type === "Identifier" && /^[A-Z][A-Z0-9_]*$/.test(String(node.name))));

/** Nodes below this one, without those of inner functions. */
const ownNodes = (node: Node): Node[] => [
  node,
  ...Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((child) => (FUNCTION.test(child.type) ? [] : ownNodes(child))),
];

const awaits = (node: Node): boolean =>
  node.await === true ||
  [node.body, node.test, node.update]
    .filter(isNode)
    .flatMap(ownNodes)
    .some((one) => one.type === "AwaitExpression" || (one.type === "ForOfStatement" && one.await === true));

/** `left` and `budget.left` begin with a number. */
const isBudget = (node: unknown): boolean =>
  isNode(node) && ((node.property ?? node) as { name?: string }).name === "left";

const counts = (test: unknown): boolean =>
  isNode(test) &&
  ownNodes(test).some(
    ({ type, operator, left, right }) =>
      type === "BinaryExpression" &&
      COMPARISON.test(String(operator)) &&
      [left, right].some((side) => isConstant(side) || isBudget(side)),
  );

/** `[a, b]`, `NAMES`, `Array.from({ length: LANES })`, `rows.slice(0, SLICE)`, and what is mapped from these. */
const isShort = (list: unknown): boolean => {
  if (!isNode(list)) return false;
  if (list.type === "Identifier") return isConstant(list);
  if (list.type === "ArrayExpression")
    return (list.elements as Node[]).every(
      (one) =>
        one.type !== "SpreadElement" ||
        isShort(one.argument) ||
        (one.argument as Node).type === "ConditionalExpression",
    );
  if (list.type !== "CallExpression") return false;
  const callee = list.callee as Node;
  const given = list.arguments as Node[];
  const method = (callee.property as { name?: string } | undefined)?.name;
  if (method === "slice") return given.length === 2 && isConstant(given[1]);
  if (method === "from" && given[0]?.type === "ObjectExpression")
    return ownNodes(given[0]).some(({ type, value }) => type === "Property" && isConstant(value));
  if (method === "map" || method === "entries" || method === "flatMap") return isShort(callee.object);
  return (method === "keys" || method === "values") && given.some(isShort);
};

const isPromiseAll = ({ type, callee }: Node): boolean => {
  const { object, property } = (callee ?? {}) as { object?: { name?: string }; property?: { name?: string } };
  return type === "CallExpression" && object?.name === "Promise" && /^(all|allSettled|any)$/.test(property?.name ?? "");
};

/** `rows.map(async …)`: each row begins work. */
const startsEach = ({ type, callee, arguments: given }: Node): boolean =>
  type === "CallExpression" &&
  /^(map|flatMap|forEach)$/.test((callee as { property?: { name?: string } }).property?.name ?? "") &&
  (given as Node[])[0]?.async === true &&
  !isShort((callee as Node).object);

const isUnbounded = (node: Node, [above]: Node[]): boolean => {
  if (startsEach(node)) return above === undefined || !isPromiseAll(above);
  if (isPromiseAll(node)) return !isShort((node.arguments as Node[])[0]);
  if (!LOOP.test(node.type) || !awaits(node)) return false;
  if (node.type === "ForOfStatement") return node.await === true || !isShort(node.right);
  return !counts(node.test);
};

/** Loops over data with an await and no bound: `for`, `while`, and `Promise.all` of a list. */
export const unboundedLoopsOf = ({ file, text, tree }: { file: string; text: string; tree: Node }): Loop[] =>
  nodesIn(tree)
    .filter(({ node, above }) => isUnbounded(node, above))
    .map(({ node, above }) => ({
      file,
      name: nameOf(above),
      line: text.slice(0, node.start).split("\n").length,
    }));
