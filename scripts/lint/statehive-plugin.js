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

/** Text that is drawn is cleaned by its type: only the file that cleans may say that something is. */
const safeTextByCleaning = {
  meta: {
    type: "problem",
    messages: {
      claimed:
        "SafeText is made by safe(), safeLines() or own`…`, not by claiming that a text is safe.",
      called: "own`…` tags our own words; called as a function it would take any text for ours.",
    },
  },
  create(context) {
    const claimed = (node) => {
      if (names(node.typeAnnotation, "SafeText")) context.report({ node, messageId: "claimed" });
    };
    const ours = new Set();
    return {
      ImportSpecifier(node) {
        if (!node.parent.source.value.endsWith("/safe-text.ts")) return;
        if (node.imported.name === "own") ours.add(node.local.name);
      },
      TSAsExpression: claimed,
      TSTypeAssertion: claimed,
      TSSatisfiesExpression: claimed,
      TSTypePredicate: (node) => claimed(node.typeAnnotation ?? node),
      Identifier(node) {
        if (ours.has(node.name) && !isAllowed(node)) context.report({ node, messageId: "called" });
      },
    };
  },
};

/** Whether the type is, holds or makes a type of that name. */
const names = (node, name) => {
  if (node === null || typeof node !== "object") return false;
  if (Array.isArray(node)) return node.some((each) => names(each, name));
  if (node.type === "Identifier") return node.name === name;
  return Object.entries(node).some(([key, value]) => key !== "parent" && names(value, name));
};

const isAllowed = ({ parent, type: _type, ...node }) =>
  parent.type === "ImportSpecifier" ||
  (parent.type === "TaggedTemplateExpression" && parent.tag.start === node.start);

const noTerminalSequences = {
  meta: {
    type: "problem",
    messages: {
      escape:
        "A control character is drawn by nobody but src/tui/terminal; make spans with styles.",
      written: "{{what}} goes past the canvas; draw a frame on the Screen.",
    },
  },
  create(context) {
    const check = (node, text) => {
      if (typeof text === "string" && hasEscape.test(text)) {
        context.report({ node, messageId: "escape" });
      }
    };
    return {
      Literal: (node) => check(node, node.regex === undefined ? node.value : undefined),
      TemplateElement: (node) => check(node, node.value.cooked),
      MemberExpression(node) {
        const what = `${node.object.name}.${node.computed ? node.property.value : node.property.name}`;
        if (outputs.has(what)) context.report({ node, messageId: "written", data: { what } });
      },
    };
  },
};

const outputs = new Set(["process.stdout", "process.stderr", "screen.write"]);
const hasEscape = /(?![\t\n\r])\p{Cc}/u;

/** It costs 100 ms to load, and its widgets draw what they are given. */
const blessedInItsPlace = {
  meta: {
    type: "problem",
    messages: {
      misplaced: "Only src/tui/terminal imports blessed; everything else draws frames on a Screen.",
      early:
        "The interface is loaded by the command that shows it: await import(…); every other one would pay for it.",
    },
  },
  create(context) {
    const check = (node) => {
      if (node.source?.value === "blessed") context.report({ node, messageId: "misplaced" });
    };
    return {
      ImportDeclaration(node) {
        check(node);
        const isEarly = context.filename.includes("/src/cli/") && node.importKind !== "type";
        if (isEarly && /\/tui\//.test(node.source.value))
          context.report({ node, messageId: "early" });
      },
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default {
  meta: { name: "statehive" },
  rules: {
    "no-impurity": noImpurity,
    "safe-text-by-cleaning": safeTextByCleaning,
    "no-terminal-sequences": noTerminalSequences,
    "blessed-in-its-place": blessedInItsPlace,
  },
};
