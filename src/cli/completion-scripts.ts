/** Completion scripts: the same table in the words of each shell. Names come from declarations and hold no quotes. */
import type { CompletionTable } from './completion-table.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, table: CompletionTable): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](table);
}

const bashScript = (table: CompletionTable): string => `# eval "$(sluice completion bash)" in ~/.bashrc
_sluice() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" at="" words="" files="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${oneOf(table.paths)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $before" in
${caseLines(table)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ -n $files ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _sluice sluice
`;

const zshScript = (table: CompletionTable): string => `#compdef sluice
# source <(sluice completion zsh) in ~/.zshrc, after compinit
_sluice() {
  local before="\${words[CURRENT - 1]}" at="" choices="" files="" i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${oneOf(table.paths)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at $before" in
${caseLines(table).replaceAll(' words=', ' choices=')}
  esac
  compadd -- \${=choices}
  [[ -n $files ]] && _files
}
compdef _sluice sluice
`;

const fishScript = (table: CompletionTable): string => `# sluice completion fish | source, in config.fish
function __sluice_complete
    set -l tokens (commandline -opc)
    set -l at ''
    for token in $tokens
        switch "$at $token"
            case ${table.paths.map(quote).join(' ')}
                set at "$at $token"
        end
    end
    switch "$at $tokens[-1]"
${[...table.values].map(([key, choices]) => fishCase(key, choices === 'path', choices === 'path' ? [] : (choices ?? []))).join('\n')}
    end
    switch "$at"
${[...table.next].map(([path, { words, files }]) => fishCase(path, files, words)).join('\n')}
    end
end
complete -c sluice -f -a '(__sluice_complete)'
`;

/** First what stands after an option that takes a value, then what may come next. */
function caseLines({ values, next }: CompletionTable): string {
  const after = [...values].map(([key, choices]) =>
    caseLine(`'${key}'`, choices === 'path', choices === 'path' ? [] : (choices ?? [])),
  );
  const others = [...next].map(([path, { words, files }]) => `  ${caseLine(quote(path), files, words)}`);
  return [...after, '    *) case "$at" in', ...others, '      esac ;;'].join('\n');
}

const caseLine = (pattern: string, files: boolean, words: readonly string[]): string =>
  `    ${pattern}) words='${words.join(' ')}'${files ? ' files=1' : ''} ;;`;

const fishCase = (pattern: string, files: boolean, words: readonly string[]): string =>
  [
    `        case ${quote(pattern)}`,
    ...(words.length > 0 ? [`            printf '%s\\n' ${words.join(' ')}`] : []),
    ...(files ? ['            __fish_complete_path (commandline -ct)'] : []),
    '            return',
  ].join('\n');

const quote = (text: string): string => `'${text}'`;
const oneOf = (texts: readonly string[]): string => texts.map(quote).join(' | ');
