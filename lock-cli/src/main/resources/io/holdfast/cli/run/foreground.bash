# Runs the command in a process group that has the terminal: foreground KEEPER TOOL START COMMAND...
# KEEPER, TOOL and COMMAND go to the script START, which becomes the command. This shell does what
# only a parent with job control can do: it gives the group the terminal, sees that it was stopped,
# and lets it go on when the user says so. Stopping it stops all of the tool's own group, so that
# the user's shell sees one job.
#
# A shell gives away the terminal that its standard error is, so its own is the terminal, and the
# command has the user's.
exec 3>&2 2>/dev/tty
set -m
# It ends with the command, whatever is sent to the tool's group. The command gets none of these.
trap : HUP INT QUIT USR1 USR2 ALRM TERM VTALRM PROF IO PWR XCPU
# No variable is set before the command has started: it would inherit it. Now the first word says how
# the terminal is set; it is empty where there is no stty.
set -- "$(stty -g <&2 2>/dev/null)" "$@"
bash --posix -p -c "$4" holdfast "$2" "$3" "${@:5}" 2>&3 3>&-
code=$?
# Ends a wait when the user's shell lets this group go on.
trap : CONT

# Prints of the process $1: parent, process group, session, and the terminal's foreground group.
relations() {
  local stat
  stat=$(<"/proc/$1/stat") || return
  set -- ${stat##*) }
  echo "$2 $3 $4 $6"
}

has_terminal() {
  local group front
  read -r _ group _ front <<<"$(relations $$)"
  [ "$group" = "$front" ]
}

# Whether a shell of the same session looks after this process group: stopped otherwise, it would
# stay so for ever, and the kernel would not stop it for a key either.
is_looked_after() {
  local parent group session own_group own_session
  read -r parent own_group own_session _ <<<"$(relations $$)"
  group=$own_group
  while [ "$group" = "$own_group" ] && [ "$parent" -gt 1 ]; do
    read -r parent group session _ <<<"$(relations "$parent")" || return 1
  done
  [ "$group" != "$own_group" ] && [ "${session:-}" = "$own_session" ]
}

# A function of its own, because a shell leaves the loop in which its job is stopped.
let_go_on() {
  if has_terminal; then
    fg %% >/dev/null
  else
    bg %% >/dev/null 2>&1
    wait %% 2>/dev/null
  fi
}

while [ -n "$(jobs -p)" ]; do
  if [ -n "$(jobs -sp)" ] && is_looked_after; then
    kill -s STOP 0
  fi
  # From here on the user has let the job go on. A lease that has run out meanwhile is no danger:
  # the keeper, which the terminal does not stop, has killed the command.
  let_go_on
  code=$?
done
# A command that was killed had no time to set the terminal as it was: an editor, a password prompt.
if [ "$code" -gt 128 ] && [ -n "$1" ] && has_terminal; then
  stty "$1" <&2 2>/dev/null
fi
exit "$code"
