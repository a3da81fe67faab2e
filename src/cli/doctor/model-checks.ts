import type { ProviderTrial } from "../../app/models/provider-report.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** Whether somebody can answer for each agent, and, where that may be asked, whether they do. */
export async function modelChecks(patient: Patient): Promise<readonly Finding[]> {
  const { config, online, context } = patient;
  if (config === null || !config.ok) return [];
  const { reportProviders, tryProviders } = await import("../../app/models/provider-report.ts");
  const report = reportProviders(config);
  const trials = online ? await tryProviders({ ...config, deadlineMs: context.timeoutMs }) : [];
  const providers = report.providers.map(({ id, key, api_key, used_by }) => {
    const trial = trials.find((each) => each.id === id);
    const users = used_by.length === 0 ? "" : `; answers for ${used_by.join(", ")}`;
    if (trial !== undefined && trial.state !== "not_asked") return trialFinding(trial, users);
    const asked = online || key !== "set" ? "" : "; not asked (--online asks)";
    return ok(`provider ${id}`, `key ${keyText(api_key, key)}${asked}${users}`);
  });
  const without = report.without_model.map(({ agent, message }) =>
    fail(
      `agent ${agent}`,
      `nobody answers for it: ${message}`,
      "set the provider's key, or change model_policy.primary; `statehive providers list` shows both",
    ),
  );
  const { unpricedBudgets } = await import("../../app/models/unpriced-budgets.ts");
  const unpriced = unpricedBudgets(config).map(({ agent, message }) =>
    warn(`agent ${agent}`, message, "give the model a price under `prices` in config/main.yaml"),
  );
  return [...providers, ...without, ...unpriced];
}

function keyText(reference: string | null, key: string): string {
  return reference === null ? key : `${reference} ${key}`;
}

function trialFinding({ id, model, latency_ms, error }: ProviderTrial, users: string): Finding {
  const check = `provider ${id}`;
  if (error === null) return ok(check, `${model} answered in ${latency_ms} ms${users}`);
  const found = `${error.code}: ${error.message}${users}`;
  const fix = error.hint ?? "`statehive providers test` asks again";
  return error.retryable ? warn(check, found, fix) : fail(check, found, fix);
}
