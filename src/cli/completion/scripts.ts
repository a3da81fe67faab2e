/** What a shell is given to complete `statehive`: it asks the program, and never evaluates what it hears or what was typed. */

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const bash = String.raw`# bash completion of statehive; to have it in every shell:
#   statehive completion bash > ~/.local/share/bash-completion/completions/statehive
_statehive() {
  local value about
  COMPREPLY=()
  while IFS=$'\t' read -r value about; do
    case $value in
      :files) compopt -o default ;;
      :directories) compopt -o dirnames ;;
      ?*) COMPREPLY+=("$value") ;;
    esac
  done < <("$1" __complete bash "$COMP_WORDBREAKS" "${"$"}{COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _statehive statehive`;

const zsh = String.raw`#compdef statehive
# zsh completion of statehive; to have it in every shell, with a directory of your fpath:
#   statehive completion zsh > "${"$"}{fpath[1]}/_statehive"
_statehive() {
  local line value about
  local -a found
  while IFS= read -r line; do
    value=${"$"}{line%%$'\t'*} about=${"$"}{line#*$'\t'}
    case $value in
      :files) _files; return ;;
      :directories) _files -/; return ;;
      ?*) found+=("${"$"}{value//:/\\:}:$about") ;;
    esac
  done < <("${"$"}{(Q)words[1]}" __complete zsh "${"$"}{(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( ${"$"}{#found} )) && _describe statehive found
}
if [[ $funcstack[1] == _statehive ]]; then _statehive "$@"; else compdef _statehive statehive; fi`;

const fish = String.raw`# fish completion of statehive; to have it in every shell:
#   statehive completion fish > ~/.config/fish/completions/statehive.fish
function __statehive_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] __complete fish $words[2..-1] "$current" 2>/dev/null)
    switch "$found[1]"
        case :files
            __fish_complete_path "$current"
        case :directories
            __fish_complete_directories "$current"
        case '*'
            printf '%s\n' $found
    end
end
complete -c statehive -e
complete -c statehive -f -a '(__statehive_complete)'`;

export const completionScripts: { readonly [shell in Shell]: string } = { bash, zsh, fish };
