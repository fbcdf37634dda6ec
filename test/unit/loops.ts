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

/** `void send(row)`: a call without an await. */
const isVoidCall = ({ type, operator, argument }: Node): boolean =>
  type === "UnaryExpression" && operator === "void" && isNode(argument) && argument.type === "CallExpression";

const awaits = (node: Node): boolean =>
  node.await === true ||
  [node.body, node.test, node.update]
    .filter(isNode)
    .flatMap(ownNodes)
    .some(
      (one) =>
        one.type === "AwaitExpression" || isVoidCall(one) || (one.type === "ForOfStatement" && one.await === true),
    );

/** Name of `send`, and the last one of `this.#send`. */
const lastName = (node: unknown): string | undefined =>
  isNode(node) ? ((node.property ?? node) as { name?: string }).name : undefined;

/** `left` and `budget.left` begin with a number. */
const isBudget = (node: unknown): boolean => lastName(node) === "left";

/** `rows.length >= 1` and `1 <= rows.length` end when all is done. */
const isUntilEmpty = (operator: string, left: unknown, right: unknown): boolean =>
  /^(length|size)$/.test(String(lastName(operator.startsWith(">") ? left : right)));

const counts = (test: unknown): boolean =>
  isNode(test) &&
  ownNodes(test).some(
    ({ type, operator, left, right }) =>
      type === "BinaryExpression" &&
      COMPARISON.test(String(operator)) &&
      !isUntilEmpty(String(operator), left, right) &&
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

/** Names of the async functions, methods and properties of a file. */
const asyncNamesOf = (tree: Node): Set<string> =>
  new Set(
    nodesIn(tree).flatMap(({ node: { init, value, id, key, async: isAsync } }) =>
      isAsync === true || [init, value].some((made) => isNode(made) && made.async === true)
        ? (lastName(id ?? key) ?? [])
        : [],
    ),
  );

/** `rows.map(async …)`, `rows.forEach(send)`: each row begins work. */
const startsEach = ({ type, callee, arguments: given }: Node, asyncNames: Set<string>): boolean => {
  if (type !== "CallExpression" || !/^(map|flatMap|forEach)$/.test(lastName(callee) ?? "")) return false;
  const [work] = given as Node[];
  const begins =
    work?.async === true ||
    asyncNames.has(lastName(work) ?? "") ||
    (isNode(work?.body) && ownNodes(work.body).some(isVoidCall));
  return begins && !isShort((callee as Node).object);
};

const isUnbounded = (node: Node, [above]: Node[], asyncNames: Set<string>): boolean => {
  if (startsEach(node, asyncNames)) return above === undefined || !isPromiseAll(above);
  if (isPromiseAll(node)) return !isShort((node.arguments as Node[])[0]);
  if (!LOOP.test(node.type) || !awaits(node)) return false;
  if (node.type === "ForOfStatement") return node.await === true || !isShort(node.right);
  return !counts(node.test);
};

/** Loops over data without a bound that await or begin work: `for`, `while`, `forEach`, and `Promise.all` of a list. */
export const unboundedLoopsOf = ({ file, text, tree }: { file: string; text: string; tree: Node }): Loop[] => {
  const asyncNames = asyncNamesOf(tree);
  return nodesIn(tree)
    .filter(({ node, above }) => isUnbounded(node, above, asyncNames))
    .map(({ node, above }) => ({
      file,
      name: nameOf(above),
      line: text.slice(0, node.start).split("\n").length,
    }));
};
