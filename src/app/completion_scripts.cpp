// The scripts that make shells ask the tool what a word may become.
#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "completion.hpp"

namespace noslip::app {
namespace {

constexpr std::string_view bash_script = R"script(# Completion of noslip in bash; printed by `noslip --completion bash`.
_noslip() {
  local separators="" words=() word quote prefix path line name i is_glued=""
  COMPREPLY=()
  # Readline splits words at : and =, which are parts of words of noslip.
  [[ $COMP_WORDBREAKS == *:* ]] && separators+=:
  [[ $COMP_WORDBREAKS == *=* ]] && separators+='='
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && -n $separators && -n $word && -z ${word//[$separators]/} ]]; then
      words[${#words[@]}-1]+=$word
      is_glued=yes
    elif [[ -n $is_glued ]]; then
      words[${#words[@]}-1]+=$word
      is_glued=
    else
      words+=("$word")
    fi
  done
  word=${words[${#words[@]}-1]}
  prefix="" quote=""
  if [[ $word == [\"\']* ]]; then
    quote=${word:0:1} word=${word:1}
    words[${#words[@]}-1]=$word
  elif [[ $word == *[\"\'\\]* ]]; then
    return 0  # a quote inside: what it stands for is not known here
  elif [[ -n $separators ]]; then
    prefix=${word%"${word##*[$separators]}"}
  fi
  while IFS= read -r line; do
    case $line in
    :*)
      path=$word
      [[ $path == *=* ]] && path=${path#*=}
      while IFS= read -r name; do
        if [[ ! -d ${name/#\~/$HOME} ]]; then
          [[ $line == :files || $name == *.* && "${line#:files} " == *" ${name##*.} "* ]] || continue
        fi
        name=${word%"$path"}$name
        COMPREPLY+=("${name#"$prefix"}")
      done < <(compgen -f -- "$path")
      compopt -o filenames 2>/dev/null
      ;;
    *)
      line=${line%%$'\t'*}
      line=${line#"$prefix"}
      [[ -z $quote && $line == *[^[:alnum:]_.,:=/+-]* ]] && printf -v line %q "$line"
      COMPREPLY+=("$line")
      ;;
    esac
  done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${words[@]}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=,/] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _noslip noslip
)script";

constexpr std::string_view zsh_script = R"script(#compdef noslip
# Completion of noslip in zsh; printed by `noslip --completion zsh`.
_noslip() {
  local program=${(Q)words[1]} line word
  local -a before whole parts lines
  (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
  lines=("${(@f)$("${program/#\~/$HOME}" --complete "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${lines[@]}"; do
    [[ -z $line || $line == :* ]] && continue
    word=${line%%$'\t'*}
    word=${word//:/\\:}
    line=${line#*$'\t'}
    if [[ $word == *[:=,] ]]; then
      parts+=("$word${line:+:$line}")
    else
      whole+=("$word${line:+:$line}")
    fi
  done
  (( $#whole )) && _describe -V noslip whole
  (( $#parts )) && _describe -V noslip parts -S ''
  for line in "${lines[@]}"; do
    [[ $line == :* ]] || continue
    compset -P '*='
    case $line in
      :folders) _files -/ ;;
      :files) _files ;;
      *) _files -g "*.(${${line#:files }// /|})(-.)" ;;
    esac
  done
}
if [[ $funcstack[1] == _noslip ]]; then
  _noslip "$@"
else
  compdef _noslip noslip
fi
)script";

constexpr std::string_view fish_script = R"script(# Completion of noslip in fish; printed by `noslip --completion fish`.
function __noslip_complete
    set -l words (commandline -opc)
    set -l current (string replace -r '^["\']' '' -- (commandline -ct))
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    for line in ($program --complete $words "$current" 2>/dev/null)
        switch $line
            case ':*'
                set -l option (string match -r '^[^=]*=' -- "$current"; or echo '')
                set -l path (string replace -r '^[^=]*=' '' -- "$current")
                set -l endings (string split -n ' ' -- (string replace -r '^:\w+ ?' '' -- $line))
                set -l wanted '.'
                test $line = ':folders'; and set wanted '/$'
                set -q endings[1]; and set wanted '(/|\.('(string join '|' -- $endings)'))$'
                for name in (complete -C "__noslip_without_completion $path" | string replace -r '\t.*' '')
                    string match -q -r -- $wanted $name; and echo "$option$name"
                end
            case '*'
                echo $line
        end
    end
end
complete -c noslip -f -a '(__noslip_complete)' --keep-order
)script";

}  // namespace

std::string completion_script(const Words& shell) {
  const std::string name = shell.size() == 1 ? shell[0] : "";
  if (name == "bash") return std::string(bash_script);
  if (name == "zsh") return std::string(zsh_script);
  if (name == "fish") return std::string(fish_script);
  const std::vector<std::string> names = general_option("completion").choice_names();
  if (shell.empty()) {
    throw InputError("--completion needs the name of a shell", fmt::format("give one of {}", list_of(names)));
  }
  throw InputError(fmt::format("--completion {}: unknown shell", fmt::join(shell, " ")),
                   fmt::format("give one of {}", list_of(names)));
}

}  // namespace noslip::app
