import { detectBubblewrap } from "../../../src/adapters/sandbox/detect-bubblewrap.ts";

/** Guards of the service, each with what it would be without it and the attack case that must notice: R11 of the security notes. */

export type Guard = {
  /** Below src. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly line: string;
  readonly instead: string;
  /** The id that the names of the cases begin with. */
  readonly caughtBy: string;
  /** Below test, without its ending. */
  readonly test: string;
};

const verdicts = { file: "policy/verdict.ts", test: "policy/verdict.test" };
const walk = {
  file: "adapters/files/descriptor-walk.ts",
  test: "adapters/files/linux-files-attacks.test",
};
const web = { file: "adapters/web/public-web.ts", test: "adapters/web/public-web.test" };
const judging = {
  file: "actors/judge-call.ts",
  caughtBy: "G05",
  test: "actors/judge-call.test",
};
const laundering = { test: "security/laundering.test" };
const approvals = { file: "machines/approval/approval-rules.ts", test: "security/approvals.test" };
const standing = { file: "gateway/standing.ts", test: "gateway/judge-updates.test" };
const chain = { file: "policy/audit-chain.ts", caughtBy: "L06", test: "security/audit-chain.test" };

type Guards = { readonly [whatIsMissing: string]: Guard };

const everywhere: Guards = {
  "deny rules are not looked at": {
    ...verdicts,
    line: "if (rule !== undefined)",
    instead: "if (rule === '')",
    caughtBy: "A13",
    test: "actors/pinned-run.test",
  },
  "the agent's list of tools is not looked at": {
    ...verdicts,
    line: "return agent.allow.includes(tool.name)",
    instead: "return !agent.allow.includes('')",
    caughtBy: "I04",
  },
  "the boundary is not looked at": {
    ...verdicts,
    line: "if (outside !== undefined)",
    instead: "if (outside === '')",
    caughtBy: "P01",
  },
  "a call is not judged again at its start": {
    file: "actors/execute-tool.ts",
    line: "if (!isAllowed) return denied(refusalText(reason));",
    instead: "",
    caughtBy: "A13",
    test: "actors/pinned-run.test",
  },
  "what runs is not compared with what was shown": {
    file: "actors/execute-tool.ts",
    line: "if (binding !== input.binding)",
    instead: "if (binding === '')",
    caughtBy: "H08",
    test: "security/commands.test",
  },
  "symbolic links are followed": {
    ...walk,
    line: "const namesOnly = O_PATH | constants.O_NOFOLLOW;",
    instead: "const namesOnly = O_PATH;",
    caughtBy: "P02",
  },
  "links to directories are followed": {
    ...walk,
    line: "const namesOnly = O_PATH | constants.O_NOFOLLOW;",
    instead: "const namesOnly = O_PATH;",
    caughtBy: "P03",
  },
  "a second hard link is no matter": {
    ...walk,
    line: 'return stat.nlink > 1 ? "it has more than one hard link" : undefined;',
    instead: "return undefined;",
    caughtBy: "P05",
  },
  "pipes and devices are opened": {
    ...walk,
    line: 'if (!stat.isFile()) return "it is a pipe, a socket or a device";',
    instead: "if (!stat.isFile()) return undefined;",
    caughtBy: "P07",
  },
  "what the kernel shows of a process is a file": {
    ...walk,
    line: '? "it is the kernel\'s" : undefined',
    instead: "? undefined : undefined",
    caughtBy: "P07",
  },
  "IPv4 addresses inside are public": {
    file: "adapters/web/public-address.ts",
    line: 'return address.range() === "unicast" && !insideIpv4.test(address.toString());',
    instead: "return true;",
    caughtBy: "S01",
    test: "adapters/web/public-address.test",
  },
  "an IPv4 address inside an IPv6 one is not judged": {
    file: "adapters/web/public-address.ts",
    line: "if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());",
    instead: "if (address.isIPv4MappedAddress()) return true;",
    caughtBy: "S02",
    test: "adapters/web/public-address.test",
  },
  "a redirect is not judged": {
    ...web,
    line: "const next = checkedUrl(new URL(location, from.href).href, rules);",
    instead: "const next = new URL(location, from.href);",
    caughtBy: "S06",
  },
  "the address that is connected to is not judged": {
    ...web,
    file: "adapters/web/guarded-agent.ts",
    line: 'else if (inside !== undefined) answer(insideError(name, inside.address), "", 0);',
    instead: "",
    caughtBy: "S07",
  },
  "a redirect leads to another host": {
    ...web,
    line: "if (hostOf(next) !== hostOf(first)) return",
    instead: "if (hostOf(next) === '') return",
    caughtBy: "S10",
  },
  "a body has no end": {
    ...web,
    file: "adapters/web/bounded-body.ts",
    line: "const room = most - length;",
    instead: "const room = 1_000 * most - length;",
    caughtBy: "S11",
  },
  "hostile keys are taken": {
    file: "policy/json-input.ts",
    line: "if (hostileKeys.has(key)) throw invalid(`The key ${key} is not allowed.`);",
    instead: "",
    caughtBy: "I01",
    test: "security/hostile-json.test",
  },
  "depth is no matter": {
    file: "policy/json-input.ts",
    line: "if (depth > maxDepth) throw",
    instead: "if (depth < 0) throw",
    caughtBy: "I02",
    test: "security/hostile-json.test",
  },
  "an output has no end": {
    file: "tools/shown-output.ts",
    line: "if (output.length <= maxCharacters) return { output, is_error };",
    instead: "if (output.length >= 0) return { output, is_error };",
    caughtBy: "I03",
    test: "tools/shown-output.test",
  },
  "a circle of calls is no matter": {
    file: "machines/run/run-rules.ts",
    line: "return circleOf(withRound(repeated, roundHash(output)), limits.max_identical_calls);",
    instead: "return undefined;",
    caughtBy: "I05",
    test: "security/repetition.test",
  },
  "secrets stay in what activities return": {
    file: "engine/activities/running-activities.ts",
    line: "return { ok: true, output: this.parts.redact(value as Json) };",
    instead: "return { ok: true, output: value as Json };",
    caughtBy: "L04",
    test: "security/secrets.test",
  },
  "secrets stay in what is told while the model speaks": {
    file: "actors/speech.ts",
    line: "tell(stream.push(delta.text));",
    instead: "tell(delta.text);",
    caughtBy: "L04",
    test: "security/secrets.test",
  },
  "secrets stay in what people say": {
    file: "engine/create-engine.ts",
    line: "event: redact(event), options: send",
    instead: "event, options: send",
    caughtBy: "L04",
    test: "security/secrets.test",
  },
  "secrets stay in the log": {
    file: "adapters/log/json-log.ts",
    line: "const record = redact({ message, fields: renamed(fields) });",
    instead: "const record = { message, fields: renamed(fields) };",
    caughtBy: "L04",
    test: "adapters/log/secrets-and-forgeries.test",
  },
  "an output is cut before it is redacted": {
    file: "tools/shown-output.ts",
    line: "const output = await withoutSecrets(whole, keeping);",
    instead: "const output = whole;",
    caughtBy: "L04",
    test: "security/cut-secrets.test",
  },
  "what the policy allowed is not written down": {
    file: "machines/tool-call/tool-call-effects.ts",
    line: "policyDecision(context, event.$.at).map(writeAudit),",
    instead: "[],",
    caughtBy: "L06",
    test: "security/audit-chain.test",
  },
  "what ran is not written down": {
    file: "machines/tool-call/tool-call-audit.ts",
    line: 'return context.is_outcome_unknown || event.type.endsWith(".actor.executeTool");',
    instead: "return false;",
    caughtBy: "L07",
    test: "security/audited-effects.test",
  },
  "a row does not hold the hash of the one before": {
    ...chain,
    line: "if (previous !== undefined && row.prev_hash !== previous.hash) {",
    instead: "if (previous === null) {",
  },
  "the content of a row is not hashed": {
    ...chain,
    line: 'return auditHash(row) === row.hash ? undefined : { n, message: "its content was changed" };',
    instead: "return undefined;",
  },
  "the end of the trail is not known": {
    ...chain,
    line: "if (last?.n === head?.n && last?.hash === head?.hash) return undefined;",
    instead: "return undefined;",
  },
  "a terminal is told what foreign text says": {
    file: "text/clean-text.ts",
    line: "return isKept ? found : escaped(found);",
    instead: "return found;",
    caughtBy: "L01",
    test: "text/clean-text.test",
  },
  "YAML may nest as it likes": {
    file: "config/yaml-guard.ts",
    line: "return scan.nesting > scan.limits.blockNesting ? nestingMessage : null;",
    instead: "return null;",
    caughtBy: "Y01",
    test: "config/hostile-yaml.test",
  },
  "YAML may repeat itself as it likes": {
    file: "config/yaml-guard.ts",
    line: "return scan.aliases > scan.limits.aliases",
    instead: "return scan.aliases < 0",
    caughtBy: "Y02",
    test: "config/hostile-yaml.test",
  },
  "everybody may read a secret": {
    file: "config/guarded-file.ts",
    line: "return (stat.mode & (otherRead | otherWrite)) === 0",
    instead: "return stat.mode >= 0",
    caughtBy: "Y05",
    test: "config/load-config.test",
  },
  "a wrapper's word counts for the command that it runs": {
    file: "policy/shell-programs.ts",
    line: "if (isRunner(program)) return true;",
    instead: "",
    caughtBy: "H01",
    test: "policy/shell-command.test",
  },
  "an interpreter's options are words like others": {
    file: "policy/shell-programs.ts",
    line: 'return interpreters.has(name) && !isPlainName(rest[0] ?? "");',
    instead: "return false;",
    caughtBy: "H05",
    test: "policy/shell-command.test",
  },
  "shell text is judged by the class of its tool": {
    ...verdicts,
    line: "input.capabilities.includes(anyShellText)",
    instead: "input.capabilities.length < 0",
    test: "security/commands.test",
    caughtBy: "H02",
  },
  "a grant does not hold what it was given for": {
    ...verdicts,
    line: "return isPinned && matchesCapability",
    instead: "return isPinned !== null && matchesCapability",
    ...laundering,
    caughtBy: "H10",
  },
  "anybody may approve": {
    ...approvals,
    line: "return answer.is_barred === true || !asked.context.approvers.includes(answer.by);",
    instead: "return answer.is_barred === true;",
    caughtBy: "A02",
  },
  "a caller needs no secret": {
    file: "adapters/channel/http/same-secret.ts",
    line: 'return timingSafeEqual(digestOf(given), digestOf(secret)) && given !== "";',
    instead: "return timingSafeEqual(digestOf(given), digestOf(given)) || secret === given;",
    caughtBy: "T01",
    test: "adapters/channel/http/intake-server.test",
  },
  "anybody may write": {
    ...standing,
    line: "if (doorway.allow_users.includes(id) || (isPrivate && isPaired(id))) return undefined;",
    instead: "if (!isPaired('') || doorway.allow_users.includes(id)) return undefined;",
    caughtBy: "T02",
  },
  "an update that comes again is new": {
    file: "gateway/judge-updates.ts",
    line: "return read.get(connectorUpdateTable, connector_id, update_id) === undefined;",
    instead: "return read.get(connectorUpdateTable, connector_id, update_id) !== null;",
    caughtBy: "T03",
    test: "gateway/judge-updates.test",
  },
  "a tap counts wherever it was": {
    file: "actors/channel/intake/intake-button.ts",
    line: "const card = tappedCard(rows, { connector_id, scope, message_id });",
    instead: "const card = rows[0];",
    caughtBy: "A04",
    test: "actors/channel/taps.test",
  },
  "the deadline is its timer's matter alone": {
    ...approvals,
    line: "return event.$.at >= context.created_at + context.timeout_ms;",
    instead: "return false;",
    caughtBy: "A03",
  },
  "an answer to one question counts for another": {
    ...approvals,
    line: "return shown !== undefined && shown !== asked.context.binding;",
    instead: "return false;",
    caughtBy: "A04",
  },
  "a grant for one run holds for the next": {
    ...judging,
    file: "actors/live-grants.ts",
    line: ".filter(({ owner }) => owners.includes(owner))",
    instead: "",
  },
  "a grant has no end": {
    ...judging,
    file: "actors/live-grants.ts",
    line: ".filter(({ expires_at }) => expires_at === null || at < expires_at)",
    instead: "",
  },
  "what is left of a run that has ended may act": {
    ...judging,
    line: "run === undefined || run.state !== null ? undefined",
    instead: "run === undefined ? undefined",
  },
  "a denied call may be made again for ever": {
    ...approvals,
    file: "machines/run/run-rules.ts",
    line: "return circleOf(withRound(repeated, roundHash(output)), limits.max_identical_calls);",
    instead: "return undefined;",
    caughtBy: "A10",
  },
  "what a run has read and whose text it holds is no matter": {
    file: "policy/taint.ts",
    line: "if (read.length === 0 || untrusted.length === 0) return undefined;",
    instead: "if (read !== untrusted) return undefined;",
    caughtBy: "J02",
    test: "security/foreign-text.test",
  },
  "a model may call what it was not offered": {
    file: "actors/call-model.ts",
    line: "if (calls.length > 0 && offered.length === 0)",
    instead: "if (calls.length < 0)",
    caughtBy: "J05",
    test: "security/foreign-text.test",
  },
  "what comes from a page is not known to be foreign": {
    file: "policy/origins.ts",
    line: "untrusted: untrustedOf(known.untrusted, added.untrusted),",
    instead: "untrusted: untrustedOf(known.untrusted),",
    caughtBy: "J01",
    test: "security/foreign-text.test",
  },
  "what a command copies of foreign text counts as the person's own": {
    file: "actors/file-origins.ts",
    line: "const copied = untrustedOf(known, output.brings?.untrusted);",
    instead: "const copied = known;",
    caughtBy: "J02",
    test: "security/lost-origins.test",
  },
  "a run that was set aside has read nothing": {
    file: "machines/session/session-memory.ts",
    line: '? unknownFrom("run", context.run.id)',
    instead: "? undefined",
    caughtBy: "J02",
    test: "security/lost-origins.test",
  },
  "an address may carry out any text": {
    file: "policy/taint.ts",
    line: "const isMuch = carried.length > mostCarried || codeLike.test(carried);",
    instead: "const isMuch = false;",
    caughtBy: "S14",
    test: "security/foreign-text.test",
  },
  "budgets are not looked at": {
    file: "actors/budget-gate.ts",
    line: "if (over !== undefined) return over;",
    instead: "if (over === null) return over;",
    caughtBy: "I05",
    test: "actors/budget.test",
  },
};

const inSandboxes: Guards = {
  "commands have the network": {
    file: "adapters/sandbox/bubblewrap-options.ts",
    line: " --unshare-net",
    instead: "",
    caughtBy: "H15",
    test: "adapters/sandbox/bubblewrap-attacks.test",
  },
};

const { ok: canSandbox } = await detectBubblewrap();

export const guards: Guards = { ...everywhere, ...(canSandbox ? inSandboxes : {}) };
