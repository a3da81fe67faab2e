/** Takes the token out of the address, so that it is neither seen there nor copied with it. It stays with this entry of the tab's
 *  history: the page can be loaded again.
 *  @returns undefined where the address had none */
export function takeToken({ location, history }: Window): string | undefined {
  const given = location.hash.slice(1);
  if (given === "") return kept(history.state);
  history.replaceState({ token: given }, "", location.pathname);
  return given;
}

function kept(state: unknown): string | undefined {
  const { token } = (state ?? {}) as { readonly token?: unknown };
  return typeof token === "string" ? token : undefined;
}
