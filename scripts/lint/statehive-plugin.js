/** House rules that no stock rule of oxlint covers. */

const impureGlobals = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
  "performance",
  "crypto",
  "fetch",
  "process",
  "globalThis",
]);

const impureCalls = new Set(["Date.now", "Math.random"]);

const isGlobal = (context, node) => {
  const scope = context.sourceCode.getScope(node);
  const reference = scope.references.find(({ identifier }) => identifier === node);
  return reference !== undefined && (reference.resolved?.defs.length ?? 0) === 0;
};

const noImpurity = {
  meta: {
    type: "problem",
    messages: {
      impure:
        "{{what}}: this layer has no clock, randomness or I/O; take the value as an argument.",
    },
  },
  create(context) {
    const report = (node, what) => context.report({ node, messageId: "impure", data: { what } });
    return {
      Identifier(node) {
        if (impureGlobals.has(node.name) && isGlobal(context, node)) report(node, node.name);
      },
      MemberExpression(node) {
        const property = node.computed ? node.property.value : node.property.name;
        const name = `${node.object.name}.${property}`;
        if (impureCalls.has(name)) report(node, name);
      },
      NewExpression(node) {
        if (node.callee.name === "Date" && node.arguments.length === 0) report(node, "new Date()");
      },
      CallExpression(node) {
        if (node.callee.name === "Date") report(node, "Date()");
      },
    };
  },
};

export default { meta: { name: "statehive" }, rules: { "no-impurity": noImpurity } };
