# Becomes the command, in its own process group already: start KEEPER TOOL COMMAND...
# The keeper knows the group before the command's first instruction: standard input of the keeper
# is a pipe, and opening it in /proc gives its other end. That the tool still has its files open
# after that shows that the keeper cannot have seen the pipe's end before it read of the group.
# No variable is set here, since the command would inherit it.
if ! { echo "group $$" >"/proc/$1/fd/0"; } 2>/dev/null || ! [ -e "/proc/$2/fd/0" ]; then
  echo 'holdfast: the command was not started, because no keeper would have ended it in time' >&2
  exit 71
fi
shopt -s execfail
# It comes back if the command is not there or cannot be executed. The tool is to know that from a
# command that ends with such a code itself, and says so: this shell need not.
if type -P -- "$3" >/dev/null; then
  exec -- "${@:3}"
else
  exec -- "${@:3}" 2>/dev/null
fi
set -- "$?" "$1"
{ echo unstarted >"/proc/$2/fd/0"; } 2>/dev/null
exit "$1"
