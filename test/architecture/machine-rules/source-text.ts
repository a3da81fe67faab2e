import ts from "typescript";

/** Actor logic that runs code outside an activity: it would run again after a restart, or be lost. */
const foreignLogic = ["fromCallback", "fromObservable", "fromEventObservable", "fromTransition"];
const codeKeys = new Set(["context", "input", "output", "params"]);

/** What only the text can show: one literal chart, which Stately and a reader can read. */
export function sourceTextFaults(source: string): string[] {
  const tree = ts.createSourceFile("chart.ts", source, ts.ScriptTarget.Latest, true);
  const calls = collect(tree, isMachineCall);
  const charts = calls.flatMap(({ arguments: [chart] }) => (chart === undefined ? [] : [chart]));
  return [
    ...(calls.length === 1
      ? []
      : [`has ${calls.length} calls of setup({...}).createMachine({...})`]),
    ...collect(tree, ts.isIdentifier)
      .filter(({ text }) => foreignLogic.includes(text))
      .map(
        (name) => `${name.text} at line ${lineOf(name)}: only fromPromise may stand for an actor`,
      ),
    ...charts.flatMap(nonLiteralParts),
  ];
}

function collect<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const below: T[] = [];
  ts.forEachChild(node, (child) => void below.push(...collect(child, is)));
  return is(node) ? [node, ...below] : below;
}

function isMachineCall(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  if (name.text !== "createMachine" || !ts.isCallExpression(expression)) return false;
  return ts.isIdentifier(expression.expression) && expression.expression.text === "setup";
}

function nonLiteralParts(node: ts.Node): string[] {
  if (ts.isPropertyAssignment(node)) return propertyFaults(node);
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap(nonLiteralParts);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(nonLiteralParts);
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return nonLiteralParts(node.expression);
  return isPlainLiteral(node)
    ? []
    : [`line ${lineOf(node)} of the chart is not literal: ${firstLine(node)}`];
}

function propertyFaults({ name, initializer }: ts.PropertyAssignment): string[] {
  if (ts.isComputedPropertyName(name))
    return [`line ${lineOf(name)} of the chart has a computed key`];
  return codeKeys.has(name.text) ? [] : nonLiteralParts(initializer);
}

/** Functions are the business of the reference rules, which name the place in the chart. */
function isPlainLiteral(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isFunctionLike(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(
      node.kind,
    ) ||
    (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand))
  );
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function firstLine(node: ts.Node): string {
  return node.getText().split("\n")[0] ?? "";
}
